// What looks like a result but is none, or will never be one.
#pragma once

#include "run/simulation.h"

#include <string>
#include <vector>

namespace knead {

// Before the first step: what is odd beyond what reading and building the scene show. A fixed step that is too long,
// and steps so short that nobody waits for the end.
std::vector<std::string> step_warnings(const Simulation&);

// At each frame, each once.
class FrameWarnings {
 public:
  std::vector<std::string> of(const World&, const Ledger&);

 private:
  bool collapse_ = false, rise_ = false, unsolved_ = false;
};

}  // namespace knead
