// Skins around the particles of a frame, body by body or material by material.
#pragma once

#include "output/cracked_bodies.h"
#include "scene/scene.h"
#include "surface/skin.h"

namespace knead {

// Of all bodies but those `without`; their points carry the frame's columns that are `carried`, and where they were at
// rest where the frame has X. Fails (usage) where the frame lacks the particles' volumes, (bad_input) where they are
// none.
SurfaceFrame skin_frame(const Frame& frame, const Scene& scene, const SkinOptions& options,
                        std::span<const std::int32_t> without = {}, std::span<const std::string> carried = {});

}  // namespace knead
