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

// What was simulated on purpose, or filmed, is not given up for a look; what an earlier look has left is.
void refuse_to_replace(const RunFolder& folder) {
  if (!folder.holds_a_run()) return;
  std::vector<std::string> command;
  try {
    command = read_run_json(folder.run_json()).command;
  } catch (const Failure&) {
    // Whose run it is cannot be told.
  }
  const std::filesystem::path film = folder.path() / "film.mp4";
  std::error_code none;
  const bool filmed = std::filesystem::exists(film, none);
  if (command.size() > 1 && command[1] == "view" && !filmed) return;
  fail(Exit::bad_input,
       "{0} holds a run of this scene{1}, which would be replaced; to look at it: knead view {2}; to simulate anew, "
       "give "
       "another --out, or --force to overwrite it",
       folder.path().string(), filmed ? " and its film" : "", shell_word(folder.path().string()));
}

}  // namespace

LiveRun::LiveRun(const RunOptions& options, bool paused) {
  auto scene = std::make_shared<const Scene>(read_scene(options.scene, options.sets, wrong_measurements));
  RunFolder folder(options.out.empty() ? std::filesystem::path("runs") / scene->scene.name : options.out);
  state_ = std::make_unique<State>(options, folder);
  state_->scene = scene, state_->paused = paused;
  state_->by_hand.resize(scene->events.size());
  // What start_run would refuse is refused here, where the user still reads the terminal.
  std::error_code none;
  if (std::filesystem::is_directory(folder.path(), none)) state_->lock.emplace(folder);
  state_->first = start_run(*scene, options, folder, scene_hash(*scene), state_->last_frame_of(*scene));
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
      case LiveOrder::afresh:
        state_->afresh = true;
        [[fallthrough]];
      case LiveOrder::restart:
        state_->restarting = true;
        break;
    }
  }
  state_->changed.notify_all();
}

void LiveRun::watch() { state_->snapshots.watch(); }

std::shared_ptr<const Frame> LiveRun::now(const std::vector<std::string>& columns) {
  return state_->snapshots.get(columns);
}

std::shared_ptr<const GridVelocities> LiveRun::grid(const Frame& frame) { return state_->snapshots.grid(frame); }

void LiveRun::note(const std::string& line) { TextLog(state_->folder.log()).line(line); }

}  // namespace knead
