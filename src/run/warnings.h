// What looks like a result but is none, or will never be one.
#pragma once

#include "run/simulation.h"

#include <string>
#include <vector>

namespace knead {

// Before the first step: what is odd beyond what reading and building the scene show. A fixed step that is too long,
// and steps so short that nobody waits for the end.
std::vector<std::string> step_warnings(const Simulation&);

// After each step, once: a frame that will not end for long, though the first step promised otherwise.
class StepWarning {
 public:
  // `left` is the time to the next frame, s; empty where all is well.
  std::string of(const World&, const TimeStep&, double left);

 private:
  int short_ones_ = 0;  // steps, one after the other
};

// At each frame, each once.
class FrameWarnings {
 public:
  std::vector<std::string> of(const World&, const Ledger&);

 private:
  bool collapse_ = false, rise_ = false, unsolved_ = false, contact_unsolved_ = false;
};

}  // namespace knead
