// Checks that a scene makes sense as a whole, after each value has been checked by itself.
#pragma once

#include "scene/node.h"
#include "scene/scene.h"

namespace knead {

// Resolves names (Body::material_index), prepares shapes (meshes are read) and reports what is wrong or odd. `root`
// tells the places.
void check_scene(Scene& scene, const Node& root, Mistakes& mistakes);

}  // namespace knead
