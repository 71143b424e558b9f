// What stays the same over a film.
#include "base/error.h"
#include "render/coloring.h"
#include "render/render.h"
#include "render/view.h"

#include <algorithm>
#include <cmath>

namespace knead {
namespace {

// The range of the values without the outermost `part` on either side; empty where there is none.
std::pair<double, double> range_without(std::vector<float> values, double part) {
  std::erase_if(values, [](float v) { return !std::isfinite(v); });
  if (values.empty()) return {Bounds::infinity, -Bounds::infinity};
  const auto cut = std::ptrdiff_t(part * double(values.size()));
  const auto last = std::ptrdiff_t(values.size()) - 1;
  std::nth_element(values.begin(), values.begin() + cut, values.end());
  const double low = values[std::size_t(cut)];
  std::nth_element(values.begin(), values.begin() + (last - cut), values.end());
  return {low, values[std::size_t(last - cut)]};
}

// But for the outermost `strays`, a share, along each axis, and what lies a hundred times as far away as most.
Bounds particle_bounds(const Frame& frame, double strays) {
  Bounds bounds;
  const Column* x = frame.particles.find("x");
  if (!x || frame.particles.count() == 0) return bounds;
  std::vector<float> values(frame.particles.count());
  for (int k = 0; k < frame.dimension; ++k) {
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = float(x->value(i, k));
    const auto [low, high] = range_without(values, strays);
    const auto [most_low, most_high] = range_without(values, 0.1);
    const double fence = 100 * (most_high - most_low);
    bounds.lo[k] = std::max(low, most_low - fence);
    bounds.hi[k] = std::min(high, most_high + fence);
  }
  if (frame.dimension == 2) bounds.lo[2] = bounds.hi[2] = 0;
  return bounds;
}

Bounds collider_bounds(const Collider& collider, int dimension, double time) {
  const Bounds local = collider.shape.bounds(dimension);
  if (local.empty(dimension) || !local.finite(dimension)) return {};
  Bounds world;
  for (int i = 0; i < 8; ++i) {
    Vec3d corner{};
    for (int k = 0; k < dimension; ++k) corner[k] = (i >> k) & 1 ? local.hi[k] : local.lo[k];
    world.add(collider.motion.to_world(corner, time));
  }
  return world;
}

// Some particles of the frame, none of them a stray.
void add_points(std::vector<Vec3d>& points, const Frame& frame, const Bounds& inside) {
  const Column* x = frame.particles.find("x");
  const std::size_t step = frame.particles.count() / 2000 + 1;
  for (std::size_t i = 0; x && i < frame.particles.count(); i += step) {
    const Vec3d p{x->value(i, 0), x->value(i, 1), frame.dimension == 3 ? x->value(i, 2) : 0};
    if (inside.contains(p, frame.dimension)) points.push_back(p);
  }
}

}  // namespace

Camera camera_for(const Scene& scene, const RenderOptions& options) {
  Camera camera = scene.camera;
  if (options.width) camera.width = *options.width;
  if (options.height) camera.height = *options.height;
  if (options.samples) camera.samples = *options.samples;
  if (options.color) camera.color = *options.color;
  if (options.colormap) camera.colormap = *options.colormap;
  if (options.low) camera.low = options.low;
  if (options.high) camera.high = options.high;
  static_cast<void>(Colormap(camera.colormap));  // refuses unknown names, whether colours are mapped or not
  if (camera.low && camera.high && !(*camera.low < *camera.high))
    fail(Exit::bad_input, "colours from {} to {}: the low end must be below the high end", *camera.low, *camera.high);
  if (camera.width < 16 || camera.height < 16 || camera.width > 16384 || camera.height > 16384)
    fail(Exit::bad_input, "a picture of {} x {} pixels: each side must be 16 to 16384", camera.width, camera.height);
  if (camera.samples < 1 || camera.samples > 4096)
    fail(Exit::bad_input, "{} samples per pixel: must be 1 to 4096", camera.samples);
  return camera;
}

void extend(FilmRange& film, const Scene& scene, const Frame& frame, const RenderOptions& options) {
  const int dimension = frame.dimension;
  const bool splashes = scene.solver.traits().inflow;
  const Bounds matter = particle_bounds(frame, splashes ? 1e-4 : 0.002);
  if (!matter.empty(dimension)) film.bounds.add(matter);
  if (splashes && !matter.empty(dimension))
    add_corners(film.points, matter);  // its outermost drops are in no sample
  else
    add_points(film.points, frame, matter);
  // Colliders count where they are not much larger than what they meet.
  const double size = film.bounds.empty(dimension) ? 0 : length(film.bounds.size());
  for (const Collider& c : scene.colliders) {
    const Bounds b = collider_bounds(c, dimension, frame.time);
    if (!c.is_drawn() || b.empty(dimension) || (size > 0 && length(b.size()) > 1.5 * size)) continue;
    film.bounds.add(b);
    add_corners(film.points, b);
  }
  const Camera camera = camera_for(scene, options);
  if (shows_quantity(camera.color)) {
    std::vector<float> values = shown_quantity(scene, frame, camera.color).values;
    const std::vector<bool> with = bodies_with(scene, frame, camera.color);
    if (const Column* body = frame.particles.find("body"))
      for (std::size_t i = 0; i < values.size(); ++i)
        if (const double b = body->value(i); b >= 0 && b < double(with.size()) && !with[std::size_t(b)])
          values[i] = std::numeric_limits<float>::quiet_NaN();
    const auto [low, high] = range_without(std::move(values), 0.002);
    film.low = std::min(film.low, low), film.high = std::max(film.high, high);
  }
  if (frame.particles.find("v"))
    film.speed = std::max(film.speed, range_without(shown_quantity(scene, frame, "v").values, 0.002).second);
}

}  // namespace knead
