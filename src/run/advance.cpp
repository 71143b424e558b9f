#include "run/advance.h"

#include <cmath>

namespace knead {

namespace {

// The stable step, or what is left until the frame; where two steps are left, they are of one size, and where the
// solver asks for it all that are left.
TimeStep fitted(TimeStep stable, double left, bool even) {
  if (stable.dt >= left * (1 - 1e-9)) return {left, stable.bound == Bound::given ? Bound::given : Bound::frame};
  if (even && stable.bound != Bound::given)
    stable.dt = left / std::ceil(left / stable.dt * (1 - 1e-9));
  else if (2 * stable.dt > left)
    stable.dt = left / 2;
  return stable;
}

void book(Tally& tally, double dt, Bound bound) {
  if (tally.frame_steps == 0 || (dt < tally.frame_min_dt && bound != Bound::frame))
    tally.frame_min_dt = dt, tally.frame_bound = bound;
  tally.frame_max_dt = std::max(tally.frame_max_dt, dt);
  tally.frame_time += dt;
  ++tally.frame_steps;
}

// Without a grid, points that coincide leave a neighbourhood no size.
bool some_coincide(const World& world) {
  const Column* h = world.particles.find("h");
  for (std::size_t i = 0; h && i < h->count(); ++i)
    if (!(h->value(i) > 0)) return true;
  return false;
}

const char* remedy_of(const TimeStep& step, const World& world) {
  if (step.bound == Bound::heat) return "try: a lower conductivity or a larger heat_capacity";
  if (some_coincide(world)) return "try: remove points that coincide";
  return "try: softer, heavier or slower matter, a larger solver.dx, or other units: knead check shows what limits the "
         "step";
}

// A step that does not move the clock, or is no number, would be tried for ever.
void need_progress(const TimeStep& step, double target, const World& world) {
  if (target - step.dt < target) return;
  throw StepFailure(
      {{.what = fmt::format("the largest stable step is {:.3g} s, too short to move the clock (set by: {})", step.dt,
                            name_of(step.bound)),
        .remedy = remedy_of(step, world)},
       step,
       step.dt});
}

}  // namespace

Advance advance_to(double time, World& world, Solver& solver, const AdvanceHooks& hooks) {
  solver.do_events(world);
  while (world.clock.time < time) {
    if (hooks.stop && hooks.stop()) return Advance::stopped;
    const double target = std::min(time, solver.next_event(world)), left = target - world.clock.time;
    const TimeStep wanted = fitted(solver.max_dt(world), left, solver.even_steps());
    need_progress(wanted, target, world);
    TimeStep tried = wanted;
    int halvings = 0;
    for (;; ++halvings) {
      const StepResult result = solver.step(world, tried.dt);
      if (result.ok()) break;
      const bool hopeless = !result.problem->remedy.empty();
      if (hopeless || halvings == max_halvings) throw StepFailure({*result.problem, wanted, tried.dt});
      ++world.tally.frame_retries;
      tried.dt /= 2;
    }
    if (tried.dt == left) world.clock.time = target;
    solver.do_events(world);
    book(world.tally, tried.dt, tried.bound);
    if (hooks.after_step) hooks.after_step(tried, halvings);
  }
  return Advance::reached;
}

}  // namespace knead
