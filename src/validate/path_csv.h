// A path of deformation gradients from a CSV file.
#pragma once

#include "validate/drive_point.h"

#include <filesystem>

namespace knead {

struct PathFile {
  int dimension = 3;
  bool timed = false;  // has a column t
  std::vector<PathPoint> points;
};

// A header names the columns: F11 F12 F13 F21 … F33 (3D), or F11 F12 F21 F22 (2D), in any order, those left out being
// those of the identity; optionally t, s. Diagonal entries may be the word `free`. Fails (bad_input) with line and
// column.
PathFile read_path_csv(const std::filesystem::path& file);

}  // namespace knead
