#include "view/shade.h"

#include "render/coloring.h"

#include <algorithm>
#include <cmath>

namespace knead {

Shade shade_of(const Scene& scene, const Frame& frame, const std::string& color) {
  const Particles& p = frame.particles;
  const Column* body = p.find("body");
  Shade shade{color, "", std::vector<float>(p.count(), 0.f)};
  if (color == "plain") return shade;
  if (!shows_quantity(color)) {
    std::vector<int> materials;  // of the bodies, and then of the sources
    for (const Body& b : scene.bodies) materials.push_back(b.material_index);
    for (const Source& s : scene.sources) materials.push_back(s.material_index);
    for (std::size_t i = 0; i < p.count() && body; ++i) {
      const double b = body->value(i);
      const bool known = b >= 0 && b < double(materials.size());
      shade.values[i] = float(color == "material" ? (known ? materials[std::size_t(b)] : -1) : b);
    }
    return shade;
  }
  ShownQuantity shown = shown_quantity(scene, frame, color);
  shade.title = shown.title, shade.unit = shown.unit, shade.values = std::move(shown.values);
  const std::vector<bool> with = bodies_with(scene, frame, color);
  float low = std::numeric_limits<float>::infinity(), high = -low;
  for (std::size_t i = 0; i < p.count(); ++i) {
    const double b = body ? body->value(i) : -1;
    float& value = shade.values[i];
    if (b >= 0 && b < double(with.size()) && !with[std::size_t(b)]) value = std::numeric_limits<float>::quiet_NaN();
    if (std::isfinite(value)) low = std::min(low, value), high = std::max(high, value);
  }
  if (low <= high) shade.low = low, shade.high = high;
  return shade;
}

}  // namespace knead
