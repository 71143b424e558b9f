#include "scene/presence.h"

#include <algorithm>

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

}  // namespace knead
