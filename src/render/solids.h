// Colliders as the ray tracer takes them.
#pragma once

#include "geometry/collider.h"
#include "render/trace.h"

namespace knead {

// Adds the collider as it stands at time t, moved by -origin. What has no end is cut off at `box` (moved as well), but
// for planes, which go on.
void add_solid(TraceScene& scene, const Collider& collider, double t, const Vec3d& origin, const Bounds& box);

// The edges of the box as thin bars that throw no shadow.
void add_edges(TraceScene& scene, const Bounds& box, const Vec3d& origin);

}  // namespace knead
