// Everything a run writes: frames, statistics, other formats, checkpoints, log and run.json.
#pragma once

#include "output/checkpoint.h"
#include "output/export.h"
#include "output/run_json.h"
#include "output/stats_csv.h"
#include "run/run.h"
#include "world/solver.h"

#include <chrono>

namespace knead {

class Recorder {
 public:
  // Takes the folder for a run of this scene: an earlier run's files go, unless this one resumes it.
  Recorder(const Scene& scene, const RunOptions& options, const RunFolder& folder, std::uint64_t hash,
           const World& world, bool resuming, std::int64_t last_frame);

  // A frame and its row, once the world has reached it; then, when it is due, a checkpoint. In this order, a run killed
  // at any moment resumes from a checkpoint whose frame and row are on disk.
  void frame(const World& world, const Solver& solver, const Ledger& ledger);
  void checkpoint(const World& world) const {
    save_checkpoint(folder_, world, hash_, {stats_->sum(), frames_sum_}, scene_.output.keep_checkpoints);
  }
  bool checkpoint_due(const World& world) const;
  void finish(const World& world, const char* status);
  // Notes the failure in run.json, where that can still be written.
  void fail(const World& world) noexcept;

 private:
  const Scene& scene_;
  const RunFolder& folder_;
  std::uint64_t hash_;
  std::int64_t last_frame_;
  std::uint64_t frames_sum_ = 0;  // as the function below has it, of the frames so far
  RunInfo info_;
  std::chrono::steady_clock::time_point start_;
  std::optional<StatsCsv> stats_;
  std::vector<ExportSequence> sequences_;
};

// A checksum of the frames up to one, by which a later change of them shows, even under a good seal.
std::uint64_t frames_sum(const RunFolder& folder, std::int64_t last_frame);

}  // namespace knead
