// The frame loop: from a scene file to a finished run folder.
#pragma once

#include "run/run_observer.h"
#include "scene/scene.h"

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace knead {

struct RunOptions {
  std::filesystem::path scene, out;  // an empty `out` is runs/NAME
  std::vector<std::string> sets;     // path=value, over the scene file
  std::vector<std::string> command;  // as typed, for run.json
  std::vector<std::string> further;  // flags of the command alone, which the resume hint repeats
  std::optional<int> frames, threads;
  std::optional<int> from_frame;
  bool resume = false;
  bool force = false;               // overwrite what is in the folder
  bool force_scene = false;         // resume although the scene has changed
  bool strict = false;              // warnings are errors
  RunObserver* observer = nullptr;  // is told how it goes
  std::chrono::steady_clock::time_point given_at = std::chrono::steady_clock::now();  // wall time counts from here
};

struct RunResult {
  int code = 0;                        // for the shell
  std::shared_ptr<const Scene> scene;  // as read
  std::filesystem::path folder;        // where the results are
};

// Runs to the end or until it is stopped. Ctrl-C and SIGTERM write a checkpoint first.
RunResult run_scene(const RunOptions&);

// As many as asked for, or one a core.
int thread_count(const RunOptions&);

inline constexpr const char* program_version = "0.1.0";

}  // namespace knead
