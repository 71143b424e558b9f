// Changes of a live run's scene: checked when they come, taken over at the next frame or with a restart.
#include "output/whole_file.h"
#include "view/live_state.h"

#include <charconv>
#include <utility>

namespace knead {

namespace {

// Changes that may wait at a time.
constexpr std::size_t most_changes = 1000;

// Tables of points that the page may send.
constexpr std::size_t most_files = 20;

// What is told of those that wait.
constexpr std::size_t most_told = 20, longest_told = 200;

std::vector<std::string> told(const std::vector<Edit>& edits) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < std::min(edits.size(), most_told); ++i)
    texts.push_back(text_of(edits[i]).substr(0, longest_told));
  return texts;
}

// Which events were done by hand, after an edit of the scene that they are in.
void follow(std::vector<bool>& by_hand, const Edit& edit) {
  if (edit.path == "event" && edit.kind == Edit::Kind::add) return by_hand.push_back(false);
  if (edit.path == "event") return by_hand.clear();
  if (edit.kind != Edit::Kind::remove || !edit.path.starts_with("event.")) return;
  std::size_t number = by_hand.size();
  const char *first = edit.path.data() + 6, *last = edit.path.data() + edit.path.size();
  const auto [end, error] = std::from_chars(first, last, number);
  if (error == std::errc() && end == last && number < by_hand.size())
    by_hand.erase(by_hand.begin() + std::ptrdiff_t(number));
}

// An event that could not be repeated is refused, as is any after the end.
void check_event(const Scene& scene, const Edit& edit, double time, LivePhase phase) {
  if (phase == LivePhase::done || phase == LivePhase::failed)
    fail(Exit::bad_input, "the run has ended, so nothing can happen in it; restart it first");
  const Scene changed = with_event(scene, edit, time);  // fails where it is wrong
  if (changed.needs_rest_positions() && !scene.needs_rest_positions())
    fail(Exit::bad_input,
         "X, Y and Z are initial positions, which this run has not stored; use x, y and z, the current positions, or "
         "add the event to the scene for a restart");
}

}  // namespace

Acts LiveRun::change(const Edit& edit) {
  State& state = *state_;
  std::unique_lock guard(state.mutex);
  const auto scene = state.scene;
  std::vector<Edit> edits = state.restart_edits;
  const auto files = state.files;
  const double next = scene->frame_time(state.status.clock.frame + 1);
  const LivePhase phase = state.status.phase;
  if (state.events.size() + edits.size() >= most_changes)
    fail(Exit::bad_input, "{} changes are already waiting; resume or restart first", most_changes);
  guard.unlock();
  if (edit.kind == Edit::Kind::event) {
    check_event(*scene, edit, next, phase);
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

std::shared_ptr<const Scene> LiveRun::next_scene() const {
  std::unique_lock guard(state_->mutex);
  auto scene = state_->scene;
  const auto edits = state_->restart_edits;
  const auto files = state_->files;
  guard.unlock();
  return edits.empty() ? scene : std::make_shared<const Scene>(with_changes(*scene, edits, files));
}

void LiveRun::forget(Acts which) {
  const bool soon = which == Acts::next_frame;
  {
    const std::lock_guard guard(state_->mutex);
    (soon ? state_->events : state_->restart_edits).clear();
    (soon ? state_->status.waiting : state_->status.for_restart) = 0;
  }
  note(fmt::format("discarded: what waited for the next {}", soon ? "frame" : "start"));
}

LiveRun::Pending LiveRun::pending() const {
  const std::lock_guard guard(state_->mutex);
  return {told(state_->events), told(state_->restart_edits)};
}

std::string LiveRun::keep_points(const std::string& csv) {
  const std::lock_guard guard(state_->mutex);
  if (state_->files.size() >= most_files)
    fail(Exit::bad_input, "{} tables of points are already stored; name further files in the scene", most_files);
  std::filesystem::path path;
  for (int n = 1; path.empty() || std::filesystem::exists(path); ++n)
    path = state_->folder.path() / fmt::format("points-{}.csv", n);
  write_whole(path, csv);
  std::string name = std::filesystem::absolute(path).lexically_normal().string();
  state_->files.insert(name);
  return name;
}

// What was changed since the last frame becomes part of the scene, from this moment on.
void LiveRun::State::take_changes(RecordedRun& run) {
  const double now = run.simulation.time();
  std::vector<Edit> happening, looking;
  {
    const std::lock_guard guard(mutex);
    happening.swap(events), looking.swap(looks);
    status.waiting = 0;
  }
  const std::shared_ptr<const Scene> before = run.simulation.shared_scene();
  auto next = before;
  std::size_t happened = 0;
  const auto take = [&](const Edit& edit, auto make) {
    try {
      next = std::make_shared<const Scene>(make(edit));
      note(fmt::format("changed at t = {:.6g} s: {}", now, text_of(edit)));
      return true;
    } catch (const Failure& failure) {
      note(fmt::format("not changed: {}", failure.what()));
      return false;
    }
  };
  for (const Edit& edit : looking) take(edit, [&](const Edit& e) { return with_changes(*next, {e}); });
  for (const Edit& edit : happening) happened += take(edit, [&](const Edit& e) { return with_event(*next, e, now); });
  if (next == before) return;
  run.change_scene(next, happened == 0);
  const std::lock_guard guard(mutex);
  scene = looks.empty() ? next : std::make_shared<const Scene>(with_changes(*next, looks));
  by_hand.insert(by_hand.end(), happened, true);
  count_by_hand();
  ++status.scenes;
}

// Those that happen before the end.
void LiveRun::State::count_by_hand() {
  status.by_hand.clear();
  for (std::size_t i = 0; i < by_hand.size(); ++i)
    if (by_hand[i] && scene->events[i].time <= scene->scene.duration) status.by_hand.push_back(i);
}

// What has waited for it becomes part of the scene, and what was done by hand none any more where it starts afresh;
// nothing of it, where it does not fit what has happened meanwhile. What has waited for the next frame, which does not
// come any more, happens at the start.
void LiveRun::State::take_restart_changes() {
  const std::lock_guard guard(mutex);
  std::vector<Edit> edits = restart_edits, soon;
  soon.swap(events);
  if (std::exchange(from_file, false)) {
    scene = original;
    by_hand.assign(scene->events.size(), false);
    edits.clear(), restart_edits.clear(), restarted_with.clear();
    status.for_restart = 0;
    ++status.scenes;
  }
  std::vector<bool> kept = by_hand;
  for (const Edit& edit : edits) follow(kept, edit);
  if (std::exchange(afresh, false)) {
    soon.clear();
    for (std::size_t i = kept.size(); i-- > 0;)
      if (kept[i])
        edits.push_back({Edit::Kind::remove, fmt::format("event.{}", i)}), kept.erase(kept.begin() + std::ptrdiff_t(i));
  }
  const auto take = [&](auto make) {
    try {
      scene = std::make_shared<const Scene>(make());
      ++status.scenes;
      return true;
    } catch (const Failure& failure) {
      note(fmt::format("not changed: {}", failure.what()));
      return false;
    }
  };
  if (!edits.empty() && take([&] { return with_changes(*scene, edits, files); })) {
    kept.resize(scene->events.size());
    by_hand = std::move(kept);
    restarted_with.insert(restarted_with.end(), restart_edits.begin(), restart_edits.end());
    restart_edits.clear();
    status.for_restart = 0;
  }
  for (const Edit& edit : soon)
    if (take([&] { return with_event(*scene, edit, 0); })) by_hand.push_back(true), done_at_start.push_back(edit);
}

}  // namespace knead
