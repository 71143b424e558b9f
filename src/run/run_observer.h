// Who is told of a run while it goes. The library prints nothing: the command line does, by one of these.
#pragma once

#include "world/solver.h"

#include <optional>
#include <string>

namespace knead {

// A run after one of its steps.
struct RunMoment {
  const World& world;
  TimeStep step;
  int retries;                         // of that step
  std::int64_t last_frame;             // of the run
  double particle_steps;               // per second since its start
  std::optional<double> seconds_left;  // from the first frame on
};

// All calls come from the thread that runs the simulation.
class RunObserver {
 public:
  virtual ~RunObserver() = default;
  virtual void step(const RunMoment&) {}
  // A frame is recorded, `seconds` after the one before; `line` says so, as in the log.
  virtual void frame(const World&, const Ledger&, double /*seconds*/, const std::string& /*line*/) {}
  virtual void say(const std::string& /*line*/) {}
  virtual void warn(const std::string& /*line*/) {}
  virtual void finished() {}  // or stopped, or failed: nothing more comes
};

}  // namespace knead
