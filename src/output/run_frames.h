// The frames of a run folder as its scene says they must be.
#pragma once

#include "output/frame_file.h"
#include "output/run_folder.h"

#include <optional>

namespace knead {

// What the scene, as the run wrote it, says of all frames.
struct RunOutline {
  std::int64_t start = 0, every = 1;  // numbers of the frames
  std::int64_t origins = 0;           // bodies and sources: what the column `body` counts
};

// Nothing where no run says it: in an imported run, or without a scene that can be read. The files that the scene names
// are left alone.
std::optional<RunOutline> outline_of(const RunFolder& folder);

// Whether the frames were imported: every run writes its scene with all defaults, an import only what it knows.
bool is_imported(const RunFolder& folder);

class RunFrames {
 public:
  explicit RunFrames(const RunFolder& folder) : folder_(folder), outline_(outline_of(folder)) {}
  // As read_frame; fails (bad_input) also where matter is of no body of the scene. With `columns`, only these and those
  // that tell it are read, where the file has them.
  Frame read(std::int64_t number, std::vector<std::string> columns = {}) const;

 private:
  RunFolder folder_;
  std::optional<RunOutline> outline_;
};

}  // namespace knead
