#include "render/coloring.h"

#include "base/error.h"
#include "base/parallel.h"
#include "world/quantities.h"

#include <algorithm>
#include <cmath>

namespace knead {
namespace {

// Snow is white where it has shadows; on the white paper of 2D pictures it is a pale blue.
Color snow_color(const Scene& scene) {
  return scene.scene.dimension == 2 ? Color{128, 166, 208} : Color{238, 242, 248};
}
// Beside a first body of snow, others are tinted so that they can be told apart.
Color further_snow_color(const Scene& scene, std::size_t i) { return mixed(snow_color(scene), palette_color(i), 0.45); }
Color plain_color(const Scene& scene) {
  return scene.scene.dimension == 2 ? Color{96, 112, 136} : Color{224, 228, 234};
}

bool is_snow(const Scene& scene, const Body& body) {
  return body.material_index >= 0 && name_of(scene.materials[std::size_t(body.material_index)].material) == "snow";
}

std::vector<Color> colors_of_bodies(const Scene& scene, const std::string& color) {
  std::vector<Color> colors;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    const Body& body = scene.bodies[i];
    if (color == "body")
      colors.push_back(body_color(scene, i));
    else if (color == "plain")
      colors.push_back(plain_color(scene));
    else
      colors.push_back(is_snow(scene, body) ? snow_color(scene)
                                            : palette_color(std::size_t(std::max(0, body.material_index))));
  }
  for (std::size_t i = 0; i < scene.sources.size(); ++i)
    colors.push_back(color == "plain" && !scene.sources[i].color ? plain_color(scene)
                                                                 : body_color(scene, scene.bodies.size() + i));
  return colors;
}

constexpr Color without_value{150, 150, 150};

}  // namespace

// A law's internal variables mean nothing in bodies that are never of a law that has them. Frames of other programs may
// have columns that the scene does not know.
std::vector<bool> bodies_with(const Scene& scene, const Frame& frame, const std::string& quantity) {
  std::vector<bool> with(scene.bodies.size() + scene.sources.size(), true);
  for (const std::string& name : names_in_quantity(quantity, quantity_names(frame.particles, frame.dimension))) {
    const auto has = [&](int material) {
      if (material < 0) return false;
      const auto columns = history_columns_of(scene.materials[std::size_t(material)].material);
      return std::any_of(columns.begin(), columns.end(), [&](const HistoryColumn& h) { return name == h.name; });
    };
    bool internal = false;
    for (std::size_t m = 0; m < scene.materials.size(); ++m) internal = internal || has(int(m));
    if (!internal) continue;
    for (std::size_t b = 0; b < with.size(); ++b) {
      bool known = b < scene.bodies.size() && has(scene.bodies[b].material_index);
      for (const Event& e : scene.events) known = known || (e.body_index == int(b) && has(e.material_index));
      with[b] = with[b] && known;
    }
  }
  return with;
}

Color body_color(const Scene& scene, std::size_t i) {
  if (i >= scene.bodies.size()) {
    const auto& color = scene.sources[i - scene.bodies.size()].color;
    return color ? color_of(*color) : palette_color(i);
  }
  const Body& body = scene.bodies[i];
  if (body.color) return color_of(*body.color);
  if (!is_snow(scene, body)) return palette_color(i);
  for (std::size_t k = 0; k < i; ++k)
    if (!scene.bodies[k].color && is_snow(scene, scene.bodies[k])) return further_snow_color(scene, i);
  return snow_color(scene);
}

bool shows_quantity(const std::string& color) { return color != "body" && color != "material" && color != "plain"; }

ShownQuantity shown_quantity(const Scene& scene, const Frame& frame, const std::string& text) {
  const Particles& particles = frame.particles;
  try {
    const Quantity quantity(text, particles, frame.dimension,
                            volume_ratio_of(scene, particles, frame.dimension, frame.time));
    return {quantity.title, quantity.unit, values_of(quantity, particles.count())};
  } catch (const Failure& failure) {
    fail(failure.code, "color: {}; a colour may also be material or plain", failure.what());
  }
}

Coloring coloring(const Scene& scene, const Camera& camera, const Frame& frame, double low, double high) {
  const Particles& particles = frame.particles;
  Coloring result{std::vector<Color>(particles.count(), plain_color(scene)), {}};
  if (!shows_quantity(camera.color)) {
    const std::vector<Color> of_body = colors_of_bodies(scene, camera.color);
    const Column* body = particles.find("body");
    for (std::size_t i = 0; i < particles.count() && body; ++i) {
      const double b = body->value(i);
      if (b >= 0 && b < double(of_body.size())) result.colors[i] = of_body[std::size_t(b)];
    }
    return result;
  }
  const ShownQuantity shown = shown_quantity(scene, frame, camera.color);
  const Legend legend{shown.title, shown.unit, Colormap(camera.colormap), low, high};
  const double span = high > low ? high - low : 1;
  const std::vector<bool> with = bodies_with(scene, frame, camera.color);
  const Column* body = particles.find("body");
  parallel_for(particles.count(), 8192, [&](std::size_t i) {
    const double b = body ? body->value(i) : -1;
    const bool grey = b >= 0 && b < double(with.size()) && !with[std::size_t(b)];
    result.colors[i] = grey ? without_value : legend.map((shown.values[i] - low) / span);
  });
  result.legend = legend;
  return result;
}

}  // namespace knead
