// The thread of a live run: from frame to frame as `knead run` does, with an ear between steps for those who watch.
#include "levels/make_solver.h"
#include "output/expect.h"
#include "run/advance.h"
#include "run/failure_text.h"
#include "run/progress.h"
#include "scene/hash.h"
#include "view/live_state.h"

#include <utility>

namespace knead {

namespace {

constexpr std::chrono::milliseconds a_while(50);  // between two looks at what is asked for, where it stands still

}  // namespace

void LiveRun::State::set_phase(LivePhase phase, const std::string& message) {
  const std::lock_guard guard(mutex);
  status.phase = phase, status.message = message;
}

void LiveRun::State::tell(const LivePart& part, const World& world, const TimeStep& step, std::int64_t last_frame) {
  const std::lock_guard guard(mutex);
  status.clock = world.clock, status.step = step, status.particles = world.particles.count();
  status.last_frame = last_frame, status.stages = part.solver->profile.stages();
}

// How long it is to wait, to keep its pace. What it has lost it does not make up for.
LiveRun::State::Wall::duration LiveRun::State::ahead(double time) {
  if (pace <= 0) return {};
  const auto now = Wall::now();
  if (!paced_since || time < paced_since->second) paced_since = {now, time};
  const auto due = paced_since->first + std::chrono::duration_cast<Wall::duration>(
                                            std::chrono::duration<double>((time - paced_since->second) / pace));
  if (due < now) paced_since = {now, time};
  return due - now;
}

// Between two steps: true when the simulation is to stop here. Waits here while it is paused.
bool LiveRun::State::attend(const LivePart& part, const World& world) {
  for (;;) {
    bool paused_now = false;
    Wall::duration early{};
    {
      const std::lock_guard guard(mutex);
      if (quitting || restarting) return true;
      paused_now = paused && !until_frame;
      if (paused_now && steps_allowed > 0) {
        --steps_allowed;
        return false;
      }
      status.phase = paused_now ? LivePhase::paused : LivePhase::running;
      if (paused_now) paced_since.reset();
      if (!paused_now) early = ahead(world.clock.time);
    }
    snapshots.offer(*part.solver, world, part.scene->solver.dx, paused_now);
    if (!paused_now && early <= Wall::duration::zero()) return false;
    std::unique_lock guard(mutex);
    changed.wait_for(guard, paused_now ? a_while : std::min<Wall::duration>(early, a_while));
  }
}

// At the end: what is asked for is still shown, until it starts again.
void LiveRun::State::stay(const LivePart& part, const World& world) {
  for (;;) {
    snapshots.offer(*part.solver, world, part.scene->solver.dx, true);
    std::unique_lock guard(mutex);
    if (changed.wait_for(guard, a_while, [&] { return quitting || restarting; })) return;
  }
}

// What the scene expects of a whole run, in the log.
void LiveRun::State::judge(const Scene& s) {
  if (s.expects.empty() || options.frames) return;
  const StatsTable table = read_stats(folder.stats());
  for (const Expect& expect : s.expects) try {
      log->line(text_of(knead::judge(expect, table)));
    } catch (const Failure& failure) {
      log->line(fmt::format("'{}' is not judged: {}", expect.name, failure.what()));
    }
}

// All frames that are left, until it is done or told to stop.
void LiveRun::State::go(LivePart& part, World& world, bool resumed, std::int64_t last_frame, Progress& progress) {
  TimeStep last{0, Bound::none};
  const auto listen = [&] {
    using Wall = std::chrono::steady_clock;
    const auto before = Wall::now();
    const bool stops = attend(part, world);
    progress.waited(Wall::now() - before);
    return stops;
  };
  const AdvanceHooks hooks{listen, [&](const World& w, const TimeStep& step, int retries) {
                             tell(part, w, last = step, last_frame);
                             progress.step(w, step, retries);
                           }};
  tell(part, world, last, last_frame);
  if (!resumed) {
    part.recorder->frame(world, *part.solver, part.solver->ledger(world));
    part.recorder->checkpoint(world);
  }
  while (world.clock.frame < last_frame) {
    const double next = part.scene->frame_time(world.clock.frame + 1);
    if (advance_to(next, world, *part.solver, hooks) == Advance::stopped) {
      part.recorder->checkpoint(world);
      part.recorder->finish(world, "stopped");
      return;
    }
    take_changes(part, world, last_frame);
    ++world.clock.frame;
    const Ledger ledger = part.solver->ledger(world);
    part.recorder->frame(world, *part.solver, ledger);
    progress.frame(world, ledger);
    world.start_frame();
    if (part.recorder->checkpoint_due(world) || world.clock.frame == last_frame) part.recorder->checkpoint(world);
    tell(part, world, last, last_frame);
    const std::lock_guard guard(mutex);
    until_frame = false;
  }
  part.recorder->finish(world, "done");
  judge(*part.scene);
  snapshots.offer(*part.solver, world, part.scene->solver.dx, true);
  set_phase(LivePhase::done);
  stay(part, world);
}

// From the start, or where a checkpoint left it, to the end or a restart.
void LiveRun::State::run_once() {
  LivePart part;
  snapshots.clear();
  {
    const std::lock_guard guard(mutex);
    part.scene = part.solved = scene;
    looks.clear();
    status = {.scenes = status.scenes,
              .runs = status.runs + 1,
              .for_restart = status.for_restart,
              .unlike_file = restarted_with.size(),
              .pace = pace};
    count_by_hand();
  }
  const std::int64_t last_frame = last_frame_of(*part.scene);
  Start start =
      first ? std::move(*first) : start_run(*part.scene, options, folder, scene_hash(*part.scene), last_frame);
  first.reset();
  auto& [world, resumed, warnings] = start;
  part.solver = make_solver(*part.scene);
  part.solver->prepare(world);
  part.solver->do_events(world);
  part.recorder.emplace(*part.scene, options, folder, scene_hash(*part.scene), world, resumed, last_frame);
  log.emplace(folder.log());
  Progress progress({options.quiet, options.verbose, options.json}, world.clock.frame, last_frame, *log);
  for (const Edit& edit : restarted_with) log->line("differs from the scene file: " + text_of(edit));
  for (const Edit& edit : std::exchange(done_at_start, {})) log->line("changed at t = 0 s: " + text_of(edit));
  for (const std::string& w : warnings) progress.warn(w);
  {
    const std::lock_guard guard(mutex);
    status.warnings = warnings;
  }
  try {
    go(part, world, resumed, last_frame, progress);
  } catch (const StepFailure& failure) {
    part.recorder->fail(world);
    fail(Exit::numerical, "{}", failure_text(failure, world, *part.scene));
  } catch (...) {
    if (part.recorder) part.recorder->fail(world);
    throw;
  }
}

// False when it is to end.
bool LiveRun::State::wait_for_restart() {
  std::unique_lock guard(mutex);
  changed.wait(guard, [&] { return quitting || restarting; });
  if (quitting) return false;
  restarting = false;
  if (!std::exchange(begins, false)) steps_allowed = 0, until_frame = false;
  status.phase = LivePhase::starting;  // nothing of what follows is told of the run before
  return true;
}

void LiveRun::State::simulate() {
  for (;;) {
    try {
      run_once();
    } catch (const std::exception& error) {
      set_phase(LivePhase::failed, error.what());
      if (log) log->line(fmt::format("error: {}", error.what()));
    }
    if (!wait_for_restart()) return;
    take_restart_changes();
    // The folder is this session's own by now: a restart takes the place of what it has written.
    options.force = true, options.resume = false, options.from_frame.reset();
  }
}

}  // namespace knead
