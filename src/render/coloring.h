// The colour of each particle: by body, by material, plain, or by a quantity.
#pragma once

#include "output/frame_file.h"
#include "render/colormap.h"
#include "scene/scene.h"

#include <optional>
#include <vector>

namespace knead {

// A quantity (scene/quantities.h) of each particle.
struct ShownQuantity {
  std::string title;  // "|v|", "det F"
  std::string unit;
  std::vector<float> values;
};
bool shows_quantity(const std::string& color);  // not "body", "material" or "plain"
// Fails (bad_input) where the frame cannot tell it, with the nearest name.
ShownQuantity shown_quantity(const Scene& scene, const Frame& frame, const std::string& text);

// Which bodies have the quantity: all, but for a law's internal variables. The others are drawn grey.
std::vector<bool> bodies_with(const Scene& scene, const Frame& frame, const std::string& quantity);

struct Legend {
  std::string title, unit;
  Colormap map;
  double low, high;
};

struct Coloring {
  std::vector<Color> colors;     // a particle
  std::optional<Legend> legend;  // where a quantity is shown
};
Coloring coloring(const Scene& scene, const Camera& camera, const Frame& frame, double low, double high);

// Of body i where it is drawn by itself: as the user chose, white for snow (tinted for all but the first), else from
// the palette. Matter of sources is numbered behind the bodies.
Color body_color(const Scene& scene, std::size_t i);

}  // namespace knead
