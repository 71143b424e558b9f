// How much room the files of a run will take.
#pragma once

#include "scene/scene.h"
#include "world/world.h"

namespace knead {

// Bytes of one frame, in HDF5 and in every format that the scene asks for, by the state that the world has now.
double frame_bytes(const Scene&, const World&);

}  // namespace knead
