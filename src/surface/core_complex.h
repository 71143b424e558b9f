// The cores of particles: a mesh whose vertices are particles is cut into one piece a particle (Wang 2020, section
// 3.5.1). Every edge, triangle and tetrahedron has a point, by default its centre; a tetrahedron abcd is cut into four
// cuboids, that of a with the corners a, e_ab e_ac e_ad, f_abc f_abd f_acd and t, and the core of a is the union of its
// cuboids. A triangle in 2D is cut likewise into three quads.
//
// Which vertices, edges, triangles and tetrahedra there are, and which lie at which.
#pragma once

#include "geometry/simplex_mesh.h"

#include <cstdint>
#include <span>
#include <string>

namespace knead {

// A triangle that is seen from outside: in 3D one of the boundary, in 2D every cell of the mesh.
struct SheetTriangle {
  int triangle = 0;            // which of the complex
  std::array<int, 3> corners;  // against the clock, seen from outside
};

template <int d>
struct CoreComplex {
  using Edge = std::array<int, 2>;
  using Triangle = std::array<int, 3>;
  using Tet = std::array<int, 4>;

  std::vector<Vec<double, d>> points;         // m, of the vertices, at rest
  std::vector<Edge> edges;                    // as sorted_edges() has them
  std::vector<Triangle> triangles;            // in 2D the cells; in 3D ascending corners, ascending
  std::vector<Triangle> triangle_edges;       // the edge opposite to each corner
  std::vector<Tet> tets;                      // in 3D the cells; in 2D none
  std::vector<std::array<int, 6>> tet_edges;  // between the corners 01, 02, 03, 12, 13, 23
  std::vector<Tet> tet_triangles;             // opposite to each corner
  std::vector<SheetTriangle> sheet;
  // The one or two sheet triangles at an edge, -1 for none; of more, where a body touches itself, the first alone.
  std::vector<std::array<int, 2>> edge_sheet;
  std::vector<Edge> outline;  // 2D: edges of the boundary, the inside to their left; 3D: none
};

// `surface` lists the boundary's triangles as an input file has them, in its order and each from a corner of its
// choice; empty: in the order of the cells. Fails (bad_input) where a cell has no volume or is turned inside out, where
// more than two cells share a side, and where the triangles are not the boundary's. `name` is what messages call the
// mesh.
template <int d>
CoreComplex<d> make_core_complex(const SimplexMesh<d>& mesh, std::span<const std::array<int, 3>> surface = {},
                                 const std::string& name = "the mesh");

// Where in a feature a vertex stands.
template <std::size_t n>
int slot_of(const std::array<int, n>& corners, int vertex) {
  for (std::size_t i = 0; i + 1 < n; ++i)
    if (corners[i] == vertex) return static_cast<int>(i);
  return static_cast<int>(n - 1);
}

// The points of edges, triangles and tetrahedra at rest, which smoothing moves within their edge, triangle,
// tetrahedron.
template <int d>
struct RestPoints {
  std::vector<double> along;                        // of edges: the share of the upper vertex
  std::vector<std::array<double, 3>> inside;        // of triangles: the share of each corner
  std::vector<Vec<double, d>> edge, triangle, tet;  // m, where they are
};

// All at their centres.
template <int d>
RestPoints<d> centers(const CoreComplex<d>& complex);

}  // namespace knead
