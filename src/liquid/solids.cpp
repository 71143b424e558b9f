#include "liquid/solids.h"

#include <numbers>

namespace knead {

void Solids::move_to(double time) {
  bubbles_.clear();
  for (const Explosion& e : explosions_)
    if (const double radius = e.radius_at(time); radius > 0) bubbles_.push_back({e.center, radius, e.speed_at(time)});
}

bool Solids::may_move() const {
  const auto all = colliders_->boundaries();
  return !explosions_.empty() ||
         std::any_of(all.begin(), all.end(), [](const Boundary& b) { return b.on && b.collider.motion.moves(); });
}

bool Solids::moves_near(const Vec3d& center, double radius) const {
  for (const Bubble& b : bubbles_)
    if (length(center - b.center) < b.radius + radius) return true;
  for (const Boundary& b : colliders_->boundaries())
    if (b.on && b.collider.motion.moves() && b.collider.distance(center, colliders_->time()) < radius) return true;
  return false;
}

double Solids::fastest_bubble(double time, double dt) const {
  double speed = 0;
  for (const Explosion& e : explosions_)
    if (e.time < time + dt && time < e.time + e.duration)
      speed = std::max(speed, (e.radius - e.first) * std::numbers::pi / 2 / e.duration);
  return speed;
}

Solids::Near Solids::near(const Vec3d& center, double radius) const {
  Near near;
  near.solids_ = this;
  near.some_ = colliders_->near(center, radius);
  for (std::size_t i = 0; i < bubbles_.size() && !near.all_; ++i) {
    if (length(center - bubbles_[i].center) >= bubbles_[i].radius + radius) continue;
    if (near.count_ < near.index_.size())
      near.index_[near.count_++] = static_cast<std::uint32_t>(i);
    else
      near.all_ = true, near.count_ = bubbles_.size();
  }
  return near;
}

double Solids::Near::distance(const Vec3d& x) const {
  double least = some_.distance(x);
  for_each_bubble([&](const Bubble& b) { least = std::min(least, length(x - b.center) - b.radius); });
  return least;
}

template <int D>
Solids::Near::Surface Solids::Near::nearest(const Vec3d& x) const {
  Surface found;
  some_.for_each_within<D>(
      x, solids_->gap_,
      [&](std::size_t index, const Boundary&, double distance, const Vec<double, D>& velocity,
          const Vec<double, D>& normal) {
        if (distance < found.distance)
          found = {distance, resized<double, 3>(normal), resized<double, 3>(velocity), static_cast<int>(index)};
      });
  for_each_bubble([&](const Bubble& b) {
    Vec3d out = x - b.center;
    if (D == 2) out[2] = 0;
    const double far = length(out);
    if (far - b.radius >= std::min(found.distance, solids_->gap_)) return;
    const Vec3d normal = far > 0 ? out / far : Vec3d::axis(1);
    found = {far - b.radius, normal, normal * b.speed, -1};
  });
  return found;
}
template <int D>
Vec3d Solids::Near::velocity(const Vec3d& x) const {
  double least = std::numeric_limits<double>::infinity();
  Vec3d found{};
  some_.for_each_within<D>(
      x, least,
      [&](std::size_t, const Boundary&, double distance, const Vec<double, D>& velocity, const Vec<double, D>&) {
        if (distance < least) least = distance, found = resized<double, 3>(velocity);
      });
  for_each_bubble([&](const Bubble& b) {
    const Vec3d out = x - b.center;
    if (const double far = length(out); far - b.radius < least && far > 0)
      least = far - b.radius, found = out * (b.speed / far);
  });
  return found;
}
template Vec3d Solids::Near::velocity<2>(const Vec3d&) const;
template Vec3d Solids::Near::velocity<3>(const Vec3d&) const;

template Solids::Near::Surface Solids::Near::nearest<2>(const Vec3d&) const;
template Solids::Near::Surface Solids::Near::nearest<3>(const Vec3d&) const;

}  // namespace knead
