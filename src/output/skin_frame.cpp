#include "output/skin_frame.h"

#include "base/elementary.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace knead {

namespace {

struct Points {
  std::vector<Vec3d> x;
  std::vector<double> sizes;
  std::vector<std::size_t> rows;  // of the frame
};

// By the number of their body; one body where the frame does not tell them apart.
std::map<std::int32_t, Points> points_of(const Frame& frame, std::span<const std::int32_t> without) {
  const Column *x = frame.particles.find("x"), *volume = frame.particles.find("volume"),
               *body = frame.particles.find("body");
  // Not of one frame alone: a run has the same columns in all of them.
  if (!volume)
    fail(Exit::usage,
         "the run's frames have no column 'volume', which a skin needs for the size of particles; add it to "
         "output.columns and run the scene again");
  std::map<std::int32_t, Points> bodies;
  for (std::size_t i = 0; i < frame.particles.count(); ++i) {
    const std::int32_t of = body ? static_cast<std::int32_t>(body->value(i)) : 0;
    if (std::find(without.begin(), without.end(), of) != without.end()) continue;
    Points& points = bodies[of];
    Vec3d at{};
    for (int a = 0; a < frame.dimension; ++a) at[a] = x->value(i, a);
    points.x.push_back(at);
    points.sizes.push_back(elementary::pow(volume->value(i), 1.0 / frame.dimension));
    points.rows.push_back(i);
  }
  return bodies;
}

// Matter of sources is numbered behind the bodies.
std::string name_of_matter(const Scene& scene, std::size_t number) {
  if (number < scene.bodies.size()) return scene.bodies[number].name;
  number -= scene.bodies.size();
  return number < scene.sources.size() ? scene.sources[number].name : fmt::format("matter {}", number);
}

}  // namespace

SurfaceFrame skin_frame(const Frame& frame, const Scene& scene, const SkinOptions& options,
                        std::span<const std::int32_t> without) {
  SurfaceFrame skins{frame.number, frame.time, {}};
  for (auto& [body, points] : points_of(frame, without)) {
    std::vector<double> sorted = points.sizes;
    std::nth_element(sorted.begin(), sorted.begin() + std::ssize(sorted) / 2, sorted.end());
    const double size = sorted[sorted.size() / 2];
    if (!(size > 0)) fail(Exit::bad_input, "frame {}: the particles have no volume", frame.number);
    for (double& s : points.sizes) s *= options.radius;
    const double largest = *std::max_element(points.sizes.begin(), points.sizes.end());
    NamedSurface surface;
    surface.body = body;
    surface.name = name_of_matter(scene, static_cast<std::size_t>(body));
    const SkinSpec spec{options.cell * size, std::max(2.5 * size, 2 * largest), std::max(1.1 * size, largest)};
    surface.mesh = skin_of(points.x, points.sizes, frame.dimension, spec);
    surface.rows = std::move(points.rows);
    skins.bodies.push_back(std::move(surface));
  }
  return skins;
}

}  // namespace knead
