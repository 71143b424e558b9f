// Measures the step: ns per particle per step, its split over the stages, and the ratio to a plain reference step.
#pragma once

#include <functional>
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
};

struct BenchResult {
  std::string name;
  std::size_t particles = 0;
  int threads = 0, steps = 0, runs = 0;
  double ns = 0, cpu_ns = 0, reference_ns = 0;         // per particle per step
  std::vector<std::pair<std::string, double>> stages;  // ns per particle per step
  double bytes_a_particle = 0, grid_bytes = 0;
};

// The cases that are asked for, one after the other; `done` is told of each.
void run_bench(const BenchOptions&, const std::function<void(const BenchResult&)>& done);

// A solver of complementarity problems on one like those of a splash (run/bench_lcp.h), from nothing or from the answer
// to a slightly different one.
struct LcpBenchResult {
  std::string problem, method;
  bool warm = false;
  double tolerance = 0, change = 0;  // up to which b differs from that of the known answer
  std::size_t unknowns = 0;
  int iterations = 0, products = 0, rounds = 0;
  double cpu_seconds = 0, ns = 0;  // ns per unknown per iteration
};

// `knead bench lcp`.
void run_lcp_bench(const BenchOptions&, const std::function<void(const LcpBenchResult&)>& done);

}  // namespace knead
