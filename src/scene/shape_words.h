// Further words for shapes, which the reader turns into the usual ones: any shape may be turned and moved, and a box
// said by two corners.
#pragma once

#include "geometry/shape.h"
#include "scene/node.h"

namespace knead {

// The keys that a shape of this table has besides its own.
std::vector<const Field*> further_fields(const Table& shape);

// What they say.
struct ShapeWords {
  std::optional<Vec3d> min, max;           // m
  std::optional<Vec3d> rotate, translate;  // axis-angle; m
  static const Table& table();
};

// Changes a shape that has been read without them; what is wrong, or nothing.
std::string apply(const ShapeWords& words, int dimension, Shape& shape);

}  // namespace knead
