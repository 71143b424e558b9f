// Skins around the particles of a frame, body by body.
#pragma once

#include "output/cracked_bodies.h"
#include "scene/scene.h"
#include "surface/skin.h"

namespace knead {

// Fails (usage) where the frame lacks the particles' volumes, (bad_input) where they are none.
SurfaceFrame skin_frame(const Frame& frame, const Scene& scene, const SkinOptions& options);

}  // namespace knead
