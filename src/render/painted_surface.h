// The surfaces of bodies as pictures show them: painted outside and, where a crack has laid it open, inside.
#pragma once

#include "output/mesh_writer.h"
#include "render/coloring.h"
#include "render/render.h"
#include "render/trace.h"

namespace knead {

struct PaintedSurface {
  const SurfaceMesh* mesh = nullptr;
  std::function<Vec3f(std::uint32_t triangle, const Vec3f& shares)> paint;
  Vec3f crack_line{};  // of the lines of cracks in 2D
};

// Those of the options, with textures by their names. What is plain has the colours of the particles; a column is seen
// in cracks too, darker, in place of the colour that is their own.
std::vector<PaintedSurface> painted_surfaces(const Scene& scene, const RenderOptions& options,
                                             const Coloring& coloring);

// Whether some surface is plain outside, with the colours of its particles.
bool shows_particle_colors(const RenderOptions& options);

// Which particles are still drawn: those of bodies without a surface; none where the frame does not tell bodies apart.
std::vector<std::uint32_t> particles_shown(const Frame& frame, const SurfaceFrame* surfaces);

// Outside and cracks as two meshes, moved by -origin.
void add_surface(TraceScene& scene, const PaintedSurface& surface, const Vec3d& origin);

}  // namespace knead
