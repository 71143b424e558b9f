// run.json: which program made a run, how it was called, and on what machine. The only file of a run that holds clock
// times.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace knead {

struct Machine {
  std::string host, system, processor;
  int cores = 0;
  std::int64_t memory = 0;  // bytes
};
Machine this_machine();

struct RunInfo {
  std::string version;               // of the program
  std::vector<std::string> command;  // as typed
  std::string scene;                 // path of the scene file
  std::string scene_hash;            // 16 hexadecimal digits
  int threads = 0;
  std::string device = "cpu";
  Machine machine;
  std::string status;             // "running", "done", "stopped", "failed"
  std::string started, finished;  // UTC, 2026-01-31T12:00:00Z; empty where it has not happened
  double wall_seconds = 0;
  std::int64_t frames = 0, steps = 0, particles = 0;
  std::int64_t last_frame = 0;    // that the run is to have
  std::int64_t resumed_from = 0;  // frame; 0 for a run from the start
};

std::string utc_now();
void write_run_json(const std::filesystem::path& path, const RunInfo& info);
RunInfo read_run_json(const std::filesystem::path& path);

}  // namespace knead
