// How much room the files of a run will take, and how long to write.
#pragma once

#include "scene/scene.h"
#include "world/world.h"

namespace knead {

// Bytes of one frame with so many particles, in HDF5 and in every format that the scene asks for, by the state that the
// world has now.
double frame_bytes(const Scene&, const World&, double particles);
// Wall time to write a frame file of so many particles, from one written now where temporary files go.
double frame_seconds(const Scene&, const World&, double particles);
// Bytes of a film of so many frames at the scene's camera. What moves and what does not makes it a few times more or
// less.
double film_bytes(const Scene&, double frames);

}  // namespace knead
