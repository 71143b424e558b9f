// Which colliders are there at a time: events bring and take them.
#pragma once

#include "scene/scene.h"

namespace knead {

bool is_there(const Scene&, const Collider&, double time);

// Whether some body that falls towards `down` from where it starts can meet the domain or a collider, one that events
// bring or that moves counted in.
bool can_land(const Scene&, const Vec3d& down);

}  // namespace knead
