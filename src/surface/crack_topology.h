// What hangs together once some edges of the mesh are broken (Wang 2020, section 3.5.1). Every core has a copy of each
// point that it touches; where an edge ab is not broken, the copies of a and b of every point that lies at both (the
// edge's, its triangles', its tetrahedra's) are one. What is one is a node, and the surface of the whole is made of
// nodes: closed, with two sides at every edge, whichever edges are broken.
//
// Copies of different points are never united, so that the union-find of the source falls into one of at most four
// members a feature, whose outcome is looked up by the pattern of broken edges.
#pragma once

#include "surface/core_complex.h"

namespace knead {

// One node: the copies of a feature's point that some of its vertices share.
struct CoreNode {
  std::int32_t feature = 0;    // which edge, triangle or tetrahedron
  std::uint8_t dimension = 0;  // 1, 2 or 3
  std::uint8_t members = 0;    // a bit a corner of the feature, in its order
};

// The vertices of the mesh are the first nodes, always their own; then come, for every feature with a broken edge, its
// nodes. A feature without one has a single node that no crack reaches, and is left out.
template <int d>
struct CrackTopology {
  std::vector<std::uint8_t> triangle_broken, tet_broken;   // a bit an edge of the feature
  std::vector<int> edge_first, triangle_first, tet_first;  // the feature's first node; -1: no edge of it is broken
  std::vector<CoreNode> nodes;                             // those behind the vertices
  std::vector<std::array<int, 4>> quads;  // 3D: the crack, as nodes e, f, t, f', seen from the gap against the clock
  std::vector<std::array<int, 2>> lines;  // 2D: the crack, as nodes from and to, matter to the left

  // The node that vertex `p` has of an edge, a triangle or a tetrahedron with a broken edge.
  int edge_node(const CoreComplex<d>& complex, int edge, int p) const;
  int triangle_node(const CoreComplex<d>& complex, int triangle, int p) const;
  int tet_node(const CoreComplex<d>& complex, int tet, int p) const;
};

// `broken` has a number an edge, not 0 for those that are.
template <int d>
CrackTopology<d> make_crack_topology(const CoreComplex<d>& complex, std::span<const std::uint8_t> broken);

// All nodes, also those of features without a broken edge: V + E + F + T where nothing is broken, V + 2E + 3F + 4T
// where everything is.
template <int d>
std::size_t count_nodes(const CoreComplex<d>& complex, const CrackTopology<d>& topology);

}  // namespace knead
