// Colliders and grips as the page draws them: triangles in 3D, a filled outline in 2D.
#pragma once

#include "geometry/shape.h"

namespace knead {

struct SolidMesh {
  std::vector<Vec3d> points;
  std::vector<std::array<int, 3>> triangles;
  std::vector<std::array<int, 2>> edges;  // of the outline, in 2D
};

// Of the shape as it is drawn, before it moves; what goes on without end is cut off at `box`.
SolidMesh solid_mesh(const Shape& shape, int dimension, const Bounds& box);

}  // namespace knead
