// From one frame to the next: steps as large as is stable, cut so that the last one lands exactly on the frame's time.
#pragma once

#include "world/solver.h"

#include <functional>

namespace knead {

// A step that fails is tried again with half the size, so many times, before the run gives up.
inline constexpr int max_halvings = 12;

enum class Advance { reached, stopped };

struct AdvanceHooks {
  std::function<bool()> stop;  // asked before each step
  std::function<void(const TimeStep&, int retries)> after_step;
};

// Steps until the clock stands at `time`. Throws Failure (numerical) with the cause when a step cannot be done.
Advance advance_to(double time, World& world, Solver& solver, const AdvanceHooks& hooks);

// A step that cannot be done: where, why, and what was tried.
struct FailedStep {
  Problem problem;
  TimeStep first_try;  // the step before halving
  double last_dt;
};
class StepFailure : public Failure {
 public:
  explicit StepFailure(FailedStep failed) : Failure(Exit::numerical, failed.problem.what), step(std::move(failed)) {}
  FailedStep step;
};

}  // namespace knead
