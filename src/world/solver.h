// What every method offers: the largest stable step, the step, and the ledger of conserved quantities.
#pragma once

#include "base/profile.h"
#include "world/world.h"

#include <functional>
#include <limits>
#include <optional>
#include <string>

namespace knead {

// A step size and what set it.
struct TimeStep {
  double dt;  // s
  Bound bound;
};

// Why a step could not be done. The particles are as they were before the step.
struct Problem {
  std::string what;                 // "the velocity became infinite", "matter moved 3.1 cells in one step"
  std::int64_t particle = -1;       // index of a particle at the place
  std::optional<Vec3d> position{};  // m
  std::string remedy{};  // where the scene itself is the cause, so that no smaller step would help: what to change
};

struct StepResult {
  std::optional<Problem> problem;
  bool ok() const { return !problem; }
};

// Sums over particles, in double precision. 2D quantities are for the thickness of 1 m.
struct Ledger {
  double mass = 0;                                     // kg
  double volume = 0;                                   // m^3, now
  Vec3d momentum{}, angular_momentum{};                // kg m/s; kg m^2/s about the origin
  double kinetic = 0, elastic = 0, gravitational = 0;  // J
  double dissipated = 0, contact_work = 0;             // J: by plastic flow; done on the matter by colliders and grips
  double body_work = 0;                                // J, done on it by body forces and events
  double heat = 0, heat_in = 0;                        // J: kept above 0 K; taken from colliders
  double transfer_loss = 0, impact_loss = 0;           // J, of kinetic energy; where a probe asks for them
  Vec3d center{}, min{}, max{};                        // m
  double max_speed = 0;                                // m/s
  double least_stretch = 1, most_stretch = 1;          // singular values of the elastic deformation gradient
  std::int64_t collapsed = 0;  // particles squeezed below a twentieth in some direction, or turned inside out
};

class Solver {
 public:
  virtual ~Solver() = default;
  // Adds the columns the method needs and brings them up to date with the rest.
  virtual void prepare(World&) = 0;
  // The largest stable step now, and which bound sets it.
  virtual TimeStep max_dt(const World&) const = 0;
  // Whether steps up to a frame are to be of one size: a last one that is cut short changes the energy that explicit
  // steps keep, and frame after frame in time with a vibration it makes it grow.
  virtual bool even_steps() const { return false; }
  // May move the columns in memory: spans of them are to be asked for again after it.
  virtual StepResult step(World&, double dt) = 0;
  // Of the particles that `counts`, by their index; of all where it is empty.
  using Counts = std::function<bool(std::size_t)>;
  virtual Ledger ledger_of(const World&, const Counts& counts) const = 0;
  Ledger ledger(const World& world) const { return ledger_of(world, {}); }

  // When the scene's next event is due; steps end there. Infinity where none is left.
  virtual double next_event(const World&) const { return std::numeric_limits<double>::infinity(); }
  // Does the events that are due by the clock. What they change in the solver itself, prepare() finds again.
  virtual void do_events(World&) {}

  // The volume of a particle over its volume at rest.
  virtual double volume_ratio(const World&, std::size_t particle) const = 0;

  // f(i, j) for pairs of particles that hold each other; false where a grid holds the matter of that body (of any, for
  // -1) together.
  virtual bool for_each_bond(const World&, int /*body*/, const std::function<void(std::size_t, std::size_t)>&) const {
    return false;
  }

  virtual std::size_t grid_blocks() const { return 0; }
  virtual std::size_t scratch_bytes() const { return 0; }
  Profile profile;  // time spent in each stage
};

}  // namespace knead
