#include "run/recorder.h"

#include "base/fnv.h"
#include "output/seal.h"
#include "output/whole_file.h"
#include "run/failure_text.h"
#include "run/rest_meshes.h"
#include "run/stats_row.h"
#include "scene/write.h"
#include "world/sound.h"

#include <algorithm>

namespace knead {

std::uint64_t frames_sum(const RunFolder& folder, std::int64_t last_frame) {
  std::uint64_t sum = fnv_start;
  for (const std::int64_t frame : folder.frames())
    if (frame <= last_frame) sum = fnv(seal_in(folder.frame(frame)), sum);
  return sum;
}

Recorder::Recorder(const Scene& scene, const RunOptions& options, const RunFolder& folder, std::uint64_t hash,
                   const World& world, bool resuming, std::int64_t last_frame)
    : scene_(scene), folder_(folder), hash_(hash), last_frame_(last_frame), start_(options.given_at) {
  folder.prepare();
  if (!resuming) folder.clear();
  if (!resuming) write_rest_meshes_of(folder.rest_mesh(), scene, world);
  write_whole(folder.scene(), to_toml(scene));
  info_.version = program_version, info_.command = options.command, info_.scene = options.scene.string();
  info_.scene_hash = fmt::format("{:016x}", hash), info_.threads = thread_count(options),
  info_.machine = this_machine();
  info_.status = "running", info_.started = utc_now();
  info_.particles = static_cast<std::int64_t>(world.particles.count());
  info_.last_frame = std::max(last_frame, world.clock.frame);
  info_.resumed_from = resuming ? world.clock.frame : 0;
  write_run_json(folder.run_json(), info_);
  if (resuming) {
    folder.remove_checkpoints_after(world.clock.frame);
    folder.remove_frames_after(world.clock.frame);
  }
  frames_sum_ = frames_sum(folder, world.clock.frame);
  stats_.emplace(resuming ? StatsCsv::resume(folder.stats(), stats_columns(scene), world.clock.frame)
                          : StatsCsv::create(folder.stats(), stats_columns(scene)));
  for (const std::string& format : scene.output.formats)
    sequences_.emplace_back(find_exporter(format), folder.path() / format);
}

void Recorder::frame(const World& world, const Solver& solver, const Ledger& ledger) {
  // A folder taken away meanwhile must not come back with only the frames that follow.
  if (!std::filesystem::exists(folder_.scene()))
    knead::fail(Exit::file, "{} was removed during the run", folder_.path().string());
  folder_.prepare();
  if (const std::string fault = fault_of(world); !fault.empty())
    knead::fail(
        Exit::numerical,
        "at t = {:.6g} s the state became invalid before frame {}: {}\n  {}\n  frames up to {} are intact in {}",
        world.clock.time, world.clock.frame, fault, smaller_step_hint(scene_, world.tally.frame_min_dt),
        world.clock.frame - 1, folder_.path().string());
  const std::int64_t frame_index = world.clock.frame - scene_.scene.start_frame;
  if (frame_index % scene_.output.every == 0 || world.clock.frame == last_frame_) {
    const std::filesystem::path path = folder_.frame(world.clock.frame);
    write_frame(path, world, scene_.output.columns, scene_.solver.dx, edge_stretches(world));
    frames_sum_ = fnv(seal_in(path), frames_sum_);
    if (!sequences_.empty()) {
      const Frame frame = make_frame(world, scene_.output.columns, scene_.solver.dx);
      for (ExportSequence& s : sequences_) s.write(frame);
    }
  }
  stats_->append(stats_row(scene_, world, solver, ledger));
}

bool Recorder::checkpoint_due(const World& world) const {
  return (world.clock.frame - scene_.scene.start_frame) % scene_.output.checkpoint_every == 0;
}

void Recorder::finish(const World& world, const char* status) {
  info_.status = status, info_.finished = utc_now(), info_.frames = world.clock.frame, info_.steps = world.clock.step;
  info_.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  write_run_json(folder_.run_json(), info_);
}

void Recorder::fail(const World& world) noexcept {
  try {
    finish(world, "failed");
  } catch (...) {
    // What made the run fail, such as a full disk, is what the user is told.
  }
}

}  // namespace knead
