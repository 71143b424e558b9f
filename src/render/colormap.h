// From a number between 0 and 1 to a colour.
#pragma once

#include "render/image.h"

#include <span>
#include <string>
#include <string_view>

namespace knead {

// viridis, magma, coolwarm, grey.
std::span<const char* const> colormap_names();

class Colormap {
 public:
  // Fails (bad_input) on an unknown name, with the nearest.
  explicit Colormap(std::string_view name);
  Color operator()(double t) const;  // t is held within [0, 1]

 private:
  std::span<const Color> anchors_;
};

// Colours that are easy to tell apart, for things that are counted and not measured.
Color palette_color(std::size_t i);

}  // namespace knead
