// The thread of a live run: from frame to frame as `knead run` does, with an ear between steps for those who watch.
#include "output/expect.h"
#include "output/text_log.h"
#include "view/live_state.h"

#include <utility>

namespace knead {

namespace {

constexpr std::chrono::milliseconds a_while(50);  // between two looks at what is asked for, where it stands still
constexpr double for_good = 1e6;                  // s, longer than anybody waits: a clock has no room for all numbers

}  // namespace

void LiveRun::State::set_phase(LivePhase phase, const std::string& message) {
  const std::lock_guard guard(mutex);
  status.phase = phase, status.message = message;
}

void LiveRun::State::tell(const RecordedRun& run, const TimeStep& step) {
  const World& world = run.simulation.world;
  const std::lock_guard guard(mutex);
  status.clock = world.clock, status.step = step, status.particles = world.particles.count();
  status.last_frame = run.last_frame(), status.stages = run.simulation.solver->profile.stages();
}

// How long it is to wait, to keep its pace. What it has lost it does not make up for.
LiveRun::State::Wall::duration LiveRun::State::ahead(double time) {
  if (pace <= 0) return {};
  const auto now = Wall::now();
  if (!paced_since || time < paced_since->second) paced_since = {now, time};
  const std::chrono::duration<double> wait(std::min((time - paced_since->second) / pace, for_good));
  const auto due = paced_since->first + std::chrono::duration_cast<Wall::duration>(wait);
  if (due < now) paced_since = {now, time};
  return due - now;
}

// Between two steps: true when the simulation is to stop here. Waits here while it is paused.
bool LiveRun::State::attend(const Simulation& simulation) {
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
      if (!paused_now) early = ahead(simulation.time());
    }
    snapshots.offer(simulation, paused_now);
    if (!paused_now && early <= Wall::duration::zero()) return false;
    std::unique_lock guard(mutex);
    changed.wait_for(guard, paused_now ? a_while : std::min<Wall::duration>(early, a_while));
  }
}

// At the end: what is asked for is still shown, until it starts again.
void LiveRun::State::stay(const Simulation& simulation) {
  for (;;) {
    snapshots.offer(simulation, true);
    std::unique_lock guard(mutex);
    if (changed.wait_for(guard, a_while, [&] { return quitting || restarting; })) return;
  }
}

// What the scene expects of a whole run, in the log.
void LiveRun::State::judge(const Scene& s) {
  if (s.expects.empty() || options.frames) return;
  const StatsTable table = read_stats(folder.stats());
  for (const Expect& expect : s.expects) try {
      note(text_of(knead::judge(expect, table)));
    } catch (const Failure& failure) {
      note(fmt::format("'{}' is not judged: {}", expect.name, failure.what()));
    }
}

// All frames that are left, until it is done or told to stop.
void LiveRun::State::go(RecordedRun& run) {
  const Simulation& simulation = run.simulation;
  TimeStep last{0, Bound::none};
  const auto at_start = [&] {
    for (const Edit& edit : restarted_with) note("differs from the scene file: " + text_of(edit));
    for (const Edit& edit : std::exchange(done_at_start, {})) note("changed at t = 0 s: " + text_of(edit));
    tell(run, last);
    const std::lock_guard guard(mutex);
    status.warnings = simulation.warnings;
  };
  const auto listen = [&] {
    const auto before = Wall::now();
    const bool stops = attend(simulation);
    run.progress().waited(Wall::now() - before);
    return stops;
  };
  const auto after_frame = [&] {
    tell(run, last);
    const std::lock_guard guard(mutex);
    until_frame = false;
  };
  const auto after_step = [&](const TimeStep& step) { tell(run, last = step); };
  if (!run.run({at_start, listen, after_step, [&] { take_changes(run); }, after_frame})) return;
  judge(simulation.scene());
  snapshots.offer(simulation, true);
  set_phase(LivePhase::done);
  stay(simulation);
}

// From the start, or where a checkpoint left it, to the end or a restart.
void LiveRun::State::run_once() {
  snapshots.clear();
  std::shared_ptr<const Scene> started;
  {
    const std::lock_guard guard(mutex);
    started = scene;
    looks.clear();
    status = {.scenes = status.scenes,
              .runs = status.runs + 1,
              .for_restart = status.for_restart,
              .unlike_file = restarted_with.size(),
              .pace = pace};
    count_by_hand();
  }
  Start start = first ? std::move(*first) : start_run(*started, options, folder);
  first.reset();
  RecordedRun run(started, options, folder, std::move(start));
  go(run);
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
      note(fmt::format("error: {}", error.what()));
    }
    if (!wait_for_restart()) return;
    take_restart_changes();
    // The folder is this session's own by now: a restart takes the place of what it has written.
    options.force = true, options.resume = false, options.from_frame.reset();
  }
}

}  // namespace knead
