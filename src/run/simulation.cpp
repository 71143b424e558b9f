#include "run/simulation.h"

#include "levels/make_solver.h"
#include "run/advance.h"
#include "run/failure_text.h"
#include "run/stats_row.h"
#include "world/build.h"

namespace knead {

Simulation::Simulation(Scene s) : scene(std::move(s)), solver(make_solver(scene)), warnings(scene.warnings) {
  BuildReport report;
  world = build_world(scene, &report);
  warnings.insert(warnings.end(), report.warnings.begin(), report.warnings.end());
  solver->prepare(world);
  solver->do_events(world);
}

Simulation Simulation::from_file(const std::filesystem::path& file, const std::vector<std::string>& sets) {
  return Simulation(read_scene(file, sets, wrong_measurements));
}

Simulation Simulation::from_text(std::string_view text, const std::vector<std::string>& sets,
                                 const std::filesystem::path& folder) {
  return Simulation(read_scene_text(text, "scene", folder, sets, wrong_measurements));
}

void Simulation::advance_to(double time) {
  try {
    knead::advance_to(time, world, *solver, {});
  } catch (const StepFailure& failure) {
    fail(Exit::numerical, "{}", failure_text(failure, world, scene));
  }
}

void Simulation::advance_frame() {
  if (world.clock.frame > scene.scene.start_frame) world.start_frame();
  advance_to(scene.frame_time(world.clock.frame + 1));
  ++world.clock.frame;
}

}  // namespace knead
