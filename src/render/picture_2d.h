// Pictures of 2D scenes: discs on white, with axes and a scale.
#pragma once

#include "render/coloring.h"
#include "render/render.h"

namespace knead {

Image picture_2d(const Scene& scene, const Frame& frame, const Camera& camera, const FilmRange& film,
                 const Coloring& coloring, const RenderOptions& options);

}  // namespace knead
