#include "view/solid_pose.h"

#include <algorithm>

namespace knead {

namespace {

bool names(const std::vector<std::string>& list, const std::string& name) {
  return !name.empty() && std::find(list.begin(), list.end(), name) != list.end();
}

nlohmann::ordered_json pose_json(bool on, const Motion& motion, double time) {
  const Pose pose = motion.pose(time);
  const Vec3d shift = motion.pivot + pose.translation - pose.rotation * motion.pivot;
  nlohmann::ordered_json row = nlohmann::ordered_json::array({on ? 1 : 0});
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 3; ++k) row.push_back(pose.rotation(i, k));
    row.push_back(shift[i]);
  }
  return row;
}

}  // namespace

nlohmann::ordered_json poses_json(const Scene& scene, double time) {
  const std::vector<Event> events = scene.events_in_order();
  const auto is_on = [&](bool at_start, const std::string& name) {
    bool on = at_start;
    for (const Event& e : events) {
      if (e.time > time) break;
      if (names(e.release, name)) on = false;
      if (names(e.enable, name)) on = true;
    }
    return on;
  };
  auto poses = nlohmann::ordered_json::array();
  for (const Collider& c : scene.colliders) poses.push_back(pose_json(is_on(c.enabled, c.name), c.motion, time));
  for (const Grip& g : scene.grips) poses.push_back(pose_json(is_on(true, g.name), g.motion, time));
  return poses;
}

}  // namespace knead
