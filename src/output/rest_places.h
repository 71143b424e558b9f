// Where the particles of a run were at rest, for frames without the column X.
#pragma once

#include "output/frame_file.h"
#include "output/run_folder.h"
#include "scene/scene.h"

namespace knead {

// The run's first frame shows its bodies as they were made, before anything has moved.
class RestPlaces {
 public:
  // Knows nothing where that frame is missing or cannot be read, or the scene has sources, whose matter is born later,
  // or bodies with a displacement, which are at rest elsewhere.
  RestPlaces(const RunFolder& folder, const Scene& scene);

  // Adds the column X by the ids of the particles, unless the frame has it or one of them was not there at first.
  void add_to(Frame& frame) const;

 private:
  Particles first_;  // `id`, ascending, and `x`
};

}  // namespace knead
