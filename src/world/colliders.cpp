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

// f(t) at moments from `time` to `time` + dt that tell the motion: its ends, where it is steady; else some between, and
// the keyframes there.
template <class F>
void for_each_moment(const Boundary& boundary, double time, double dt, F&& f) {
  const Motion& motion = boundary.collider.motion;
  const bool steady = !boundary.leads() && motion.translate.is_zero() && motion.rotate.is_zero();
  const int parts = steady ? 1 : 8;
  for (int i = 0; i <= parts; ++i) f(time + dt * i / parts);
  for (const Keyframe& k : motion.keyframes)
    if (k.time > time && k.time < time + dt) f(k.time);
}

// f(corner) for the corners of a box.
template <class F>
void for_each_corner(const Bounds& box, int dimension, F&& f) {
  for (int i = 0; i < (1 << dimension); ++i) {
    Vec3d corner{};
    for (int a = 0; a < dimension; ++a) corner[a] = i >> a & 1 ? box.hi[a] : box.lo[a];
    f(corner);
  }
}

// What a box may fill while it moves; what turns may fill a ball.
Bounds moved(const Bounds& box, const Motion& motion, double time, int dimension) {
  const Vec3d translation = motion.pose(time).translation;
  if (!motion.turns()) return {box.lo + translation, box.hi + translation};
  if (!box.finite(dimension)) return Bounds::everything();
  double radius = 0;
  for_each_corner(box, dimension, [&](const Vec3d& x) { radius = std::max(radius, length(x - motion.pivot)); });
  return Bounds::around(motion.pivot + translation, Vec3d::filled(radius));
}

// m/s, of a motion where it reaches into the box `matter`.
double fastest_of(const Boundary& boundary, const Bounds& drawn, const Bounds& matter, double time, double dt,
                  int dimension) {
  const Motion& motion = boundary.collider.motion;
  Bounds swept;
  for_each_moment(boundary, time, dt, [&](double t) { swept.add(moved(drawn, motion, t, dimension)); });
  const Bounds common = swept.common(matter);
  if (common.empty(dimension)) return 0;
  double fastest = 0;
  // The speed of a turning body is a convex function of the place, so that a corner has the largest.
  for_each_moment(boundary, time, dt, [&](double t) {
    const Vec3d center = motion.pivot + motion.pose(t).translation, velocity = motion.velocity_at(center, t),
                spin = motion.angular_velocity(t);
    if (spin == Vec3d{})
      fastest = std::max(fastest, length(velocity));
    else if (!common.finite(dimension))
      fastest = Bounds::infinity;
    else
      for_each_corner(common, dimension,
                      [&](const Vec3d& x) { fastest = std::max(fastest, length(velocity + cross(spin, x - center))); });
  });
  return fastest;
}

// m/s, of what a grip leads, as the corners of its region tell.
double fastest_led(const Boundary& boundary, const Bounds& drawn, const Bounds& matter, double time, double dt,
                   int dimension) {
  const Bounds region = drawn.finite(dimension) ? drawn : drawn.common(matter);
  if (region.empty(dimension)) return 0;
  if (!region.finite(dimension)) return Bounds::infinity;
  double fastest = 0;
  for_each_moment(boundary, time, dt, [&](double t) {
    for_each_corner(region, dimension,
                    [&](const Vec3d& x) { fastest = std::max(fastest, length(boundary.led_velocity(x, t))); });
  });
  return fastest;
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

ColliderSet::ColliderSet(std::vector<Boundary> boundaries, double dx)
    : boundaries_(std::move(boundaries)), skin_(1e-6 * dx) {
  for (const Boundary& b : boundaries_) boxes_.push_back(b.collider.shape.bounds(3));
  move_to(0);
}

double ColliderSet::fastest(const Bounds& matter, double time, double dt, int dimension) const {
  double fastest = 0;
  for (std::size_t i = 0; i < boundaries_.size(); ++i)
    if (const Boundary& b = boundaries_[i]; b.on && b.moves())
      fastest = std::max(fastest, (b.leads() ? fastest_led : fastest_of)(b, boxes_[i], matter, time, dt, dimension));
  return fastest;
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
