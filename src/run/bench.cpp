#include "run/bench.h"

#include "base/parallel.h"
#include "base/system.h"
#include "mpm/reference.h"
#include "mpm/solver.h"
#include "scene/read.h"
#include "world/build.h"

#include <chrono>
#include <thread>

namespace knead {

namespace {

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// A block that falls on the floor and spreads, sized to hold about n particles at 2^d a cell.
Scene bench_scene(const std::string& name, double n) {
  const bool flat = name.ends_with("2d"), snow = name.starts_with("snow");
  if (!snow && !name.starts_with("jelly"))
    fail(Exit::usage, "no benchmark '{}'; there are jelly, snow, jelly2d, snow2d", name);
  const int dim = flat ? 2 : 3;
  const double cells = std::round(std::pow(n / (1 << dim), 1.0 / dim)), dx = 1.0 / cells;
  std::string text = fmt::format(
      "format = 1\n[scene]\nname = \"bench\"\ndimension = {}\n[solver]\nmethod = \"mpm\"\ndx = {}\ntransfer = \"{}\"\n",
      dim, dx, snow ? "apic" : "mls");
  text += fmt::format("[materials.m]\nmodel = \"{}\"\n", snow ? "snow" : "fixed-corotated");
  text += fmt::format(
      "[[body]]\nname = \"block\"\nmaterial = \"m\"\nvelocity = [0, -2, 0]\nshape = {{ type = \"box\", center = [0, "
      "{}, 0], size = [1, 1, 1] }}\n",
      0.5 + 2 * dx);
  text += "[[collider]]\nname = \"floor\"\nfriction = 0.5\nshape = { type = \"plane\" }\n";
  return read_scene_text(text, "bench", ".");
}

// ns per particle and step of the plain reference step, on one thread: the yardstick of this machine at this moment.
double reference_ns() {
  constexpr int side = 24, cells = side / 2 + 8;
  const float dx = 1.0f / 12;
  std::vector<ReferenceParticle<float, 3>> particles;
  for (int i = 0; i < side * side * side; ++i) {
    const Vec3f at{float(i % side), float(i / side % side), float(i / (side * side))};
    const float volume = dx * dx * dx / 8;
    particles.push_back({(at + Vec3f::filled(0.5f)) * (dx / 2) + Vec3f::filled(4 * dx), Vec3f{0, -1, 0}, Mat3f::zero(),
                         Mat3f::identity(), 1000 * volume, volume});
  }
  const std::variant_alternative_t<0, Materials> law;
  double best = 1e30;
  for (int repeat = 0; repeat < 5; ++repeat) {
    const double start = seconds_now();
    reference_step<2>(particles, law, dx, 1e-4f, Vec3f{0, -9.81f, 0}, cells);
    best = std::min(best, seconds_now() - start);
  }
  return best / double(particles.size()) * 1e9;
}

}  // namespace

int run_bench(const BenchOptions& options) {
  const int threads = options.threads.value_or(static_cast<int>(std::max(1u, std::thread::hardware_concurrency())));
  const ThreadLimit limit(threads);
  const Scene scene = bench_scene(options.scene, double(options.particles.value_or(1000000)));
  World world = build_world(scene);
  const double n = double(world.particles.count());
  const std::unique_ptr<Solver> solver = make_solver(scene);
  solver->prepare(world);
  const auto run_steps = [&](int steps) {
    for (int i = 0; i < steps; ++i)
      if (const StepResult r = solver->step(world, solver->max_dt(world).dt); !r.ok())
        fail(Exit::numerical, "{}", r.problem->what);
  };
  const int steps = options.steps.value_or(64);
  run_steps(16);
  solver->profile.reset();
  const double start = seconds_now();
  run_steps(steps);
  const double ns = (seconds_now() - start) * 1e9 / (n * steps), reference = reference_ns();
  double bytes = 0;
  for (const Column& c : world.particles.columns()) bytes += double(c.data.size());
  const double scratch = double(solver->scratch_bytes());
  const double grid = double(solver->grid_blocks()) * 64 * sizeof(float) * 4;

  if (options.json) {
    fmt::print(
        "{{\"scene\": \"{}\", \"particles\": {}, \"threads\": {}, \"steps\": {}, \"ns\": {:.2f}, \"reference_ns\": "
        "{:.2f}, \"ratio\": {:.3f}",
        options.scene, world.particles.count(), threads, steps, ns, reference, ns / reference);
    fmt::print(", \"bytes_a_particle\": {:.1f}, \"grid_bytes\": {:.0f}, \"stages\": {{", (bytes + scratch - grid) / n,
               grid);
    const char* separator = "";
    for (const auto& s : solver->profile.stages()) {
      fmt::print("{}\"{}\": {:.2f}", separator, s.name, s.seconds * 1e9 / (n * steps));
      separator = ", ";
    }
    fmt::print("}}}}\n");
    return 0;
  }
  fmt::print("{}: {} particles, {} threads, {} steps\n", options.scene, world.particles.count(), threads, steps);
  fmt::print("  {:<20} {:8.1f} ns per particle and step\n", "step", ns);
  for (const auto& s : solver->profile.stages())
    fmt::print("    {:<18} {:8.1f}   {:4.1f} %\n", s.name, s.seconds * 1e9 / (n * steps),
               s.seconds * 1e11 / (n * steps) / ns);
  fmt::print("  {:<20} {:8.1f} ns (plain scalar step, one thread); ratio {:.2f}\n", "reference", reference,
             ns / reference);
  fmt::print("  {:<20} {:8.1f} bytes a particle beyond the grid ({} of grid)\n", "memory", (bytes + scratch - grid) / n,
             bytes_text(grid));
  return 0;
}

}  // namespace knead
