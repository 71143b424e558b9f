// A frame as the page takes it (packed.h); docs/view.md has the keys of its description.
#pragma once

#include "output/frame_file.h"
#include "scene/scene.h"

namespace knead {

struct FrameRequest {
  std::string color = "body";  // as in Camera::color
  int stride = 1;              // every so manyth particle
  int skip = 0;                // those of a coarser stride that the page has already; 0: none
  bool velocity = false;
  bool compact = false;     // places in steps of what cannot be seen, and indices as bytes
  std::string place = "x";  // the column of places: also "X", where matter started, or "embedded", in its rest space
};

// What it is made from.
std::vector<std::string> columns_for(const Scene& scene, const FrameRequest& request);

// Fails (bad_input) where the frame cannot tell the colour.
std::string frame_bytes(const Scene& scene, const Frame& frame, const FrameRequest& request);

}  // namespace knead
