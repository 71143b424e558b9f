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

// `last_frame` is the one that the run is to end with.
Start start_run(const Scene& scene, const RunOptions& options, const RunFolder& folder, std::uint64_t hash,
                std::int64_t last_frame);

}  // namespace knead
