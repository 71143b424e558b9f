// Meshes of the inside of a body: triangles in 2D, tetrahedra in 3D.
#pragma once

#include "base/vec.h"

#include <array>
#include <vector>

namespace knead {

template <int d>
struct SimplexMesh {
  using Cell = std::array<int, d + 1>;  // corners, of positive volume in this order
  using Facet = std::array<int, d>;  // a side of a cell that no other cell shares, seen from outside against the clock

  std::vector<Vec<double, d>> points;
  std::vector<Cell> cells;
};

}  // namespace knead
