#include "scene/presence.h"

#include <algorithm>
#include <cmath>

namespace knead {

bool is_there(const Scene& scene, const Collider& collider, double time) {
  bool there = collider.enabled;
  const auto names = [&](const std::vector<std::string>& list) {
    return std::find(list.begin(), list.end(), collider.name) != list.end();
  };
  for (const Event& event : scene.events_in_order()) {
    if (event.time > time) break;
    if (names(event.release)) there = false;
    if (names(event.enable)) there = true;
  }
  return there;
}

namespace {

// Follows a ray by the distance to the nearest surface. Who starts inside is not on top of anything.
bool meets(const Collider& collider, Vec3d x, const Vec3d& direction, double step) {
  constexpr int most_steps = 400;
  if (collider.distance(x, 0) < 0) return false;
  for (int i = 0; i < most_steps; ++i) {
    const double distance = collider.distance(x, 0);
    if (distance < 0) return true;
    x += direction * std::max(distance, step);
  }
  return false;
}

bool lands(const Collider& collider, const Bounds& from, const Vec3d& down, int dim) {
  constexpr int n = 5;
  double size = 0;
  for (int k = 0; k < dim; ++k) size = std::max(size, from.size()[k]);
  const double step = 0.002 * size;
  for (int at = 0; at < (dim == 2 ? n * n : n * n * n); ++at) {
    const int place[3] = {at % n, at / n % n, at / n / n};
    Vec3d x{};
    for (int k = 0; k < dim; ++k) x[k] = from.lo[k] + place[k] * from.size()[k] / (n - 1);
    if (meets(collider, x, down, step)) return true;
  }
  return false;
}

}  // namespace

bool can_land(const Scene& scene, const Vec3d& down) {
  const int dim = scene.scene.dimension;
  if (scene.scene.domain) return true;
  for (const Collider& c : scene.colliders) {
    if (c.motion.moves()) return true;
    for (const Body& body : scene.bodies)
      if (lands(c, body.shape.bounds(dim), down, dim)) return true;
  }
  return false;
}

}  // namespace knead
