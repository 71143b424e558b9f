// Checkpoints: a whole World, bit by bit and in memory order, so that a resumed run gives the same bits as one that
// never stopped.
#pragma once

#include "output/run_folder.h"
#include "world/world.h"

#include <functional>
#include <optional>
#include <string>

namespace knead {

// Checksums of what the run has written up to then; 0 where it is not known.
struct WrittenSums {
  std::uint64_t stats = 0, frames = 0;
};

struct Checkpoint {
  World world;
  std::uint64_t scene_hash = 0;
  WrittenSums sums;
  std::filesystem::path path;  // of its file
};

void write_checkpoint(const std::filesystem::path& path, const World& world, std::uint64_t scene_hash,
                      const WrittenSums& sums = {});
// Fails (bad_input) with the reason where the file is damaged, of another kind, or of a build that keeps another state.
Checkpoint read_checkpoint(const std::filesystem::path& path);

// A hash over the names and types of everything a World keeps beside its columns: two builds that agree can exchange
// checkpoints.
std::uint64_t state_layout_id();

// Writes the checkpoint of the world's last frame into the folder, then removes all but the last `keep`.
void save_checkpoint(const RunFolder& folder, const World& world, std::uint64_t scene_hash,
                     const WrittenSums& sums = {}, int keep = 2);
// The newest checkpoint that can be read; `warn` is told why each one passed over cannot.
std::optional<Checkpoint> latest_good_checkpoint(const RunFolder& folder,
                                                 const std::function<void(const std::string&)>& warn);

}  // namespace knead
