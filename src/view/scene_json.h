// What the page has to know of a scene: names, colours, solids, and what may be asked for.
#pragma once

#include "geometry/bounds.h"
#include "scene/scene.h"

#include <nlohmann/json.hpp>

namespace knead {

nlohmann::ordered_json scene_json(const Scene& scene);
// Colliders and then grips, in the order of poses_json.
nlohmann::ordered_json solids_json(const Scene& scene);

}  // namespace knead
