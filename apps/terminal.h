// A run as the user sees it: on a terminal one line that is redrawn, otherwise a plain line per frame, on stderr; with
// --json an object per frame on stdout.
#pragma once

#include "run/run_observer.h"

#include <chrono>

namespace knead {

class Terminal : public RunObserver {
 public:
  struct Options {
    bool quiet = false, verbose = false, json = false;
  };
  explicit Terminal(Options options);
  ~Terminal() override { erase(); }

  // A line when verbose, otherwise redraws at most ten times a second.
  void step(const RunMoment&) override;
  void frame(const World&, const Ledger&, double seconds, const std::string& line) override;
  void say(const std::string& line) override;
  void warn(const std::string& line) override;
  void finished() override { erase(); }

 private:
  void erase();
  Options options_;
  bool terminal_, drawn_ = false;
  std::chrono::steady_clock::time_point last_draw_{};
};

}  // namespace knead
