// Measures the step: ns per particle and step, its split over the stages, and how it grows with particles and threads.
#pragma once

#include <optional>
#include <string>

namespace knead {

struct BenchOptions {
  std::string scene = "jelly";  // one of bench_scenes()
  std::optional<long> particles;
  std::optional<int> threads, steps;
  bool json = false;
};

int run_bench(const BenchOptions&);

}  // namespace knead
