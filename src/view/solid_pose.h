// Where colliders and grips stand at a time.
#pragma once

#include "scene/scene.h"

#include <nlohmann/json.hpp>

namespace knead {

// For each collider and then each grip: [on, then the 3 rows of 4 numbers that take a drawn point to where it is now].
nlohmann::ordered_json poses_json(const Scene& scene, double time);

}  // namespace knead
