#include "run/simulation.h"

#include "levels/make_solver.h"
#include "run/failure_text.h"
#include "run/stats_row.h"
#include "world/build.h"

namespace knead {

Simulation::Simulation(Scene s) : scene_(std::make_shared<const Scene>(std::move(s))) {
  BuildReport report;
  world = build_world(*scene_, &report);
  warnings = scene_->warnings;
  warnings.insert(warnings.end(), report.warnings.begin(), report.warnings.end());
  notes = std::move(report.notes);
  start();
}

Simulation::Simulation(std::shared_ptr<const Scene> s, World w) : world(std::move(w)), scene_(std::move(s)) { start(); }

Simulation Simulation::from_file(const std::filesystem::path& file, const std::vector<std::string>& sets) {
  return Simulation(read_scene(file, sets, wrong_measurements));
}

Simulation Simulation::from_text(std::string_view text, const std::vector<std::string>& sets,
                                 const std::filesystem::path& folder) {
  return Simulation(read_scene_text(text, "scene", folder, sets, wrong_measurements));
}

void Simulation::start() {
  solved_ = scene_;
  solver = make_solver(*solved_);
  solver->prepare(world);
  solver->do_events(world);
}

void Simulation::change_scene(std::shared_ptr<const Scene> next, bool looks_only) {
  scene_ = std::move(next);
  if (!looks_only) start();
}

Advance Simulation::advance_to(double time, const AdvanceHooks& hooks) try {
  return knead::advance_to(time, world, *solver, hooks);
} catch (const StepFailure& failure) {
  throw Failure(Exit::numerical, failure_text(failure, world, *scene_));
}

TimeStep Simulation::step_towards(double time) {
  TimeStep done{0, Bound::none};
  advance_to(time, {[&] { return done.dt > 0; }, [&](const TimeStep& step, int) { done = step; }});
  return done;
}

void Simulation::advance_frame() {
  if (world.clock.frame > scene_->scene.start_frame) world.start_frame();
  advance_to(scene_->frame_time(world.clock.frame + 1));
  ++world.clock.frame;
}

}  // namespace knead
