// A frame as the page takes it: a short description and then plain arrays of 32-bit floats.
//
//   8 bytes   "KNEADFR1"
//   4 bytes   n, the length of the description
//   n bytes   the description, JSON, filled with spaces to a multiple of 4
//   then, for each of its "arrays", as many floats as it says
//
// All numbers are little-endian. docs/view.md has the description's keys.
#pragma once

#include "output/frame_file.h"
#include "scene/scene.h"

namespace knead {

struct FrameRequest {
  std::string color = "body";  // as in Camera::color
  int stride = 1;              // every so manyth particle
  int skip = 0;                // those of a coarser stride that the page has already; 0: none
  bool velocity = false;
  std::string place = "x";  // the column of places: also "X", where matter started, or "embedded", in its rest space
};

// What it is made from.
std::vector<std::string> columns_for(const FrameRequest& request);

// Fails (bad_input) where the frame lacks the column.
std::string frame_bytes(const Scene& scene, const Frame& frame, const FrameRequest& request);

}  // namespace knead
