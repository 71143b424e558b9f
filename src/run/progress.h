// What a run tells while it goes: one line redrawn on a terminal, a plain line a frame otherwise.
#pragma once

#include "output/text_log.h"
#include "world/solver.h"

#include <chrono>
#include <string>

namespace knead {

struct ProgressOptions {
  bool quiet = false, verbose = false, json = false;
};

class Progress {
 public:
  Progress(ProgressOptions options, std::int64_t first_frame, std::int64_t last_frame, TextLog& log);
  ~Progress();
  Progress(const Progress&) = delete;

  // After each step: a line when verbose, otherwise redraws at most ten times a second.
  void step(const World& world, const TimeStep& step, int retries);
  void frame(const World& world, const Ledger& ledger);  // after each frame
  // So much of the time nothing was done, since the user wanted it so: it tells nothing of the time to come.
  void waited(std::chrono::steady_clock::duration time) { start_ += time, last_frame_ += time; }
  void say(const std::string& line);  // to the user and the log
  void warn(const std::string& line);

 private:
  using Clock = std::chrono::steady_clock;
  std::string left(const World& world) const;
  void erase();
  ProgressOptions options_;
  std::int64_t first_, last_;
  TextLog& log_;
  bool terminal_;
  bool drawn_ = false;
  Clock::time_point start_ = Clock::now(), last_draw_{}, last_frame_ = start_;
  double particle_steps_ = 0;
};

// "3 min 20 s"
std::string duration_text(double seconds);

}  // namespace knead
