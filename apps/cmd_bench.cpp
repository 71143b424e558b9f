// `knead bench`: how fast this machine is at it.
#include "apps/commands.h"
#include "base/system.h"

#include <cstdio>

namespace knead {
namespace {

void print_json(const BenchResult& m) {
  fmt::print(
      "{{\"case\": \"{}\", \"particles\": {}, \"threads\": {}, \"steps\": {}, \"runs\": {}, \"ns_per_particle_step\": "
      "{:.2f}, \"cpu_ns_per_particle_step\": {:.2f}, \"reference_ns\": {:.2f}, \"reference_ratio\": {:.3f}, "
      "\"bytes_a_particle\": {:.1f}, \"grid_bytes\": {:.0f}, \"stages\": {{",
      m.name, m.particles, m.threads, m.steps, m.runs, m.ns, m.cpu_ns, m.reference_ns, m.reference_ns / m.ns,
      m.bytes_a_particle, m.grid_bytes);
  const char* separator = "";
  for (const auto& [name, ns] : m.stages) {
    fmt::print("{}\"{}\": {:.2f}", separator, name, ns);
    separator = ", ";
  }
  fmt::print("}}}}\n");
}

void print_text(const BenchResult& m) {
  fmt::print("{}: {} particles, {} {}, median of {} runs of {} steps\n", m.name, m.particles, m.threads,
             m.threads == 1 ? "thread" : "threads", m.runs, m.steps);
  fmt::print("  {:<20} {:8.1f} ns per particle per step ({:.1f} of processor time)\n", "step", m.ns, m.cpu_ns);
  for (const auto& [name, ns] : m.stages) fmt::print("    {:<18} {:8.1f}   {:4.1f} %\n", name, ns, 100 * ns / m.ns);
  fmt::print("  {:<20} {:8.1f} ns (textbook mpm step, one thread): {:.2f} of it\n", "reference", m.reference_ns,
             m.ns / m.reference_ns);
  fmt::print("  {:<20} {:8.1f} bytes per particle beyond the grid ({} of grid)\n", "memory", m.bytes_a_particle,
             bytes_text(m.grid_bytes));
}

void print_json(const LcpBenchResult& m) {
  fmt::print(
      "{{\"case\": \"{}\", \"method\": \"{}\", \"start\": \"{}\", \"unknowns\": {}, \"iterations\": {}, "
      "\"products\": {}, \"rounds\": {}, \"cpu_seconds\": {:.5f}, \"ns_per_unknown_iteration\": {:.2f}}}\n",
      m.problem, m.method, m.warm ? "warm" : "cold", m.unknowns, m.iterations, m.products, m.rounds, m.cpu_seconds,
      m.ns);
}

void print_text(const LcpBenchResult& m) {
  fmt::print("  {:<26} {}  {:5} iterations {:5} products {:3} rounds {:9.4f} s  {:6.1f} ns per unknown and iteration\n",
             m.method, m.warm ? "warm" : "cold", m.iterations, m.products, m.rounds, m.cpu_seconds, m.ns);
}

void bench_lcp(const BenchCommand& command) {
  std::string problem;
  run_lcp_bench(command.bench, [&](const LcpBenchResult& m) {
    if (command.json) {
      print_json(m);
    } else {
      if (std::exchange(problem, m.problem) != m.problem)
        fmt::print("{}: {} unknowns, tolerance {:g}; warm: b changed by up to {:g}\n", m.problem, m.unknowns,
                   m.tolerance, m.change);
      print_text(m);
    }
    std::fflush(stdout);
  });
}

}  // namespace

int run_command(const BenchCommand& command) {
  if (command.bench.method == "lcp") {
    bench_lcp(command);
  } else {
    run_bench(command.bench, [&](const BenchResult& m) {
      command.json ? print_json(m) : print_text(m);
      std::fflush(stdout);
    });
  }
  return static_cast<int>(Exit::done);
}

}  // namespace knead
