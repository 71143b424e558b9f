// Frames saved as Houdini's .geo files, made into a run folder that can be watched, drawn and exported like a run.
#pragma once

#include "output/run_folder.h"

#include <functional>
#include <optional>

namespace knead {

struct ImportOptions {
  double fps = 24;
  std::optional<double> size;  // m, of a particle; else the usual distance to the nearest one in the first frame
  std::function<void(std::size_t done, std::size_t total)> progress;
};

// The files NAME.geo of a folder by the number at the end of NAME; returns how many frames it made. Frames are flat
// where all places of the first have z = 0. What the files do not tell: velocities are differences of places where the
// number of points stays, all points are of one body. Fails (bad_input) where there are no such files, or one cannot be
// read or holds what no frame may (world/sound.h); nothing is left of the run then.
std::size_t import_geo(const std::filesystem::path& from, const RunFolder& to, const ImportOptions& options = {});

}  // namespace knead
