// A frame of a run as a picture: particles, colliders, ground, and the words that explain them.
#pragma once

#include "geometry/bounds.h"
#include "output/frame_file.h"
#include "render/image.h"
#include "scene/scene.h"

#include <optional>
#include <string>

namespace knead {

struct SurfaceFrame;

// What stays the same over a film, so that neither the camera nor the colours jump: the region shown, the range of the
// column that colours show, and the highest speed (for the length of velocity arrows).
struct FilmRange {
  Bounds bounds;
  std::vector<Vec3d> points;  // m, some of what is in it, for a close frame in 3D
  double low = Bounds::infinity, high = -Bounds::infinity;
  double speed = 0;  // m/s
};

// Overrides of the scene's [camera], and what only a call can ask for.
struct RenderOptions {
  std::optional<int> width, height, samples;
  std::optional<std::string> color;     // "body", "material", "plain" or a column
  std::optional<std::string> colormap;  // viridis, magma, coolwarm, grey
  std::optional<double> low, high;      // of the colours
  bool velocity = false;                // 2D: velocities as red arrows
  bool words = true;                    // caption, axes and legend
  std::optional<FilmRange> film;        // where it is not given, the frame alone decides
  // Surfaces that are drawn in place of the particles of their bodies, and what they are painted with: TEXTURE for all
  // of them or BODY=TEXTURE, the last words first; see texture.h.
  const SurfaceFrame* surfaces = nullptr;
  std::vector<std::string> outside, inside;
};

// The scene's camera with the options laid over it. Fails (bad_input) on sizes that no picture can have.
Camera camera_for(const Scene& scene, const RenderOptions& options);

// Takes a frame of the film into account. A few stray particles do not widen the region.
void extend(FilmRange& film, const Scene& scene, const Frame& frame, const RenderOptions& options);

// Fails (bad_input) where the frame lacks the column to be shown. The same picture on any number of threads.
Image render_frame(const Scene& scene, const Frame& frame, const RenderOptions& options = {});

}  // namespace knead
