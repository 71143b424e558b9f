#include "world/colliders.h"

namespace knead {

namespace {

std::vector<Collider> walls_of(const Domain& domain, int dimension) {
  std::vector<Collider> walls;
  for (int axis = 0; axis < dimension; ++axis)
    for (const bool high : {false, true}) {
      if (domain.is_open(axis, high)) continue;
      Collider& wall = walls.emplace_back();
      wall.name = domain_wall_name(axis, high);
      wall.shape.value = Plane{high ? domain.max : domain.min, Vec3d::axis(axis) * (high ? -1.0 : 1.0)};
      wall.contact = domain.contact;
      wall.friction = domain.friction;
    }
  return walls;
}

Boundary boundary_of(const Grip& grip) {
  Collider region;
  region.name = grip.name;
  region.shape = grip.region;
  region.motion = grip.motion;
  Boundary boundary(std::move(region));
  boundary.grip = true;
  boundary.displacement = grip.displacement;
  for (int axis = 0; axis < 3; ++axis) boundary.held[static_cast<std::size_t>(axis)] = grip.holds(axis);
  return boundary;
}

}  // namespace

std::vector<Boundary> boundaries_of(const Scene& scene) {
  std::vector<Boundary> boundaries(scene.colliders.begin(), scene.colliders.end());
  for (Boundary& b : boundaries) b.on = b.collider.enabled;
  if (scene.scene.domain)
    for (Collider& wall : walls_of(*scene.scene.domain, scene.scene.dimension))
      boundaries.emplace_back(std::move(wall));
  for (const Grip& grip : scene.grips) boundaries.push_back(boundary_of(grip));
  return boundaries;
}

void ColliderSet::move_to(double time) {
  time_ = time;
  posed_.clear();
  for (const Boundary& b : boundaries_) {
    if (!b.on) continue;
    const Motion& motion = b.collider.motion;
    const Pose pose = motion.pose(time);
    const Vec3d center = motion.pivot + pose.translation;
    posed_.push_back({&b, pose.rotation, transpose(pose.rotation), motion.pivot, center,
                      motion.velocity_at(center, time), motion.angular_velocity(time)});
  }
}

const Boundary* ColliderSet::lost() const {
  for (const Posed& p : posed_)
    if (!std::isfinite(dot(p.center, p.center) + dot(p.velocity, p.velocity) + dot(p.spin, p.spin) + norm2(p.rotation)))
      return p.boundary;
  return nullptr;
}

ColliderSet::Some ColliderSet::all() const {
  Some some;
  some.set_ = this;
  some.all_ = true;
  some.count_ = static_cast<int>(posed_.size());
  return some;
}

// By Newton's method from where it would be were everything led alike.
Vec3d ColliderSet::start_of(const Posed& c, const Vec3d& x) const {
  constexpr int most_iterations = 20;
  Vec3d start = x - (c.boundary->led(x, time_) - x);
  for (int k = 0; k < most_iterations; ++k) {
    const Vec3d off = c.boundary->led(start, time_) - x;
    if (length(off) <= 0.1 * skin_) return start;
    start -= inverse(c.boundary->led_gradient(start, time_)) * off;
  }
  return Vec3d::filled(std::numeric_limits<double>::quiet_NaN());
}

ColliderSet::Some ColliderSet::near(const Vec3d& center, double radius) const {
  Some some;
  some.set_ = this;
  for (std::size_t i = 0; i < posed_.size(); ++i) {
    const Boundary& boundary = *posed_[i].boundary;
    const Vec3d at = drawn(posed_[i], center);
    // What a grip leads may have lain further apart than it is now: twice as much as the strain at the centre tells.
    const double wide = boundary.leads() ? 2 * std::sqrt(norm2(inverse(boundary.led_gradient(at, time_)))) : 1;
    if (boundary.collider.shape.distance(at) > radius * wide + skin_) continue;
    if (some.count_ == static_cast<int>(some.index_.size())) return all();
    some.index_[static_cast<std::size_t>(some.count_++)] = static_cast<int>(i);
  }
  return some;
}

}  // namespace knead
