// A simulation that is recorded: the one loop from frame to frame of `knead run`, `view` and `validate`, to a finished
// run folder.
#pragma once

#include "run/progress.h"
#include "run/recorder.h"
#include "run/simulation.h"
#include "run/start.h"
#include "run/warnings.h"

#include <optional>

namespace knead {

// What those who run it do in between.
struct RunHooks {
  std::function<void()> at_start{};  // the folder is taken, nothing is in it yet
  std::function<bool()> stop{};      // asked before each step
  std::function<void(const TimeStep&)> after_step{};
  std::function<void()> at_frame{};     // its time is reached, it is not recorded yet: the scene may change
  std::function<void()> after_frame{};  // it is recorded
};

class RecordedRun {
 public:
  // Touches no file yet; simulation.warnings are all that is known before the first step.
  RecordedRun(const std::shared_ptr<const Scene>&, const RunOptions&, const RunFolder&, Start);

  // Takes the folder and runs all frames that are left. False where it was stopped, a checkpoint written. A Failure is
  // noted in run.json; frames up to it are intact.
  bool run(const RunHooks&);

  Progress& progress() { return *progress_; }
  std::int64_t last_frame() const { return last_frame_; }
  // At a frame: the run goes on with another scene.
  void change_scene(std::shared_ptr<const Scene>, bool looks_only);

  Simulation simulation;

 private:
  void open(bool resuming);
  bool run_frames(const RunHooks&);
  const RunOptions& options_;
  const RunFolder& folder_;
  bool resumed_;
  std::int64_t last_frame_;
  std::shared_ptr<const Scene> recorded_;  // the recorder's
  std::optional<Recorder> recorder_;
  std::optional<TextLog> log_;
  std::optional<Progress> progress_;
  StepWarning step_warning_;
  FrameWarnings frame_warnings_;
};

}  // namespace knead
