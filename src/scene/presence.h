// Which colliders are there at a time: events bring and take them.
#pragma once

#include "scene/scene.h"

namespace knead {

bool is_there(const Scene&, const Collider&, double time);

}  // namespace knead
