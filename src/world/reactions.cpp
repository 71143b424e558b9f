#include "world/reactions.h"

namespace knead {

namespace {

// The point that a torque is about where none is given: the pivot of what turns, else the middle of what is finite.
Vec3d usual_point(const Collider& collider, int dimension) {
  const Motion& m = collider.motion;
  const Bounds bounds = collider.shape.bounds(dimension);
  if (m.turns() || !(m.pivot == Vec3d{}) || !bounds.finite(dimension)) return m.pivot;
  Vec3d middle = (bounds.lo + bounds.hi) * 0.5;
  if (dimension == 2) middle[2] = 0;
  return middle;
}

}  // namespace

Reactions::Reactions(const Scene& scene, std::span<const Boundary> boundaries) {
  for (const Boundary& b : boundaries) motions_.push_back(b.collider.motion);
  for (const Probe& probe : scene.probes) {
    if (probe.type != ProbeType::force) continue;
    for (std::size_t b = 0; b < boundaries.size(); ++b) {
      const Collider& collider = boundaries[b].collider;
      if (collider.name != probe.on) continue;
      const Vec3d about = probe.about.value_or(usual_point(collider, scene.scene.dimension));
      probes_.push_back({b, probe.about ? nullptr : &motions_[b], about, about});
    }
  }
  sums_.resize(probes_.size());
}

void Reactions::start_step(double time) {
  std::fill(sums_.begin(), sums_.end(), Reaction{});
  for (ForceProbe& p : probes_) p.now = p.motion ? p.motion->to_world(p.about, time) : p.about;
}

void Reactions::start_stage(std::size_t parts) {
  if (!measured()) return;
  parts_.resize(parts * probes_.size());
  touched_.assign(parts, 0);
}

void Reactions::clear(std::size_t part) {
  touched_[part] = 1;
  std::fill_n(parts_.begin() + static_cast<std::ptrdiff_t>(part * probes_.size()), probes_.size(), Reaction{});
}

void Reactions::finish_stage() {
  for (std::size_t part = 0; part < touched_.size(); ++part) {
    if (!touched_[part]) continue;
    for (std::size_t k = 0; k < probes_.size(); ++k) {
      sums_[k].impulse += parts_[part * probes_.size() + k].impulse;
      sums_[k].turn += parts_[part * probes_.size() + k].turn;
    }
  }
}

void Reactions::book(World& world) const {
  for (std::size_t k = 0; k < probes_.size(); ++k) {
    world.reactions[k].impulse += sums_[k].impulse;
    world.reactions[k].turn += sums_[k].turn;
  }
}

}  // namespace knead
