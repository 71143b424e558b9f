#include "run/recorded_run.h"

#include "scene/hash.h"

#include <utility>

namespace knead {

RecordedRun::RecordedRun(const std::shared_ptr<const Scene>& scene, const RunOptions& options, const RunFolder& folder,
                         Start start)
    : simulation(scene, std::move(start.world)),
      options_(options),
      folder_(folder),
      resumed_(start.resumed),
      last_frame_(last_frame_of(*scene, options)) {
  simulation.warnings = std::move(start.warnings);
  for (std::string& w : step_warnings(simulation)) simulation.warnings.push_back(std::move(w));
}

void RecordedRun::open(bool resuming) {
  recorder_.reset();
  recorded_ = simulation.shared_scene();
  recorder_.emplace(*recorded_, options_, folder_, scene_hash(*recorded_), simulation.world, resuming, last_frame_);
}

void RecordedRun::change_scene(std::shared_ptr<const Scene> next, bool looks_only) {
  simulation.change_scene(std::move(next), looks_only);  // may fail, which is then recorded
  open(true);
}

bool RecordedRun::run(const RunHooks& hooks) {
  World& world = simulation.world;
  open(resumed_);
  log_.emplace(folder_.log());
  progress_.emplace(world.clock.frame, last_frame_, *log_, options_.observer);
  if (hooks.at_start) hooks.at_start();
  for (const std::string& w : simulation.warnings) progress_->warn(w);
  try {
    const bool finished = run_frames(hooks);
    if (!finished) recorder_->checkpoint(world);
    recorder_->finish(world, finished ? "done" : "stopped");
    return finished;
  } catch (...) {
    if (recorder_) recorder_->fail(world);
    throw;
  }
}

bool RecordedRun::run_frames(const RunHooks& hooks) {
  World& world = simulation.world;
  const Ledger start = simulation.ledger();
  frame_warnings_.watch(simulation.scene(), start);
  if (!resumed_) {
    recorder_->frame(world, *simulation.solver, start);
    recorder_->checkpoint(world);
  } else if (world.clock.frame >= last_frame_) {
    progress_->say(fmt::format("nothing left to do: frame {} is the last", world.clock.frame));
  } else {
    progress_->say(fmt::format("resuming after frame {}, t = {:.4f} s", world.clock.frame, world.clock.time));
  }
  double next = 0;  // s
  const AdvanceHooks in_between{hooks.stop, [&](const TimeStep& step, int retries) {
                                  if (hooks.after_step) hooks.after_step(step);
                                  progress_->step(world, step, retries);
                                  if (const std::string w = step_warning_.of(world, step, next - world.clock.time);
                                      !w.empty())
                                    progress_->warn(w);
                                }};
  while (world.clock.frame < last_frame_) {
    try {
      next = simulation.scene().frame_time(world.clock.frame + 1);
      if (simulation.advance_to(next, in_between) == Advance::stopped) return false;
    } catch (const Failure& failure) {
      fail(failure.code, "{}\n  frames up to {} are intact in {}", failure.what(), world.clock.frame,
           folder_.path().string());
    }
    if (hooks.at_frame) hooks.at_frame();
    ++world.clock.frame;
    const Ledger ledger = simulation.ledger();
    recorder_->frame(world, *simulation.solver, ledger);
    progress_->frame(world, ledger);
    for (const std::string& w : frame_warnings_.of(world, ledger)) progress_->warn(w);
    world.start_frame();
    if (recorder_->checkpoint_due(world) || world.clock.frame == last_frame_) recorder_->checkpoint(world);
    if (hooks.after_frame) hooks.after_frame();
  }
  return true;
}

}  // namespace knead
