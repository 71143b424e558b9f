// Pictures of 3D scenes: the frame handed to the ray tracer, and the camera that frames itself.
#pragma once

#include "render/coloring.h"
#include "render/render.h"
#include "render/view.h"

namespace knead {

// Of the ground that is drawn: that of the domain; without one, under all matter and colliders.
double ground_height(const Scene& scene, const FilmRange& film);
View view_for(const Scene& scene, const Camera& camera, const FilmRange& film, double time);
Image picture_3d(const Scene& scene, const Frame& frame, const Camera& camera, const FilmRange& film,
                 const Coloring& coloring, const RenderOptions& options = {});

}  // namespace knead
