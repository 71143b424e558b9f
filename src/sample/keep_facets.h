// Making given triangles sides of the cells of a tetrahedral mesh by flips.
#pragma once

#include "geometry/simplex_mesh.h"

namespace knead {

// Edges of facets that are missing come in by exchanging edges and sides in their way, as long as all cells keep a
// volume, with more points inside where nothing else helps; facets whose edges are there by taking the edges that
// pierce them away. True where anything changed; what could not be had stays missing. 3D only.
bool keep_facets(SimplexMesh<3>& mesh, const std::vector<std::array<int, 3>>& facets, double edge);
inline bool keep_facets(SimplexMesh<2>&, const std::vector<std::array<int, 2>>&, double) { return false; }

}  // namespace knead
