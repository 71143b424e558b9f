#include "view/live.h"

#include "base/shell_word.h"
#include "output/run_json.h"
#include "run/stats_row.h"
#include "scene/hash.h"
#include "scene/read.h"
#include "view/live_state.h"

namespace knead {

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

namespace {

bool made_by_a_look(const RunInfo& run) { return run.command.size() > 1 && run.command[1] == "view"; }

RunInfo info_of(const RunFolder& folder) {
  try {
    return read_run_json(folder.run_json());
  } catch (const Failure&) {
    return {};  // whose run it is cannot be told
  }
}

// What an earlier look has made of the same scene file by hand.
void refuse_to_lose_changes(const RunFolder& folder, const RunOptions& options, std::uint64_t hash) {
  const RunInfo run = info_of(folder);
  std::error_code missing;
  if (made_by_a_look(run) && std::filesystem::equivalent(run.scene, options.scene, missing) &&
      run.scene_hash != fmt::format("{:016x}", hash))
    fail(Exit::bad_input,
         "{0} contains a run of {1} that was changed by hand, or of an earlier version of the file; to watch it: knead "
         "view {2}; to start again, give another --out, or --force to overwrite it",
         folder.path().string(), options.scene.string(), shell_word(folder.path().string()));
}

// What was simulated on purpose, or filmed, is not given up for a look; what an earlier look has left is.
void refuse_to_replace(const RunFolder& folder) {
  if (!folder.holds_a_run()) return;
  const std::filesystem::path film = folder.path() / "film.mp4";
  std::error_code none;
  const bool filmed = std::filesystem::exists(film, none);
  if (made_by_a_look(info_of(folder)) && !filmed) return;
  fail(Exit::bad_input,
       "{0} contains a run of this scene{1}, which would be replaced; to watch it: knead view {2}; to simulate again, "
       "give another --out, or --force to overwrite it",
       folder.path().string(), filmed ? " and its film" : "", shell_word(folder.path().string()));
}

}  // namespace

LiveRun::LiveRun(const RunOptions& options, bool paused) {
  auto scene = std::make_shared<const Scene>(read_scene(options.scene, options.sets, wrong_measurements));
  RunFolder folder(options.out.empty() ? std::filesystem::path("runs") / scene->scene.name : options.out);
  state_ = std::make_unique<State>(options, folder);
  state_->scene = state_->original = scene, state_->paused = paused;
  state_->by_hand.resize(scene->events.size());
  // What start_run would refuse is refused here, where the user still reads the terminal.
  std::error_code none;
  if (std::filesystem::is_directory(folder.path(), none)) state_->lock.emplace(folder);
  if (!options.force && !options.resume) refuse_to_lose_changes(folder, options, scene_hash(*scene));
  state_->first = start_run(*scene, options, folder);
  if (!options.force && !state_->first->resumed) refuse_to_replace(folder);
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
  const std::int64_t shown = state_->snapshots.step();
  const std::lock_guard guard(state_->mutex);
  LiveStatus status = state_->status;
  status.shown_step = shown;
  return status;
}

std::shared_ptr<const Scene> LiveRun::scene() const {
  const std::lock_guard guard(state_->mutex);
  return state_->scene;
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
      case LiveOrder::from_file:
        state_->from_file = true;
        [[fallthrough]];
      case LiveOrder::afresh:
        state_->afresh = true;
        [[fallthrough]];
      case LiveOrder::restart:
        state_->restarting = true;
        break;
    }
    // Nothing has happened yet: what waits for the next frame can as well hold from the start.
    const bool moves = order == LiveOrder::play || order == LiveOrder::step || order == LiveOrder::frame;
    const LiveStatus& status = state_->status;
    if (moves && status.phase == LivePhase::paused && status.clock.step == 0 && !state_->events.empty())
      state_->restarting = state_->begins = true;
  }
  state_->changed.notify_all();
}

void LiveRun::keep_pace(double speed) {
  if (!(speed >= 0 && speed <= 1e6)) fail(Exit::bad_input, "a pace must be from 0, which is full speed, to 1e6");
  {
    const std::lock_guard guard(state_->mutex);
    state_->pace = state_->status.pace = speed, state_->paced_since.reset();
  }
  state_->changed.notify_all();
}

void LiveRun::watch() { state_->snapshots.watch(); }

std::shared_ptr<const Frame> LiveRun::now(const std::vector<std::string>& columns) {
  return state_->snapshots.get(columns);
}

std::shared_ptr<const GridVelocities> LiveRun::grid(const Frame& frame) { return state_->snapshots.grid(frame); }

void LiveRun::note(const std::string& line) { state_->note(line); }

}  // namespace knead
