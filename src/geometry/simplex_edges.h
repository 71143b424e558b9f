// The edges of a mesh of triangles or tetrahedra, in the one order that everything counts them in.
#pragma once

#include "geometry/simplex_mesh.h"

namespace knead {

// Each edge once, its lower vertex first, ascending by lower and then by upper vertex. Caches that hold a number an
// edge hold them in this order.
template <int d>
std::vector<std::array<int, 2>> sorted_edges(const SimplexMesh<d>& mesh);

extern template std::vector<std::array<int, 2>> sorted_edges(const SimplexMesh<2>&);
extern template std::vector<std::array<int, 2>> sorted_edges(const SimplexMesh<3>&);

}  // namespace knead
