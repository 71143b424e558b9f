#include "view/frame_bytes.h"

#include "render/coloring.h"
#include "view/solid_pose.h"

#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>
#include <numbers>

namespace knead {

namespace {

using Json = nlohmann::ordered_json;

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

// What the colour of each particle is made from: the index of its body or material, or the value of a column, which is
// no number in bodies that have none.
struct Shade {
  std::string title, unit;
  std::vector<float> values;
  double low = 0, high = 0;  // of what is finite
};

Shade shade_of(const Scene& scene, const Frame& frame, const std::string& color) {
  const Particles& p = frame.particles;
  const Column* body = p.find("body");
  Shade shade{color, "", std::vector<float>(p.count(), 0.f)};
  if (color == "plain") return shade;
  if (!shows_column(color)) {
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
  ShownColumn shown = shown_column(p, color, frame.dimension);
  shade.title = shown.title, shade.unit = shown.unit, shade.values = std::move(shown.values);
  const std::vector<bool> with = bodies_with(scene, color);
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

// As large as a particle's share of the matter; in 3D a little more, so that beads close up.
float radius_of(double volume, int dimension) {
  return float(dimension == 2 ? std::sqrt(volume / std::numbers::pi)
                              : 1.2 * std::cbrt(3 * volume / (4 * std::numbers::pi)));
}

// The arrays in the order of adding: planned first and written once, since they may be large.
class Arrays {
 public:
  Arrays(std::size_t count, const FrameRequest& request) {
    const auto stride = std::size_t(request.stride), skip = std::size_t(request.skip);
    for (std::size_t i = 0; i < count; i += stride)
      if (!skip || i % skip != 0) rows_.push_back(std::uint32_t(i));
  }
  std::size_t rows() const { return rows_.size(); }

  void add(const std::string& name, const Column& column, int components) {
    plan(name, components, [this, &column, n = std::size_t(components)](float* to) {
      const auto stride = std::size_t(column.components);
      const auto* from = reinterpret_cast<const float*>(column.data.data());
      for (const std::uint32_t i : rows_)
        for (std::size_t c = 0; c < n; ++c)
          *to++ = column.scalar == Scalar::f32 ? from[i * stride + c] : float(column.value(i, int(c)));
    });
  }
  void add(const std::string& name, const std::vector<float>& values) {
    plan(name, 1, [this, &values](float* to) {
      for (const std::uint32_t i : rows_) *to++ = values[i];
    });
  }

  std::string joined(Json description) const {
    description["arrays"] = Json::array();
    std::size_t floats = 0;
    for (const Planned& p : planned_) {
      description["arrays"].push_back({{"name", p.name}, {"components", p.components}});
      floats += rows_.size() * std::size_t(p.components);
    }
    std::string text = description.dump();
    text.resize((text.size() + 3) / 4 * 4, ' ');
    const auto length = std::uint32_t(text.size());
    std::string bytes = "KNEADFR1";
    bytes.reserve(12 + text.size() + floats * sizeof(float));
    bytes.append(reinterpret_cast<const char*>(&length), sizeof length).append(text);
    std::vector<float> piece;
    for (const Planned& p : planned_) {
      piece.resize(rows_.size() * std::size_t(p.components));
      p.fill(piece.data());
      bytes.append(reinterpret_cast<const char*>(piece.data()), piece.size() * sizeof(float));
    }
    return bytes;
  }

 private:
  struct Planned {
    std::string name;
    int components;
    std::function<void(float*)> fill;
  };
  void plan(const std::string& name, int components, std::function<void(float*)> fill) {
    planned_.push_back({name, components, std::move(fill)});
  }
  std::vector<std::uint32_t> rows_;
  std::vector<Planned> planned_;
};

}  // namespace

std::vector<std::string> columns_for(const FrameRequest& request) {
  std::vector<std::string> columns{"x", "body", "volume"};
  columns.push_back(request.place);
  if (request.velocity) columns.push_back("v");
  if (shows_column(request.color)) columns.push_back(request.color);
  return columns;
}

std::string frame_bytes(const Scene& scene, const Frame& frame, const FrameRequest& request) {
  const Particles& p = frame.particles;
  const Column *x = p.find(request.place), *v = p.find("v"), *volume = p.find("volume");
  if (!x || x->components != frame.dimension) fail(Exit::bad_input, "the frame has no places '{}'", request.place);
  const Shade shade = shade_of(scene, frame, request.color);
  Arrays arrays(p.count(), request);
  arrays.add("x", *x, frame.dimension);
  arrays.add("value", shade.values);
  if (request.velocity && v) arrays.add("v", *v, frame.dimension);

  // One radius for all where they are alike, as they mostly are.
  double least = std::numeric_limits<double>::infinity(), most = 0;
  for (std::size_t i = 0; volume && i < p.count(); ++i) {
    const double share = volume->value(i);
    least = std::min(least, share), most = std::max(most, share);
  }
  const double fallback = std::pow(frame.dx > 0 ? frame.dx / 2 : 0.01, frame.dimension);
  const double common = most > 0 ? most : fallback;
  std::vector<float> radii;
  if (most > 0 && least < 0.9 * most) {
    radii.resize(p.count());
    for (std::size_t i = 0; i < p.count(); ++i)
      radii[i] = radius_of(volume->value(i) > 0 ? volume->value(i) : fallback, frame.dimension);
    arrays.add("radius", radii);
  }
  return arrays.joined({{"number", frame.number},
                        {"time", frame.time},
                        {"step", frame.step},
                        {"dimension", frame.dimension},
                        {"count", p.count()},
                        {"rows", arrays.rows()},
                        {"stride", request.stride},
                        {"skip", request.skip},
                        {"radius", radius_of(common, frame.dimension)},
                        {"color", request.color},
                        {"title", shade.title},
                        {"unit", shade.unit},
                        {"low", number(shade.low)},
                        {"high", number(shade.high)},
                        {"poses", poses_json(scene, frame.time)}});
}

}  // namespace knead
