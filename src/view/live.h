// A simulation that goes on while it is watched: in a thread of its own, into a run folder like any other, steered by
// commands that it reads between its steps.
//
// What is changed while it runs becomes an event of the scene, at the next frame's time. The scene in the run folder
// then has that event, so that a run of it does what the session did. What no particle feels changes at once.
#pragma once

#include "output/frame_file.h"
#include "output/run_folder.h"
#include "run/run.h"
#include "view/edits.h"
#include "world/grid_velocities.h"
#include "world/solver.h"

#include <memory>
#include <optional>

namespace knead {

enum class LivePhase { starting, running, paused, done, failed };
const char* name_of(LivePhase);

// step: one of the method; frame: up to the next; afresh: a restart without what was done by hand.
// A restart repeats what was done by hand; afresh it does not; from the file it forgets what was set and added too.
enum class LiveOrder { play, pause, step, frame, restart, afresh, from_file };

struct LiveStatus {
  LivePhase phase = LivePhase::starting;
  std::string message{};  // why it failed
  Clock clock{};
  TimeStep step{0, Bound::none};  // the last one
  std::int64_t last_frame = 0;
  std::size_t particles = 0;
  std::int64_t shown_step = -1;        // of the snapshot that there is
  std::int64_t scenes = 0;             // how often the scene has changed
  std::int64_t runs = 0;               // how often it was started
  std::size_t waiting = 0;             // changes that wait for the next frame
  std::size_t for_restart = 0;         // and for a restart
  std::size_t unlike_file = 0;         // changes since the scene file was read that a restart took over
  std::vector<std::size_t> by_hand{};  // which events were added while it ran, that a restart repeats
  std::vector<Profile::Stage> stages{};
  std::vector<std::string> warnings{};  // of its start
  double pace = 0;                      // that it keeps; 0: as fast as it can
};

class LiveRun {
 public:
  // Reads the scene and takes the folder; whatever is wrong fails before anything is written.
  LiveRun(const RunOptions& options, bool paused);
  // Stops after the step, with a checkpoint.
  ~LiveRun();
  LiveRun(const LiveRun&) = delete;

  const RunFolder& folder() const;

  // From any thread.
  LiveStatus status() const;
  std::shared_ptr<const Scene> scene() const;       // as it runs, with the events that were added
  std::shared_ptr<const Scene> next_scene() const;  // with what a restart would change
  void order(LiveOrder);
  // At most so many times the simulated time; 0: as fast as it can. Fails (bad_input) on what is no pace.
  void keep_pace(double speed);
  // Checked before it is taken: fails (bad_input) as reading a scene does. Gives when it acts.
  Acts change(const Edit&);
  // What waits for the next frame, or for a restart, is dropped.
  void forget(Acts);
  // The first of what waits, in words.
  struct Pending {
    std::vector<std::string> next_frame, after_restart;
  };
  Pending pending() const;
  // Somebody looks: snapshots are made for some seconds.
  void watch();
  // The state as it was a moment ago; none before the first. The next ones have these columns, or all where none are
  // named; while the simulation is paused they have all.
  std::shared_ptr<const Frame> now(const std::vector<std::string>& columns);
  // The velocities of the solver's grid at the snapshot that `frame` is; none where it was made without them, as the
  // next ones will not be.
  std::shared_ptr<const GridVelocities> grid(const Frame& frame);
  void note(const std::string& line);  // in the run's log
  // Keeps a table of points in the run folder, for a body that is added; gives the file.
  std::string keep_points(const std::string& csv);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace knead
