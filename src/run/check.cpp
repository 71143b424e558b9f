#include "run/check.h"

#include "base/system.h"
#include "run/make_solver.h"
#include "run/progress.h"
#include "run/stats_row.h"
#include "world/build.h"

#include <chrono>

namespace knead {

namespace {

// Frame files that a run writes: the first, every so many, and the last.
int frame_files(const Scene& scene) { return (scene.frames() + scene.output.every - 1) / scene.output.every + 1; }

}  // namespace

std::vector<std::string> step_warnings(const Scene& scene, const World& world) {
  if (!scene.solver.dt || !scene.solver.is_explicit()) return {};
  Scene unfixed = scene;
  unfixed.solver.dt.reset(), unfixed.solver.dt_max.reset();
  const std::unique_ptr<Solver> solver = make_solver(unfixed);
  World copy;
  // A method without a grid knows its neighbourhoods only once it is prepared.
  if (scene.solver.is_meshless()) copy = world, solver->prepare(copy);
  const TimeStep stable = solver->max_dt(scene.solver.is_meshless() ? copy : world);
  if (*scene.solver.dt <= stable.dt) return {};
  return {
      fmt::format("solver.dt = {:.3g} s is above the stable bound of {:.3g} s (set by: {}); the run may explode: "
                  "matter shakes and flies apart, and steps are refused and halved until the run gives up; leave "
                  "solver.dt out, or give at most {:.3g} s",
                  *scene.solver.dt, stable.dt, name_of(stable.bound), stable.dt)};
}

CheckReport check_scene(const Scene& scene) {
  check_expectations(scene);
  CheckReport r;
  r.warnings = scene.warnings;
  BuildReport build;
  World world = build_world(scene, &build);
  r.warnings.insert(r.warnings.end(), build.warnings.begin(), build.warnings.end());
  r.particles = static_cast<std::int64_t>(world.particles.count());
  const std::unique_ptr<Solver> solver = make_solver(scene);
  solver->prepare(world);
  const TimeStep first = solver->max_dt(world);
  r.dt = first.dt;
  r.bound = name_of(first.bound);
  r.wave_speed = world.tally.max_wave_speed;
  for (std::string& w : step_warnings(scene, world)) r.warnings.push_back(std::move(w));

  // A few real steps tell the grid's size and the speed of this machine.
  using Watch = std::chrono::steady_clock;
  double seconds = 0;
  int steps = 0;
  for (; steps < 8 && seconds < 2; ++steps) {
    const auto start = Watch::now();
    if (!solver->step(world, solver->max_dt(world).dt).ok()) break;
    const double took = std::chrono::duration<double>(Watch::now() - start).count();
    seconds += steps == 0 ? 0 : took;  // the first one allocates
  }
  r.cells = static_cast<std::int64_t>(solver->grid_blocks()) * 64;
  const double duration = scene.frames() / scene.scene.fps;
  r.steps = std::ceil(duration / r.dt);
  r.seconds = steps > 1 ? r.steps * seconds / (steps - 1) : 0;
  double bytes = 0;
  for (const Column& c : world.particles.columns()) bytes += double(c.data.size());
  r.memory = bytes + double(solver->scratch_bytes());
  r.disk = bytes * (double(frame_files(scene)) + std::min(scene.output.keep_checkpoints, scene.frames() + 1));
  return r;
}

std::string to_text(const Scene& scene, const CheckReport& r) {
  std::string t = fmt::format("{}: {}D, {} bodies, {} colliders\n", scene.scene.name, scene.scene.dimension,
                              scene.bodies.size(), scene.colliders.size());
  const auto line = [&](const char* name, const std::string& value) { t += fmt::format("  {:<14} {}\n", name, value); };
  line("particles", fmt::format("{}", r.particles));
  line("grid", fmt::format("{} nodes at the start, dx = {:.4g} m", r.cells, scene.solver.dx));
  line("memory", bytes_text(r.memory));
  line("disk", fmt::format("{} for {} frames and the last {} checkpoints", bytes_text(r.disk), frame_files(scene),
                           scene.output.keep_checkpoints));
  line("wave speed", fmt::format("{:.4g} m/s", r.wave_speed));
  line("first step", fmt::format("{:.4g} s, set by: {}", r.dt, r.bound));
  line("steps", fmt::format("about {:.0f}", r.steps));
  line("time", fmt::format("about {} on this machine", duration_text(r.seconds)));
  return t;
}

std::string to_json(const CheckReport& r) {
  return fmt::format(
      "{{\"particles\": {}, \"cells\": {}, \"memory\": {:.0f}, \"disk\": {:.0f}, \"wave_speed\": {}, \"dt\": {}, "
      "\"bound\": \"{}\", \"steps\": {:.0f}, "
      "\"seconds\": {:.3g}, \"warnings\": {}}}\n",
      r.particles, r.cells, r.memory, r.disk, r.wave_speed, r.dt, r.bound, r.steps, r.seconds, r.warnings.size());
}

}  // namespace knead
