// Shapes into meshes: where a body's triangles (2D) or tetrahedra (3D) start.
#pragma once

#include "geometry/meshing.h"
#include "geometry/shape.h"
#include "geometry/simplex_measure.h"

#include <cstdint>

namespace knead {

// Fills a prepared shape with cells whose edges are about `edge` long.
//   stuffed   well-shaped cells (sample/stuffing.h) with the shape's sharp edges and corners (sample/fit_features.h)
//   delaunay  every triangle of the shape's surface is kept, its corners come first (sample/delaunay.h); cells may be
//   flat
// All cells have a positive volume. The same shape, edge and seed give the same mesh on any number of threads. Fails
// with Exit::bad_input where the shape is unbounded or too thin, with Exit::resources where too many cells would be
// needed.
template <int d>
SimplexMesh<d> simplices_of(const Shape& shape, double edge, Meshing how, std::uint64_t seed);

}  // namespace knead
