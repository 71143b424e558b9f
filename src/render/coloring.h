// The colour of each particle: by body, by material, plain, or by the value of a column.
#pragma once

#include "render/colormap.h"
#include "scene/scene.h"
#include "world/particles.h"

#include <optional>
#include <vector>

namespace knead {

// A column as numbers to show: scalars as they are, vectors by their length, matrices by their Frobenius norm, the
// deformation gradient by its determinant.
struct ShownColumn {
  std::string title;  // "|v|", "det F"
  std::string unit;
  std::vector<float> values;
};
bool shows_column(const std::string& color);  // not "body", "material" or "plain"
// Fails (bad_input) where there is no such column, with the nearest name.
ShownColumn shown_column(const Particles& particles, const std::string& name, int dimension);

// Which bodies have the column: all, but for a law's internal variables. The others are drawn grey.
std::vector<bool> bodies_with(const Scene& scene, const std::string& column);

struct Legend {
  std::string title, unit;
  Colormap map;
  double low, high;
};

struct Coloring {
  std::vector<Color> colors;     // a particle
  std::optional<Legend> legend;  // where a column is shown
};
Coloring coloring(const Scene& scene, const Camera& camera, const Particles& particles, double low, double high);

// Of body i where it is drawn by itself: as the user chose, white for snow (tinted for all but the first), else from
// the palette. Matter of sources is numbered behind the bodies.
Color body_color(const Scene& scene, std::size_t i);

}  // namespace knead
