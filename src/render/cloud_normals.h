// Which way the surface of the matter faces at each of its particles: beads lit by it look like one body.
#pragma once

#include "render/trace.h"

#include <span>
#include <vector>

namespace knead {

// A vector a ball: its direction is the outward normal of the matter around, its length (0 to 1) how much there is to
// believe in it; 0 deep inside and for balls that fly alone.
std::vector<Vec3f> cloud_normals(std::span<const Ball> balls);

}  // namespace knead
