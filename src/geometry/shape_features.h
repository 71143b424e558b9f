// The sharp edges and corners of a shape, for meshes that keep them.
#pragma once

#include "geometry/shape.h"

#include <array>

namespace knead {

// A straight piece of a sharp edge, with the outward normals of the two smooth sides that meet there. In 2D a corner:
// both ends are the same point.
struct SharpEdge {
  Vec3d from, to;
  std::array<Vec3d, 2> normals;
};

struct Features {
  std::vector<SharpEdge> edges;
  std::vector<Vec3d> corners;  // where sharp edges end or meet, and tips
};

// Surfaces of a mesh that meet at less than this angle, in degrees, count as smooth.
inline constexpr double sharp_angle = 40;

// Of a prepared shape. Round edges are cut into many short pieces. The edges where parts of a union, difference or
// intersection meet (shape_meetings.h) are looked for in pieces of `spacing`; where that is 0, only those that are
// edges of a part as well are known.
Features features_of(const Shape& shape, int dim, double spacing = 0);

}  // namespace knead
