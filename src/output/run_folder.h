// The run folder: where a run keeps its scene, frames, statistics, checkpoints and log, and what of it is there.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace knead {

class RunFolder {
 public:
  explicit RunFolder(std::filesystem::path path) : path_(std::move(path)) {}

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path scene() const { return path_ / "scene.toml"; }
  std::filesystem::path run_json() const { return path_ / "run.json"; }
  std::filesystem::path stats() const { return path_ / "stats.csv"; }
  std::filesystem::path log() const { return path_ / "log.txt"; }
  std::filesystem::path rest_mesh() const { return path_ / "rest_mesh.h5"; }
  std::filesystem::path frames_folder() const { return path_ / "frames"; }
  std::filesystem::path checkpoints_folder() const { return path_ / "checkpoints"; }
  std::filesystem::path frame(std::int64_t number) const;      // frames/frame.0001.h5
  std::filesystem::path checkpoint(std::int64_t frame) const;  // checkpoints/checkpoint.0001.h5

  // True where a file of a run is there already; empty folders are none.
  bool holds_a_run() const;
  // Makes the folder and its parts; fails (file) where one of them cannot be made, or is a file or a link instead.
  // Cheap enough to be called before each frame, to notice that the folder was taken away.
  void prepare() const;

  // Numbers of the frames and checkpoints there, ascending; gaps are allowed, files of other names are passed over.
  std::vector<std::int64_t> frames() const;
  std::vector<std::int64_t> checkpoints() const;

  // Removes frames numbered above `number`, as a run resumed from there will write them anew; returns how many there
  // were.
  int remove_frames_after(std::int64_t number) const;
  // Likewise for checkpoints, so that the next to resume does not take one that the frames do not lead to.
  void remove_checkpoints_after(std::int64_t number) const;
  // Removes all but the `count` checkpoints of the highest numbers.
  void keep_last_checkpoints(int count) const;
  // Removes frames, checkpoints, statistics, log, film and exported frames of an earlier run; other files stay.
  void clear() const;

 private:
  std::filesystem::path path_;
};

// "frame.0001.h5": at least four digits.
std::string numbered_name(std::string_view stem, std::int64_t number, std::string_view extension);
// Numbers of the files of a folder that have such a name, ascending; empty where there is no such folder.
std::vector<std::int64_t> numbered_files(const std::filesystem::path& folder, std::string_view stem,
                                         std::string_view extension);

}  // namespace knead
