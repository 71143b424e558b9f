#include "view/frame_bytes.h"

#include "render/coloring.h"
#include "scene/quantities.h"
#include "view/packed.h"
#include "view/shade.h"
#include "view/solid_pose.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace knead {

namespace {

using Json = nlohmann::ordered_json;

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

// As large as a particle's share of the matter; in 3D a little more, so that beads close up.
class Radii {
 public:
  explicit Radii(const Frame& frame) : volume_(frame.particles.find("volume")), dimension_(frame.dimension) {
    double least = std::numeric_limits<double>::infinity(), most = 0;
    for (std::size_t i = 0; volume_ && i < frame.particles.count(); ++i) {
      const double share = volume_->value(i);
      least = std::min(least, share), most = std::max(most, share);
    }
    fallback_ = std::pow(frame.dx > 0 ? frame.dx / 2 : 0.01, dimension_);
    common = of_volume(most > 0 ? most : fallback_);
    vary = most > 0 && least < 0.9 * most;
  }
  float of(std::size_t i) const {
    const double share = volume_->value(i);
    return of_volume(share > 0 ? share : fallback_);
  }

  float common = 0;   // of all where they are alike, as they mostly are
  bool vary = false;  // where they are not

 private:
  float of_volume(double volume) const {
    return float(dimension_ == 2 ? std::sqrt(volume / std::numbers::pi)
                                 : 1.2 * std::cbrt(3 * volume / (4 * std::numbers::pi)));
  }
  const Column* volume_;
  int dimension_;
  double fallback_ = 0;
};

// Those that are asked for.
std::vector<std::uint32_t> rows_of(std::size_t count, const FrameRequest& request) {
  const auto stride = std::size_t(request.stride), skip = std::size_t(request.skip);
  std::vector<std::uint32_t> rows;
  rows.reserve(count / stride + 1);
  for (std::size_t i = 0; i < count; i += stride)
    if (!skip || i % skip != 0) rows.push_back(std::uint32_t(i));
  return rows;
}

// As floats, row after row.
std::vector<float> numbers_of(const Column& column, int components, const std::vector<std::uint32_t>& rows) {
  std::vector<float> numbers(rows.size() * std::size_t(components));
  const auto stride = std::size_t(column.components), n = std::size_t(components);
  const auto* from = reinterpret_cast<const float*>(column.data.data());
  float* to = numbers.data();
  for (const std::uint32_t i : rows)
    for (std::size_t c = 0; c < n; ++c)
      *to++ = column.scalar == Scalar::f32 ? from[i * stride + c] : float(column.value(i, int(c)));
  return numbers;
}

void add_numbers(Packed& packed, const std::string& name, const std::vector<float>& numbers, int components) {
  packed.add<float>(name, numbers.size() / std::size_t(components), components,
                    [&numbers](float* to) { std::copy(numbers.begin(), numbers.end(), to); });
}

// Places as whole steps from the lowest corner on, where a step is far less than a particle: half the bytes.
bool add_steps(Packed& packed, const std::vector<float>& x, int dimension, float radius) {
  static constexpr float most = 65535;  // steps
  constexpr float finer = 16;           // than the radius
  std::array<float, 3> low, high, step{};
  low.fill(std::numeric_limits<float>::infinity()), high.fill(-std::numeric_limits<float>::infinity());
  bool finite = !x.empty();
  const auto d = std::size_t(dimension);
  for (std::size_t i = 0; i < x.size(); i += d)
    for (std::size_t c = 0; c < d; ++c) {
      low[c] = std::min(low[c], x[i + c]), high[c] = std::max(high[c], x[i + c]);
      finite = finite && std::isfinite(x[i + c]);
    }
  for (std::size_t c = 0; c < d && finite; ++c) {
    step[c] = std::max((high[c] - low[c]) / most, std::numeric_limits<float>::min());
    finite = std::isfinite(step[c]) && step[c] * finer < radius;
  }
  if (!finite) return false;
  const Json corner(std::vector<float>(low.begin(), low.begin() + dimension));
  const Json steps(std::vector<float>(step.begin(), step.begin() + dimension));
  packed.add<std::uint16_t>("x", x.size() / d, dimension,
                            [&x, d, low, step](std::uint16_t* to) {
                              std::array<float, 3> per{};
                              for (std::size_t c = 0; c < d; ++c) per[c] = 1 / step[c];
                              for (std::size_t i = 0; i < x.size(); i += d)
                                for (std::size_t c = 0; c < d; ++c)
                                  *to++ = std::uint16_t(std::min(most, (x[i + c] - low[c]) * per[c] + 0.5f));
                            },
                            {{"low", corner}, {"step", steps}});
  return true;
}

// of(i) of each row, a whole number.
template <class T, class Of>
void add_indices(Packed& packed, const std::string& name, const std::vector<std::uint32_t>& rows, Of of) {
  packed.add<T>(name, rows.size(), 1,
                [&rows, of](T* to) {
                  for (const std::uint32_t i : rows)
                    *to++ = T(std::clamp(double(of(i)), 0.0, double(std::numeric_limits<T>::max())));
                },
                {{"low", Json::array({0})}, {"step", Json::array({1})}});
}

}  // namespace

std::vector<std::string> columns_for(const Scene& scene, const FrameRequest& request) {
  std::vector<std::string> columns{"x", "body", "volume"};
  columns.push_back(request.place);
  if (request.velocity) columns.push_back("v");
  if (!shows_quantity(request.color)) return columns;
  try {
    for (const std::string& c : columns_for_quantity(scene, request.color)) columns.push_back(c);
    return columns;
  } catch (const Failure&) {
    return {};  // frames of other programs may have columns that the scene does not know
  }
}

std::string frame_bytes(const Scene& scene, const Frame& frame, const FrameRequest& request) {
  const Particles& p = frame.particles;
  const Column *x = p.find(request.place), *v = p.find("v");
  if (!x || x->components != frame.dimension) fail(Exit::bad_input, "the frame has no positions '{}'", request.place);
  const Shade shade = shade_of(scene, frame, request.color);
  const Radii radii(frame);
  const std::vector<std::uint32_t> rows = rows_of(p.count(), request);
  const std::vector<float> places = numbers_of(*x, frame.dimension, rows);
  const std::vector<float> velocities =
      request.velocity && v ? numbers_of(*v, frame.dimension, rows) : std::vector<float>();
  Packed packed;
  if (!request.compact || !add_steps(packed, places, frame.dimension, radii.common))
    add_numbers(packed, "x", places, frame.dimension);
  const bool few = !shows_quantity(request.color) && scene.bodies.size() + scene.sources.size() < 256;
  if (request.compact && few)
    add_indices<std::uint8_t>(packed, "value", rows, [&](std::size_t i) { return shade.values[i]; });
  else
    packed.add<float>("value", rows.size(), 1, [&](float* to) {
      for (const std::uint32_t i : rows) *to++ = shade.values[i];
    });
  if (!velocities.empty()) add_numbers(packed, "v", velocities, frame.dimension);
  if (radii.vary)
    packed.add<float>("radius", rows.size(), 1, [&](float* to) {
      for (const std::uint32_t i : rows) *to++ = radii.of(i);
    });
  return packed.joined({{"number", frame.number},
                        {"time", frame.time},
                        {"step", frame.step},
                        {"dimension", frame.dimension},
                        {"count", p.count()},
                        {"rows", rows.size()},
                        {"stride", request.stride},
                        {"skip", request.skip},
                        {"radius", radii.common},
                        {"color", request.color},
                        {"title", shade.title},
                        {"unit", shade.unit},
                        {"low", number(shade.low)},
                        {"high", number(shade.high)},
                        {"poses", poses_json(scene, frame.time)}});
}

}  // namespace knead
