#include "mpm/colliders.h"

namespace knead {

std::vector<Collider> colliders_of(const Scene& scene) {
  std::vector<Collider> colliders = scene.colliders;
  if (!scene.scene.domain) return colliders;
  const Domain& domain = *scene.scene.domain;
  for (int axis = 0; axis < scene.scene.dimension; ++axis)
    for (const bool high : {false, true}) {
      Collider wall;
      wall.name = std::string("domain ") + "xyz"[axis] + (high ? " max" : " min");
      wall.shape.value = Plane{high ? domain.max : domain.min, Vec3d::axis(axis) * (high ? -1.0 : 1.0)};
      wall.contact = domain.contact;
      wall.friction = domain.friction;
      colliders.push_back(std::move(wall));
    }
  return colliders;
}

void ColliderSet::move_to(double time) {
  posed_.clear();
  for (const Collider& c : colliders_) {
    const Pose pose = c.motion.pose(time);
    const Vec3d center = c.motion.pivot + pose.translation;
    posed_.push_back({&c, pose.rotation, transpose(pose.rotation), c.motion.pivot, center,
                      c.motion.velocity_at(center, time), c.motion.angular_velocity(time)});
  }
}

ColliderSet::Some ColliderSet::all() const {
  Some some;
  some.set_ = this;
  some.all_ = true;
  some.count_ = static_cast<int>(posed_.size());
  return some;
}

ColliderSet::Some ColliderSet::near(const Vec3d& center, double radius) const {
  Some some;
  some.set_ = this;
  for (std::size_t i = 0; i < posed_.size(); ++i) {
    if (posed_[i].collider->shape.distance(posed_[i].to_local(center)) > radius + skin_) continue;
    if (some.count_ == static_cast<int>(some.index_.size())) return all();
    some.index_[static_cast<std::size_t>(some.count_++)] = static_cast<int>(i);
  }
  return some;
}

}  // namespace knead
