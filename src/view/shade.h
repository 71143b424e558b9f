// What the colours of the page are made from: a number a particle.
#pragma once

#include "output/frame_file.h"
#include "scene/scene.h"

namespace knead {

// The index of the body or material, or the value of a column, which is no number in bodies that have none.
struct Shade {
  std::string title, unit;
  std::vector<float> values;
  double low = 0, high = 0;  // of what is finite
};

// `color` is as in Camera::color. Fails (bad_input) where the frame lacks the column.
Shade shade_of(const Scene& scene, const Frame& frame, const std::string& color);

}  // namespace knead
