// What the matter does to colliders and grips: the impulses that they gave to it, with the opposite sign, for force
// probes.
#pragma once

#include "world/colliders.h"
#include "world/world.h"

namespace knead {

// Sums a step's impulses, first part by part (a block of the grid, a chunk of particles) and then in the order of the
// parts, so that the sum does not depend on threads. Nothing is kept or done where the scene has no force probe.
class Reactions {
 public:
  Reactions(const Scene&, std::span<const Boundary>);

  bool measured() const { return !probes_.empty(); }
  std::size_t count() const { return probes_.size(); }
  // A step whose boundaries stand as at `time`.
  void start_step(double time);
  // A stage of the step in so many parts.
  void start_stage(std::size_t parts);
  // The boundary gave the matter at x this impulse, N s. Different parts may do this at the same time.
  void add(std::size_t part, std::size_t boundary, const Vec3d& x, const Vec3d& impulse) {
    if (!touched_[part]) clear(part);
    for (std::size_t k = 0; k < probes_.size(); ++k) {
      if (probes_[k].boundary != boundary) continue;
      Reaction& r = parts_[part * probes_.size() + k];
      r.impulse -= impulse;
      r.turn -= cross(x - probes_[k].now, impulse);
    }
  }
  void finish_stage();
  // The step is done: its sums become the world's.
  void book(World&) const;

 private:
  struct ForceProbe {
    std::size_t boundary;
    const Motion* motion;  // that the point follows; null where it is fixed
    Vec3d about;           // in the scene's drawing
    Vec3d now;
  };
  void clear(std::size_t part);

  std::vector<Motion> motions_;  // of the boundaries
  std::vector<ForceProbe> probes_;
  std::vector<Reaction> parts_, sums_;
  std::vector<unsigned char> touched_;
};

}  // namespace knead
