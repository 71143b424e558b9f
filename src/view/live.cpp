#include "view/live.h"

#include "output/folder_lock.h"
#include "output/whole_file.h"
#include "run/advance.h"
#include "run/check.h"
#include "run/failure_text.h"
#include "run/make_solver.h"
#include "run/progress.h"
#include "run/recorder.h"
#include "run/rest_meshes.h"
#include "run/start.h"
#include "run/stats_row.h"
#include "scene/hash.h"
#include "scene/read.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace knead {

namespace {

using Wall = std::chrono::steady_clock;

// Snapshots may take so much of the time of a simulation that is watched.
constexpr double snapshot_share = 0.02;
// Nobody looks any more when the last question is older.
constexpr std::chrono::seconds watched_for(3);

// Changes that may wait at a time.
constexpr std::size_t most_changes = 1000;

// Tables of points that the page may send.
constexpr std::size_t most_files = 20;

// Columns of snapshots, beyond which those that nobody wants any more are dropped.
constexpr std::size_t most_columns = 12;

// Nodes of the grid in a snapshot.
constexpr std::size_t most_nodes = 40'000;

double frame_time(const Scene& scene, std::int64_t frame) {
  return double(frame - scene.scene.start_frame) / scene.scene.fps;
}

// Everything that belongs to one scene; a change of the scene makes it anew around the same world.
struct Part {
  std::shared_ptr<const Scene> scene, solved;  // the one that is recorded, and the solver's: the same but for its looks
  std::unique_ptr<Solver> solver;
  std::optional<Recorder> recorder;
};

}  // namespace

const char* name_of(LivePhase phase) {
  switch (phase) {
    case LivePhase::starting:
      return "starting";
    case LivePhase::running:
      return "running";
    case LivePhase::paused:
      return "paused";
    case LivePhase::done:
      return "done";
    case LivePhase::failed:
      return "failed";
  }
  return "";
}

struct LiveRun::State {
  RunOptions options;
  RunFolder folder;
  std::optional<FolderLock> lock;
  std::optional<TextLog> log;

  // Shared with the other threads.
  mutable std::mutex mutex;
  std::condition_variable changed;
  LiveStatus status;
  std::shared_ptr<const Scene> scene;
  std::shared_ptr<const Frame> snapshot;
  std::shared_ptr<const GridVelocities> snapshot_grid;  // where it was asked for
  Wall::time_point asked_grid{};                        // last, for one with the grid
  Wall::time_point asked{}, asked_all{};                // last, for a snapshot, and for one of all columns
  std::vector<std::string> columns;                     // of snapshots
  std::vector<Edit> events;                             // that wait for the next frame
  std::vector<Edit> looks;                              // that `scene` has, and the one that is recorded not yet
  std::vector<Edit> restart_edits;                      // that wait for a restart
  std::set<std::string> files;                          // that came from the page
  bool paused = false, quitting = false, restarting = false;
  int steps_allowed = 0;     // while it is paused
  bool until_frame = false;  // it is paused again

  // The simulation's own.
  Wall::time_point next_snapshot{};
  bool shown_all = false;      // the snapshot has all columns
  std::optional<Start> first;  // the first start, made before the thread is
  std::thread thread;

  State(const RunOptions& o, RunFolder f) : options(o), folder(std::move(f)) {}

  void simulate();
  void run_once();
  bool attend(const Part& part, const World& world);
  void stay(const Part& part, const World& world);
  void take_changes(Part& part, World& world, std::int64_t last_frame);
  void offer(const Part& part, const World& world, bool paused_now);
  void set_phase(LivePhase phase, const std::string& message = "");
  std::int64_t last_frame_of(const Scene& s) const { return s.scene.start_frame + options.frames.value_or(s.frames()); }
};

void LiveRun::State::set_phase(LivePhase phase, const std::string& message) {
  const std::lock_guard guard(mutex);
  status.phase = phase, status.message = message;
}

// Makes a snapshot where someone looks and the time for it has come.
void LiveRun::State::offer(const Part& part, const World& world, bool paused_now) {
  const auto now = Wall::now();
  std::vector<std::string> chosen;
  bool with_grid = false;
  {
    const std::lock_guard guard(mutex);
    const bool all = paused_now || now - asked_all < watched_for;
    with_grid = now - asked_grid < watched_for;
    const bool shown = status.shown_step == world.clock.step && (shown_all || !all) && (snapshot_grid || !with_grid);
    if (now - asked > watched_for || shown) return;
    if (!paused_now && now < next_snapshot) return;
    if (!all) chosen = columns.empty() ? std::vector<std::string>{"body", "volume"} : columns;
    shown_all = all;
  }
  std::erase_if(chosen, [&](const std::string& name) { return !world.particles.find(name); });
  auto frame = std::make_shared<Frame>(make_frame(world, chosen, part.scene->solver.dx));
  if (frame->particles.find("R"))  // what surfaces of cracks are made from
    for (const auto stretch : edge_stretches(world)) frame->edge_stretch.emplace_back(stretch.begin(), stretch.end());
  std::shared_ptr<const GridVelocities> grid;
  if (const auto* shows = dynamic_cast<const ShowsGrid*>(part.solver.get()); shows && with_grid)
    grid = std::make_shared<const GridVelocities>(shows->grid_velocities(most_nodes));
  const double cost = std::chrono::duration<double>(Wall::now() - now).count();
  next_snapshot = Wall::now() + std::chrono::duration_cast<Wall::duration>(
                                    std::chrono::duration<double>(std::max(0.04, cost / snapshot_share)));
  const std::lock_guard guard(mutex);
  snapshot = std::move(frame), snapshot_grid = std::move(grid);
  status.shown_step = world.clock.step;
}

// Between two steps: true when the simulation is to stop here. Waits here while it is paused.
bool LiveRun::State::attend(const Part& part, const World& world) {
  for (;;) {
    bool paused_now = false;
    {
      const std::lock_guard guard(mutex);
      if (quitting || restarting) return true;
      paused_now = paused && !until_frame;
      if (paused_now && steps_allowed > 0) {
        --steps_allowed;
        return false;
      }
      status.phase = paused_now ? LivePhase::paused : LivePhase::running;
    }
    offer(part, world, paused_now);
    if (!paused_now) return false;
    std::unique_lock guard(mutex);
    changed.wait_for(guard, std::chrono::milliseconds(50));
  }
}

// At the end: what is asked for is still shown, until it starts again.
void LiveRun::State::stay(const Part& part, const World& world) {
  for (;;) {
    offer(part, world, true);
    std::unique_lock guard(mutex);
    if (changed.wait_for(guard, std::chrono::milliseconds(50), [&] { return quitting || restarting; })) return;
  }
}

// What was changed since the last frame becomes part of the scene, from this moment on.
void LiveRun::State::take_changes(Part& part, World& world, std::int64_t last_frame) {
  std::vector<Edit> happening, looking;
  {
    const std::lock_guard guard(mutex);
    happening.swap(events), looking.swap(looks);
    status.waiting = 0;
  }
  auto next = part.scene;
  bool happened = false;
  const auto take = [&](const Edit& edit, auto make) {
    try {
      next = std::make_shared<const Scene>(make(edit));
      log->line(fmt::format("changed at t = {:.6g} s: {}", world.clock.time, text_of(edit)));
      return true;
    } catch (const Failure& failure) {
      log->line(fmt::format("not changed: {}", failure.what()));
      return false;
    }
  };
  for (const Edit& edit : looking) take(edit, [&](const Edit& e) { return with_changes(*next, {e}); });
  for (const Edit& edit : happening)
    happened |= take(edit, [&](const Edit& e) { return with_event(*next, e, world.clock.time); });
  if (next == part.scene) return;
  part.recorder.reset();
  part.scene = next;
  if (happened) {
    part.solver = make_solver(*next);
    part.solved = next;
    part.solver->prepare(world);
    part.solver->do_events(world);
  }
  part.recorder.emplace(*next, options, folder, scene_hash(*next), world, true, last_frame);
  const std::lock_guard guard(mutex);
  scene = looks.empty() ? next : std::make_shared<const Scene>(with_changes(*next, looks));
  ++status.scenes;
}

void LiveRun::State::run_once() {
  Part part;
  {
    const std::lock_guard guard(mutex);
    part.scene = part.solved = scene;
    looks.clear();
    snapshot.reset(), snapshot_grid.reset();
    status = {.scenes = status.scenes, .runs = status.runs + 1, .for_restart = status.for_restart};
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
  for (const std::string& w : warnings) progress.warn(w);
  const auto tell = [&](const TimeStep& step) {
    const std::lock_guard guard(mutex);
    status.clock = world.clock, status.step = step, status.particles = world.particles.count();
    status.last_frame = last_frame, status.stages = part.solver->profile.stages();
  };
  const AdvanceHooks hooks{[&] { return attend(part, world); },
                           [&](const World& w, const TimeStep& step, int retries) {
                             tell(step);
                             progress.step(w, step, retries);
                           }};
  try {
    tell({0, Bound::none});
    if (!resumed) {
      part.recorder->frame(world, *part.solver, part.solver->ledger(world));
      part.recorder->checkpoint(world);
    }
    while (world.clock.frame < last_frame) {
      const double next = frame_time(*part.scene, world.clock.frame + 1);
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
      tell(status.step);
      const std::lock_guard guard(mutex);
      until_frame = false;
    }
    part.recorder->finish(world, "done");
    offer(part, world, true);
    set_phase(LivePhase::done);
    stay(part, world);
  } catch (const StepFailure& failure) {
    part.recorder->fail(world);
    fail(Exit::numerical, "{}", failure_text(failure, world, *part.scene));
  } catch (...) {
    if (part.recorder) part.recorder->fail(world);
    throw;
  }
}

void LiveRun::State::simulate() {
  for (;;) {
    try {
      run_once();
    } catch (const std::exception& error) {
      set_phase(LivePhase::failed, error.what());
      if (log) log->line(fmt::format("error: {}", error.what()));
    }
    std::unique_lock guard(mutex);
    changed.wait(guard, [&] { return quitting || restarting; });
    if (quitting) return;
    restarting = false, steps_allowed = 0, until_frame = false;
    events.clear();
    // The folder is this session's own by now: a restart takes the place of what it has written.
    options.force = true, options.resume = false, options.from_frame.reset();
    if (restart_edits.empty()) continue;
    const auto before = scene;
    const auto edits = restart_edits;
    const auto known = files;
    guard.unlock();
    try {
      auto next = std::make_shared<const Scene>(with_changes(*before, edits, known));
      guard.lock();
      scene = next;
      restart_edits.clear();
      status.for_restart = 0;
      ++status.scenes;
    } catch (const Failure& failure) {
      log->line(fmt::format("not changed: {}", failure.what()));
    }
  }
}

LiveRun::LiveRun(const RunOptions& options, bool paused) {
  auto scene = std::make_shared<const Scene>(read_scene(options.scene, options.sets, wrong_measurements));
  RunFolder folder(options.out.empty() ? std::filesystem::path("runs") / scene->scene.name : options.out);
  state_ = std::make_unique<State>(options, folder);
  state_->scene = scene, state_->paused = paused;
  // What start_run would refuse is refused here, where the user still reads the terminal.
  std::error_code none;
  if (std::filesystem::is_directory(folder.path(), none)) state_->lock.emplace(folder);
  state_->first = start_run(*scene, options, folder, scene_hash(*scene), state_->last_frame_of(*scene));
  folder.prepare();
  if (!state_->lock) state_->lock.emplace(folder);
  state_->thread = std::thread([this] { state_->simulate(); });
}

LiveRun::~LiveRun() {
  {
    const std::lock_guard guard(state_->mutex);
    state_->quitting = true;
  }
  state_->changed.notify_all();
  state_->thread.join();
}

const RunFolder& LiveRun::folder() const { return state_->folder; }

LiveStatus LiveRun::status() const {
  const std::lock_guard guard(state_->mutex);
  return state_->status;
}

std::shared_ptr<const Scene> LiveRun::scene() const {
  const std::lock_guard guard(state_->mutex);
  return state_->scene;
}

std::shared_ptr<const Scene> LiveRun::next_scene() const {
  std::unique_lock guard(state_->mutex);
  auto scene = state_->scene;
  const auto edits = state_->restart_edits;
  const auto files = state_->files;
  guard.unlock();
  return edits.empty() ? scene : std::make_shared<const Scene>(with_changes(*scene, edits, files));
}

void LiveRun::order(LiveOrder order) {
  {
    const std::lock_guard guard(state_->mutex);
    switch (order) {
      case LiveOrder::play:
        state_->paused = false;
        break;
      case LiveOrder::pause:
        state_->paused = true, state_->until_frame = false;
        break;
      case LiveOrder::step:
        state_->paused = true, state_->until_frame = false, ++state_->steps_allowed;
        break;
      case LiveOrder::frame:
        state_->paused = true, state_->until_frame = true;
        break;
      case LiveOrder::restart:
        state_->restarting = true;
        break;
    }
  }
  state_->changed.notify_all();
}

Acts LiveRun::change(const Edit& edit) {
  State& state = *state_;
  std::unique_lock guard(state.mutex);
  const auto scene = state.scene;
  std::vector<Edit> edits = state.restart_edits;
  const auto files = state.files;
  const double next = frame_time(*scene, state.status.clock.frame + 1);
  const LivePhase phase = state.status.phase;
  if (state.events.size() + edits.size() >= most_changes)
    fail(Exit::bad_input, "{} changes wait already; go on or restart first", most_changes);
  guard.unlock();
  if (edit.kind == Edit::Kind::event) {
    if (phase == LivePhase::done || phase == LivePhase::failed)
      fail(Exit::bad_input, "the run has ended, so that nothing can happen in it any more; restart it first");
    const Scene changed = with_event(*scene, edit, next);  // fails where it is wrong
    if (changed.needs_rest_positions() && !scene->needs_rest_positions())
      fail(Exit::bad_input,
           "X, Y and Z are where matter started, which this run has not kept; use x, y and z, where it is, or add the "
           "event to the scene for a restart");
    guard.lock();
    state.events.push_back(edit);
    state.status.waiting = state.events.size();
    return Acts::next_frame;
  }
  // Where changes wait, the number of a part may be another one until then.
  const bool numbered = !edit.path.starts_with("camera.") && !edit.path.starts_with("scene.");
  if (acts_of(edit.path) == Acts::live && (edits.empty() || !numbered)) {
    auto looking = std::make_shared<const Scene>(with_changes(*scene, {edit}));
    guard.lock();
    if (state.scene != scene) looking = std::make_shared<const Scene>(with_changes(*state.scene, {edit}));
    state.scene = looking;
    state.looks.push_back(edit);
    ++state.status.scenes;
    return Acts::live;
  }
  edits.push_back(edit);
  with_changes(*scene, edits, files);
  guard.lock();
  state.restart_edits.push_back(edit);
  state.status.for_restart = state.restart_edits.size();
  guard.unlock();
  note("for the next start: " + text_of(edit));
  return Acts::after_restart;
}

void LiveRun::forget() {
  {
    const std::lock_guard guard(state_->mutex);
    state_->restart_edits.clear();
    state_->status.for_restart = 0;
  }
  note("forgotten: what waited for the next start");
}

void LiveRun::watch() {
  const std::lock_guard guard(state_->mutex);
  state_->asked = Wall::now();
}

std::shared_ptr<const Frame> LiveRun::now(const std::vector<std::string>& columns) {
  const std::lock_guard guard(state_->mutex);
  state_->asked = Wall::now();
  if (columns.empty()) state_->asked_all = state_->asked;
  if (state_->columns.size() > most_columns) state_->columns.clear();  // several pages with unlike wishes
  for (const std::string& name : columns)
    if (std::find(state_->columns.begin(), state_->columns.end(), name) == state_->columns.end())
      state_->columns.push_back(name);
  return state_->snapshot;
}

std::string LiveRun::keep_points(const std::string& csv) {
  const std::lock_guard guard(state_->mutex);
  if (state_->files.size() >= most_files)
    fail(Exit::bad_input, "{} tables of points are kept already; name further files in the scene", most_files);
  std::filesystem::path path;
  for (int n = 1; path.empty() || std::filesystem::exists(path); ++n)
    path = state_->folder.path() / fmt::format("points-{}.csv", n);
  write_whole(path, csv);
  const std::string name = std::filesystem::absolute(path).lexically_normal().string();
  state_->files.insert(name);
  return name;
}

std::shared_ptr<const GridVelocities> LiveRun::grid(const Frame& frame) {
  const std::lock_guard guard(state_->mutex);
  state_->asked_grid = Wall::now();
  return state_->snapshot.get() == &frame ? state_->snapshot_grid : nullptr;
}

void LiveRun::note(const std::string& line) { TextLog(state_->folder.log()).line(line); }

}  // namespace knead
