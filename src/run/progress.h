// How far a run is: told to its log and to who watches it.
#pragma once

#include "output/text_log.h"
#include "run/run_observer.h"

#include <chrono>

namespace knead {

class Progress {
 public:
  // Without an observer only the log is told.
  Progress(std::int64_t first_frame, std::int64_t last_frame, TextLog& log, RunObserver* observer);
  ~Progress();
  Progress(const Progress&) = delete;

  void step(const World& world, const TimeStep& step, int retries);  // after each step
  void frame(const World& world, const Ledger& ledger);              // after each frame
  // So much of the time nothing was done, since the user wanted it so: it tells nothing of the time to come.
  void waited(std::chrono::steady_clock::duration time) { start_ += time, last_frame_ += time; }
  void say(const std::string& line);
  void warn(const std::string& text);

 private:
  using Clock = std::chrono::steady_clock;
  double seconds_since(Clock::time_point) const;
  std::optional<double> seconds_left(const World& world) const;
  std::int64_t first_, last_;
  TextLog& log_;
  RunObserver* observer_;
  Clock::time_point start_ = Clock::now(), last_frame_ = start_;
  double particle_steps_ = 0;
};

// "3 min 20 s"
std::string duration_text(double seconds);

}  // namespace knead
