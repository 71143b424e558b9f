// Time spent in the named stages of a step.
#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace knead {

class Profile {
 public:
  struct Stage {
    const char* name;
    double seconds = 0;
  };

  // Runs f and books its time under `name`. Gives back what f gives.
  template <class F>
  auto operator()(const char* name, F&& f) {
    const Timer timer{stage(name)};
    return f();
  }
  const std::vector<Stage>& stages() const { return stages_; }
  void reset() { stages_.clear(); }

 private:
  using Clock = std::chrono::steady_clock;
  struct Timer {
    Stage& stage;
    Clock::time_point start = Clock::now();
    ~Timer() { stage.seconds += std::chrono::duration<double>(Clock::now() - start).count(); }
  };
  // Stages are few and their names are literals: a search by address is as good as a table.
  Stage& stage(const char* name) {
    for (Stage& s : stages_)
      if (s.name == name) return s;
    stages_.reserve(32);
    return stages_.emplace_back(Stage{name});
  }
  std::vector<Stage> stages_;
};

}  // namespace knead
