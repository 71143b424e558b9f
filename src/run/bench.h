// Measures the step: ns per particle and step, its split over the stages, and the ratio to a plain reference step.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace knead {

struct BenchOptions {
  std::string method = "mpm";      // or a scene file
  std::vector<std::string> sets;   // changes of the scene file
  std::vector<std::string> cases;  // empty for the usual ones
  std::optional<long> particles;
  std::optional<int> threads, steps, runs;
  bool json = false;
};

int run_bench(const BenchOptions&);

}  // namespace knead
