// Skins around the particles of a frame, body by body.
#pragma once

#include "output/cracked_bodies.h"
#include "scene/scene.h"
#include "surface/skin.h"

namespace knead {

// Of all bodies but those `without`. Fails (usage) where the frame lacks the particles' volumes, (bad_input) where they
// are none.
SurfaceFrame skin_frame(const Frame& frame, const Scene& scene, const SkinOptions& options,
                        std::span<const std::int32_t> without = {});

}  // namespace knead
