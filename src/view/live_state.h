// What a live run holds: what its simulation shares with those who watch and steer it, and what is the simulation's
// own. The loop is in live_loop.cpp, changes of the scene in live_changes.cpp.
#pragma once

#include "output/folder_lock.h"
#include "run/recorded_run.h"
#include "view/live.h"
#include "view/snapshots.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <set>
#include <thread>

namespace knead {

struct LiveRun::State {
  RunOptions options;
  RunFolder folder;
  std::optional<FolderLock> lock;
  Snapshots snapshots;

  // Shared with the other threads.
  mutable std::mutex mutex;
  std::condition_variable changed;
  LiveStatus status;
  std::shared_ptr<const Scene> scene;
  std::vector<Edit> events;         // that wait for the next frame
  std::vector<Edit> looks;          // that `scene` has, and the one that is recorded not yet
  std::vector<Edit> restart_edits;  // that wait for a restart
  std::set<std::string> files;      // that came from the page
  std::vector<bool> by_hand;        // of the events of `scene`, in order: those that were added while it ran
  bool paused = false, quitting = false, restarting = false;
  bool afresh = false;       // restarting, without these
  bool begins = false;       // restarting before its first step, for what has waited; orders still hold
  bool from_file = false;    // restarting, with the scene as it was first
  int steps_allowed = 0;     // while it is paused
  bool until_frame = false;  // it is paused again
  double pace = 0;           // times the simulated time; 0: as fast as it can
  // The moment from which on it keeps that, or none.
  using Wall = std::chrono::steady_clock;
  std::optional<std::pair<Wall::time_point, double>> paced_since;

  // The simulation's own.
  std::shared_ptr<const Scene> original;  // of the scene file
  std::vector<Edit> restarted_with;       // since it was read
  std::vector<Edit> done_at_start;        // of this run, by hand
  std::optional<Start> first;             // the first start, made before the thread is
  std::thread thread;

  State(const RunOptions& o, RunFolder f) : options(o), folder(std::move(f)) {}

  // The loop.
  void simulate();
  void run_once();
  void go(RecordedRun& run);
  bool attend(const Simulation& simulation);
  Wall::duration ahead(double time);
  void stay(const Simulation& simulation);
  void judge(const Scene& scene);
  void tell(const RecordedRun& run, const TimeStep& step);
  void set_phase(LivePhase phase, const std::string& message = "");
  bool wait_for_restart();

  void note(const std::string& line) const { TextLog(folder.log()).line(line); }

  // Changes.
  void take_changes(RecordedRun& run);
  void take_restart_changes();
  void count_by_hand();
};

}  // namespace knead
