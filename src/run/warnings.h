// What looks like a result but is none, or will never be one.
#pragma once

#include "run/simulation.h"

#include <optional>
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

// The energy of solids: with what was dissipated, and without the work that was done on them, it falls by what no
// column records, and never rises. Energy of matter that gains or loses mass is not watched while it does.
class EnergyWatch {
 public:
  explicit EnergyWatch(const Ledger& start);
  // By how much of the largest energy or work so far it has risen above that of the start, at each frame.
  double rise(const World&, const Ledger&);

 private:
  double start_, last_, mass_, least_gravitational_, largest_ = 0;  // J, kg
};

// At each frame, each once.
class FrameWarnings {
 public:
  // From the start of the run, or where it goes on.
  void watch(const Scene&, const Ledger& start);
  std::vector<std::string> of(const World&, const Ledger&);

 private:
  std::optional<EnergyWatch> energy_;
  int risen_ = 0;  // frames in a row
  bool collapse_ = false, gain_ = false, rise_ = false, unsolved_ = false, contact_unsolved_ = false;
};

}  // namespace knead
