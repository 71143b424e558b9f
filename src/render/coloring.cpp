#include "render/coloring.h"

#include "base/error.h"
#include "base/nearest.h"
#include "base/parallel.h"

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

enum class Entry { scalar, length, frobenius, symmetric, determinant };

Entry entry_of(const Column& column, int dimension) {
  const int n = column.components;
  if (n == 1) return Entry::scalar;
  if (n == dimension) return Entry::length;
  if (n == dimension * dimension) return column.name[0] == 'F' ? Entry::determinant : Entry::frobenius;
  return n == dimension * (dimension + 1) / 2 ? Entry::symmetric : Entry::length;
}

double determinant_of(const Column& c, std::size_t i, int dimension) {
  auto e = [&](int k) { return c.value(i, k); };
  if (dimension == 2) return e(0) * e(3) - e(1) * e(2);
  return determinant(Mat3d{{e(0), e(1), e(2), e(3), e(4), e(5), e(6), e(7), e(8)}});
}

double shown_value(const Column& c, std::size_t i, Entry entry, int dimension) {
  if (entry == Entry::scalar) return c.value(i);
  if (entry == Entry::determinant) return determinant_of(c, i, dimension);
  // Entries off the diagonal of a symmetric tensor stand for two.
  double sum = 0;
  for (int k = 0; k < c.components; ++k)
    sum += (entry == Entry::symmetric && k >= dimension ? 2 : 1) * c.value(i, k) * c.value(i, k);
  return std::sqrt(sum);
}

std::string title_of(const Column& c, Entry entry) {
  if (entry == Entry::scalar) return c.name;
  return entry == Entry::determinant ? "det " + c.name : "|" + c.name + "|";
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

// A law's internal variables mean nothing in bodies that are never of a law that has them.
std::vector<bool> bodies_with(const Scene& scene, const std::string& column) {
  const auto has = [&](int material) {
    if (material < 0) return false;
    const auto columns = history_columns_of(scene.materials[std::size_t(material)].material);
    return std::any_of(columns.begin(), columns.end(), [&](const HistoryColumn& h) { return column == h.name; });
  };
  bool internal = false;
  for (std::size_t m = 0; m < scene.materials.size(); ++m) internal = internal || has(int(m));
  std::vector<bool> with(scene.bodies.size() + scene.sources.size(), !internal);
  for (std::size_t b = 0; internal && b < scene.bodies.size(); ++b) {
    with[b] = has(scene.bodies[b].material_index);
    for (const Event& e : scene.events)
      if (e.body_index == int(b) && has(e.material_index)) with[b] = true;
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

bool shows_column(const std::string& color) { return color != "body" && color != "material" && color != "plain"; }

ShownColumn shown_column(const Particles& particles, const std::string& name, int dimension) {
  const Column* column = particles.find(name);
  if (!column) {
    std::vector<std::string> names{"body", "material", "plain"};
    for (const Column& c : particles.columns())
      if (shows_column(c.name)) names.push_back(c.name);
    std::string list;
    for (const std::string& n : names) list += (list.empty() ? "" : ", ") + n;
    fail(Exit::bad_input, "color: the frames have no column '{}'{}; there are {}", name, did_you_mean(name, names),
         list);
  }
  const Entry entry = entry_of(*column, dimension);
  ShownColumn shown{title_of(*column, entry), column->unit, std::vector<float>(particles.count())};
  if (entry == Entry::determinant) shown.unit.clear();
  parallel_for(particles.count(), 8192,
               [&](std::size_t i) { shown.values[i] = float(shown_value(*column, i, entry, dimension)); });
  return shown;
}

Coloring coloring(const Scene& scene, const Camera& camera, const Particles& particles, double low, double high) {
  Coloring result{std::vector<Color>(particles.count(), plain_color(scene)), {}};
  if (!shows_column(camera.color)) {
    const std::vector<Color> of_body = colors_of_bodies(scene, camera.color);
    const Column* body = particles.find("body");
    for (std::size_t i = 0; i < particles.count() && body; ++i) {
      const double b = body->value(i);
      if (b >= 0 && b < double(of_body.size())) result.colors[i] = of_body[std::size_t(b)];
    }
    return result;
  }
  const ShownColumn shown = shown_column(particles, camera.color, scene.scene.dimension);
  const Legend legend{shown.title, shown.unit, Colormap(camera.colormap), low, high};
  const double span = high > low ? high - low : 1;
  const std::vector<bool> with = bodies_with(scene, camera.color);
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
