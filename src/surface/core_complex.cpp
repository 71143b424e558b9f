#include "surface/core_complex.h"

#include "base/error.h"
#include "geometry/simplex_edges.h"
#include "geometry/simplex_measure.h"

#include <algorithm>

namespace knead {

namespace {

using Edge = std::array<int, 2>;
using Triangle = std::array<int, 3>;

template <class Feature>
int index_of(const std::vector<Feature>& sorted, const Feature& feature) {
  const auto at = std::lower_bound(sorted.begin(), sorted.end(), feature);
  return at != sorted.end() && *at == feature ? static_cast<int>(at - sorted.begin()) : -1;
}
int edge_index(const std::vector<Edge>& edges, int a, int b) {
  return index_of(edges, Edge{std::min(a, b), std::max(a, b)});
}
Triangle ascending(Triangle corners) {
  std::sort(corners.begin(), corners.end());
  return corners;
}

template <int d>
void check_cells(const SimplexMesh<d>& mesh, const std::string& name) {
  for (std::size_t c = 0; c < mesh.cells.size(); ++c) {
    for (const int p : mesh.cells[c])
      if (p < 0 || static_cast<std::size_t>(p) >= mesh.points.size())
        fail(Exit::bad_input, "cell {} of {} has a corner {}; there are {} points", c, name, p, mesh.points.size());
    if (!(signed_volume<d>(corners_of(mesh, mesh.cells[c])) > 0))
      fail(Exit::bad_input, "cell {} of {} has no volume or is inverted; swap two of its corners", c, name);
  }
}

// The side of a tetrahedron opposite to a corner, seen from outside against the clock.
Triangle side_of(const std::array<int, 4>& tet, int corner) {
  const std::array<int, 3> side = knead::side_of<3>(corner);
  return {tet[std::size_t(side[0])], tet[std::size_t(side[1])], tet[std::size_t(side[2])]};
}

// True where b runs through the corners of a in the same sense.
bool same_sense(const Triangle& a, const Triangle& b) {
  const int first = slot_of(a, b[0]);
  return a[std::size_t((first + 1) % 3)] == b[1];
}

void add_tets(CoreComplex<3>& complex, const SimplexMesh<3>& mesh, const std::string& name) {
  complex.tets = mesh.cells;
  for (const auto& tet : complex.tets)
    for (int k = 0; k < 4; ++k) complex.triangles.push_back(ascending(side_of(tet, k)));
  std::sort(complex.triangles.begin(), complex.triangles.end());
  for (std::size_t i = 2; i < complex.triangles.size(); ++i)
    if (complex.triangles[i] == complex.triangles[i - 2])
      fail(Exit::bad_input, "three tetrahedra of {} share the triangle of its points {}, {} and {}", name,
           complex.triangles[i][0], complex.triangles[i][1], complex.triangles[i][2]);
  complex.triangles.erase(std::unique(complex.triangles.begin(), complex.triangles.end()), complex.triangles.end());
  for (const auto& tet : complex.tets) {
    std::array<int, 6> edges{};
    std::size_t at = 0;
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t j = i + 1; j < 4; ++j) edges[at++] = edge_index(complex.edges, tet[i], tet[j]);
    complex.tet_edges.push_back(edges);
    std::array<int, 4> triangles{};
    for (int k = 0; k < 4; ++k) triangles[std::size_t(k)] = index_of(complex.triangles, ascending(side_of(tet, k)));
    complex.tet_triangles.push_back(triangles);
  }
}

// The same triangles, each as the input names its corners, in the order of the input.
std::vector<SheetTriangle> in_order_of(std::span<const Triangle> surface, const CoreComplex<3>& complex,
                                       const std::vector<SheetTriangle>& boundary, const std::string& name) {
  std::vector<int> place(complex.triangles.size(), -1);
  for (std::size_t i = 0; i < boundary.size(); ++i) place[std::size_t(boundary[i].triangle)] = static_cast<int>(i);
  if (surface.size() != boundary.size())
    fail(Exit::bad_input, "the surface given with {} has {} triangles, but its boundary {}", name, surface.size(),
         boundary.size());
  std::vector<SheetTriangle> sheet;
  for (std::size_t i = 0; i < surface.size(); ++i) {
    const int f = index_of(complex.triangles, ascending(surface[i]));
    const int b = f < 0 ? -1 : place[std::size_t(f)];
    if (b < 0) fail(Exit::bad_input, "triangle {} of the surface given with {} is not on its boundary", i, name);
    if (!same_sense(boundary[std::size_t(b)].corners, surface[i]))
      fail(Exit::bad_input,
           "triangle {} of the surface given with {} faces inwards; list its corners counter-clockwise, seen from "
           "outside",
           i, name);
    place[std::size_t(f)] = -1;
    sheet.push_back({f, surface[i]});
  }
  return sheet;
}

void add_sheet(CoreComplex<3>& complex, const SimplexMesh<3>& mesh, std::span<const Triangle> surface,
               const std::string& name) {
  for (const Triangle& facet : boundary_facets(mesh))
    complex.sheet.push_back({index_of(complex.triangles, ascending(facet)), facet});
  if (!surface.empty()) complex.sheet = in_order_of(surface, complex, complex.sheet, name);
}
void add_sheet(CoreComplex<2>& complex, const SimplexMesh<2>& mesh, std::span<const Triangle>, const std::string&) {
  for (std::size_t t = 0; t < complex.triangles.size(); ++t)
    complex.sheet.push_back({static_cast<int>(t), complex.triangles[t]});
  complex.outline = boundary_facets(mesh);
}

// Which sheet triangles meet at an edge: two in a closed surface, two or one in a flat mesh. Where a body touches
// itself along an edge there are four or more, and no way leads over it from one to another.
template <int d>
void join_sheet(CoreComplex<d>& complex, const std::string& name) {
  complex.edge_sheet.assign(complex.edges.size(), {-1, -1});
  std::vector<int> uses(complex.edges.size(), 0);
  for (std::size_t i = 0; i < complex.sheet.size(); ++i)
    for (const int e : complex.triangle_edges[std::size_t(complex.sheet[i].triangle)]) {
      auto& pair = complex.edge_sheet[std::size_t(e)];
      const auto before = std::size_t(uses[std::size_t(e)]++);
      if (before < 2)
        pair[before] = static_cast<int>(i);
      else if (d == 3)
        pair[1] = -1;
      else
        fail(Exit::bad_input, "three triangles of {} share the edge from point {} to point {}", name,
             complex.edges[std::size_t(e)][0], complex.edges[std::size_t(e)][1]);
    }
}

}  // namespace

template <int d>
CoreComplex<d> make_core_complex(const SimplexMesh<d>& mesh, std::span<const Triangle> surface,
                                 const std::string& name) {
  check_cells(mesh, name);
  CoreComplex<d> complex;
  complex.points = mesh.points;
  complex.edges = sorted_edges(mesh);
  if constexpr (d == 2)
    complex.triangles = mesh.cells;
  else
    add_tets(complex, mesh, name);
  for (const Triangle& t : complex.triangles)
    complex.triangle_edges.push_back({edge_index(complex.edges, t[1], t[2]), edge_index(complex.edges, t[2], t[0]),
                                      edge_index(complex.edges, t[0], t[1])});
  add_sheet(complex, mesh, surface, name);
  join_sheet(complex, name);
  return complex;
}

template <int d>
RestPoints<d> centers(const CoreComplex<d>& complex) {
  RestPoints<d> rest;
  const auto at = [&](int p) { return complex.points[std::size_t(p)]; };
  rest.along.assign(complex.edges.size(), 0.5);
  rest.inside.assign(complex.triangles.size(), {1. / 3, 1. / 3, 1. / 3});
  for (const auto& e : complex.edges) rest.edge.push_back((at(e[0]) + at(e[1])) * 0.5);
  for (const auto& t : complex.triangles) rest.triangle.push_back((at(t[0]) + at(t[1]) + at(t[2])) / 3.);
  for (const auto& t : complex.tets) rest.tet.push_back((at(t[0]) + at(t[1]) + at(t[2]) + at(t[3])) * 0.25);
  return rest;
}

template CoreComplex<2> make_core_complex(const SimplexMesh<2>&, std::span<const Triangle>, const std::string&);
template CoreComplex<3> make_core_complex(const SimplexMesh<3>&, std::span<const Triangle>, const std::string&);
template RestPoints<2> centers(const CoreComplex<2>&);
template RestPoints<3> centers(const CoreComplex<3>&);

}  // namespace knead
