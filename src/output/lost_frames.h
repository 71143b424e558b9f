// Frames that a run has written and that are not there any more.
#pragma once

#include "output/export.h"

namespace knead {

// Those of the range up to the last frame that is there. None is known where nothing says which there were: in an
// imported run, or without a scene that can be read.
std::vector<std::int64_t> lost_frames(const RunFolder& folder, const ExportOptions& range);

// "1 frame is missing in runs/x/frames and is left out: 3"; empty where none is lost.
std::string lost_frames_warning(const RunFolder& folder, const ExportOptions& range);

}  // namespace knead
