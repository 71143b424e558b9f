// What the scene prescribes while it runs, as it stands now: materials, colliders and grips, forces, and the events
// that change them. Every method has one.
#pragma once

#include "world/colliders.h"
#include "world/reactions.h"
#include "world/solver.h"

#include <limits>

namespace knead {

class Controls {
 public:
  explicit Controls(const Scene&);

  Vec3d gravity;        // m/s^2
  Formula body_force;   // m/s^2, besides gravity
  bool rest_positions;  // whether a force or an event asks where particles started, the column X
  std::size_t bodies;   // how many
  double frame;         // s, from one to the next: no step is longer
  std::vector<Material> materials;
  std::vector<Event> events;  // in the order of their times
  ColliderSet colliders;
  Reactions reactions;

  // When the next event is due; infinity where none is left.
  double next_event(const World&) const;
  // What an event changes here: done again for those that a resumed world has behind it.
  void apply(const Event&);
  void apply_past(const World&);
  // Colliders and grips as they stand at a time; a problem where a motion is not a finite number.
  std::optional<Problem> move_to(double time);
};

// Where a motion is not a finite number.
std::optional<Problem> problem_of(const ColliderSet&);

// The gradient of a field of velocity at x for matter that started at `start`, 1/s; `rest` is what a vector of x was at
// the start, d start / dx.
template <int D>
Mat<double, D> gradient_of(const Formula& velocity, const Vec3d& x, const Vec3d& start, double time,
                           const Mat<double, D>& rest);

// What events change in the world. x and v are columns of T; where the matter has an affine velocity C it changes
// along.
template <class T, int D>
void add_velocity(const Event&, World&);
// The body's particles join the batch of their new material; gives which particle each place now has.
template <class T>
std::vector<std::size_t> switch_material(const Event&, const std::vector<Material>&, World&);

// Fails where the body force is not a finite number at the start.
template <class T, int D>
void check_body_force(const Formula&, const World&);
// The fastest change that a body force makes of motion, 1/s: the largest of |da/dv| and sqrt|da/dx| over the particles.
// Steps longer than its inverse would not follow, and soon explode.
template <class T, int D>
double body_force_rate(const Formula&, const World&);
// m/s, of the fastest collider or grip that may meet matter within `dt` from now; 0 where none is faster than
// `harmless`. Matter and what it is told on reach so far, m, beyond the places of the particles.
template <class T, int D>
double collider_speed(const Controls&, const World&, double dt, double reach, double harmless);

}  // namespace knead
