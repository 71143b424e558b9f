// The colours of bodies for files of surfaces: as pictures have them.
#pragma once

#include "output/cracked_bodies.h"
#include "scene/scene.h"

namespace knead {

// Gives the outside of each surface the colour of its body, under a name that no other body of the scene has.
void color_outsides(SurfaceFrame& surfaces, const Scene& scene);

}  // namespace knead
