// Delaunay triangles and tetrahedra between the corners of a closed surface and points inside, with every facet of the
// surface kept.
#pragma once

#include "geometry/mesh.h"
#include "geometry/shape.h"
#include "geometry/simplex_mesh.h"

#include <cstdint>
#include <optional>

namespace knead {

// A closed surface: triangles in 3D, a line in 2D, seen from outside against the clock.
template <int d>
struct ClosedSurface {
  std::vector<Vec<double, d>> points;
  std::vector<typename SimplexMesh<d>::Facet> facets;
};

ClosedSurface<3> closed_surface(const TriangleMesh& mesh);
// The triangles of the mesh file that the shape is, scaled, turned and moved as it may be; nothing of other shapes.
std::optional<TriangleMesh> surface_of_file(const Shape& shape);
template <int d>
ClosedSurface<d> boundary_of(const SimplexMesh<d>& mesh);

// The surface's points come first, in their order and at their places, then those inside that are used: such that stand
// in the way of a facet are left out. All facets are sides of cells, and all cells lie inside; they have a positive
// volume but may be flat. `edge` is the length of edges inside. Fails where a facet cannot be kept.
template <int d>
SimplexMesh<d> delaunay_between(const ClosedSurface<d>& surface, std::vector<Vec<double, d>> inside, double edge);

// The same with points at random inside the shape (sample/poisson.h), at least half an edge from the surface, and with
// slivers taken out as far as that goes without touching the surface. The surface is that of the mesh file where the
// shape is one, and that of stuffed cells otherwise.
template <int d>
SimplexMesh<d> delaunay_filled(const Shape& shape, double edge, std::uint64_t seed);

}  // namespace knead
