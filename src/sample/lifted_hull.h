// The weighted Delaunay cells of points, from Qhull.
#pragma once

#include "geometry/simplex_mesh.h"

namespace knead {

// Points are lifted to their squared distance from the origin less their weight (m^2); the cells are the lower side of
// the hull of what results. Without weights they are the Delaunay cells. All have a positive volume; such flatter than
// 1e-7 of `unit`, a length typical of the points, are left out.
template <int d>
std::vector<typename SimplexMesh<d>::Cell> lifted_hull(const std::vector<Vec<double, d>>& points,
                                                       const std::vector<double>& weights, double unit);

}  // namespace knead
