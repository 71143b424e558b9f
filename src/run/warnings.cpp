#include "run/warnings.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace knead {

namespace {

std::vector<std::string> fixed_step_warnings(const Simulation& simulation) {
  const Scene& scene = simulation.scene();
  if (!scene.solver.dt) return {};
  auto unfixed = std::make_shared<Scene>(scene);
  unfixed->solver.dt.reset(), unfixed->solver.dt_max.reset();
  const TimeStep stable = Simulation(unfixed, simulation.world).max_dt();
  if (*scene.solver.dt <= stable.dt) return {};
  if (stable.bound == Bound::collider_speed)
    return {
        fmt::format("{}solver.dt = {:.3g} s is too long for the speed of a collider or grip: it may pass through "
                    "matter; leave solver.dt out, or give at most {:.3g} s",
                    scene.at_place("solver.dt"), *scene.solver.dt, stable.dt)};
  // Implicit steps may be as long as they are wanted, but for forces that they take from the start of the step.
  if (!scene.solver.is_explicit() && stable.bound != Bound::body_force) return {};
  return {
      fmt::format("{}solver.dt = {:.3g} s is above the stability limit of {:.3g} s (set by: {}); the run may explode: "
                  "matter shakes and flies apart, and steps are rejected and halved until the run gives up; leave "
                  "solver.dt out, or give at most {:.3g} s",
                  scene.at_place("solver.dt"), *scene.solver.dt, stable.dt, name_of(stable.bound), stable.dt)};
}

std::vector<std::string> endless_warnings(const Simulation& simulation) {
  const TimeStep step = simulation.max_dt();
  const Scene& scene = simulation.scene();
  const double steps = scene.frames() / scene.scene.fps / step.dt;
  if (steps < 1e9) return {};  // a step of a single particle takes some 100 ns
  return {fmt::format("{:.3g} s per step (set by: {}) means {} steps: the run would never finish; check the units",
                      step.dt, name_of(step.bound),
                      std::isfinite(steps) ? fmt::format("{:.2g}", steps) : "infinitely many")};
}

}  // namespace

std::vector<std::string> step_warnings(const Simulation& simulation) {
  std::vector<std::string> all = fixed_step_warnings(simulation);
  for (std::string& w : endless_warnings(simulation)) all.push_back(std::move(w));
  return all;
}

// A few short steps, as where a collider leaps, do not make a long frame.
std::string StepWarning::of(const World& world, const TimeStep& step, double left) {
  constexpr double too_many = 1e6;
  constexpr int enough = 1000;
  if (short_ones_ >= enough) return "";
  if (step.bound == Bound::frame || left < too_many * step.dt) {
    short_ones_ = 0;
    return "";
  }
  if (++short_ones_ < enough) return "";
  return fmt::format(
      "at t = {:.6g} s a step is only {:.3g} s (set by: {}): frame {} needs {:.2g} more; something is too fast or too "
      "stiff to be followed",
      world.clock.time, step.dt, name_of(step.bound), world.clock.frame + 1, left / step.dt);
}

namespace {

double balance_of(const Ledger& l) {
  return l.kinetic + l.elastic + l.gravitational + l.dissipated - l.contact_work - l.body_work;
}

}  // namespace

EnergyWatch::EnergyWatch(const Ledger& start)
    : start_(balance_of(start)), last_(start_), mass_(start.mass), least_gravitational_(start.gravitational) {}

double EnergyWatch::rise(const World& world, const Ledger& l) {
  const double now = balance_of(l);
  if (l.mass != mass_) start_ += now - last_, least_gravitational_ = l.gravitational;
  last_ = now, mass_ = l.mass;
  least_gravitational_ = std::min(least_gravitational_, l.gravitational);
  // What strains of 1e-4 hold is next to nothing: rounding can do as much where matter only lies there.
  const double waves = world.tally.max_wave_speed, next_to_nothing = 1e-8 * l.mass * waves * waves;
  largest_ = std::max({largest_, next_to_nothing, l.kinetic + l.elastic + l.gravitational - least_gravitational_,
                       std::abs(l.contact_work), std::abs(l.body_work), l.dissipated});
  return largest_ > 0 ? (now - start_) / largest_ : 0;
}

void FrameWarnings::watch(const Scene& scene, const Ledger& start) {
  if (traits_of(scene.solver.method).deformation) energy_.emplace(start);
}

std::vector<std::string> FrameWarnings::of(const World& world, const Ledger& ledger) {
  const double t = world.clock.time;
  const LiquidTally& liquid = world.tally.liquid;
  const auto first = [](bool seen, bool& told) { return seen && !std::exchange(told, true); };
  std::vector<std::string> all;
  if (first(ledger.collapsed > 0, collapse_))
    all.push_back(fmt::format(
        "at t = {:.4g} s {} of {} particles are compressed below a twentieth in some direction, or inverted (column "
        "'collapsed' of stats.csv); causes are an impact faster than the material's waves or a press that leaves "
        "matter "
        "no room (use a stiffer material or neo-hookean), and steps too long to be stable (leave solver.dt out, or "
        "give a smaller solver.dt_max)",
        t, ledger.collapsed, world.particles.count()));
  // Half a step between places and velocities shows more than there is for a part of a swing, but not for many frames.
  // Of what lasts right scenes gain less than a third of this.
  constexpr double at_once = 0.5, lasting = 0.1;
  constexpr int long_enough = 10;  // frames
  const double gain = energy_ ? energy_->rise(world, ledger) : 0;
  risen_ = gain > lasting ? risen_ + 1 : 0;
  if (first(gain > at_once || risen_ >= long_enough, gain_))
    all.push_back(fmt::format(
        "before t = {:.4g} s the energy rose by {:.0f} % of the largest so far, although nothing gave it any (total + "
        "dissipated - contact_work - body_work of stats.csv); causes are steps too long to be stable (leave solver.dt "
        "out, or give a smaller solver.dt_max), matter that starts in a collider or another body, or too close to "
        "one, and is pushed out (move it away), and matter that flows far with mls (use embedded or composed)",
        t, 100 * gain));
  if (first(liquid.frame_energy_rise > 0.02, rise_))
    all.push_back(fmt::format(
        "before t = {:.4g} s the energy of the liquid rose by {:.2g} % in a step, although nothing adds energy "
        "(column 'energy_rise' of stats.csv); use a smaller solver.liquid.cfl, or leave solver.dt out",
        t, 100 * liquid.frame_energy_rise));
  if (first(liquid.frame_unsolved > 0, unsolved_))
    all.push_back(fmt::format(
        "before t = {:.4g} s {} pressure solves of the liquid were stopped after solver.liquid.iterations (column "
        "'lcp_unsolved' of stats.csv): allow more iterations, or a larger solver.liquid.tolerance",
        t, liquid.frame_unsolved));
  if (first(world.tally.frame_contact_unsolved > 0, contact_unsolved_))
    all.push_back(fmt::format(
        "before t = {:.4g} s the friction of colliders was not found to 1 % in {} steps (column 'contact_unsolved' of "
        "stats.csv); use a smaller solver.dt_max if there are many",
        t, world.tally.frame_contact_unsolved));
  return all;
}

}  // namespace knead
