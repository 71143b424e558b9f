// How a run starts: from the scene, or from a checkpoint. Whatever is wrong is found before a file is touched.
#pragma once

#include "output/run_folder.h"
#include "run/run.h"
#include "world/world.h"

namespace knead {

struct Start {
  World world;
  bool resumed = false;
  std::vector<std::string> warnings;
};

// The last frame of a run of the scene with these options.
std::int64_t last_frame_of(const Scene&, const RunOptions&);

Start start_run(const Scene&, const RunOptions&, const RunFolder&);

}  // namespace knead
