#include "render/surface_colors.h"

#include "output/mesh_writer.h"
#include "render/coloring.h"

namespace knead {
namespace {

// Matter of sources is numbered behind the bodies.
const std::string& name_of(const Scene& scene, std::size_t i) {
  return i < scene.bodies.size() ? scene.bodies[i].name : scene.sources[i - scene.bodies.size()].name;
}

}  // namespace

void color_outsides(SurfaceFrame& surfaces, const Scene& scene) {
  const std::size_t count = scene.bodies.size() + scene.sources.size();
  for (NamedSurface& surface : surfaces.bodies) {
    const auto own = static_cast<std::size_t>(surface.body);
    if (surface.body < 0 || own >= count) continue;
    const std::string name = identifier(name_of(scene, own));
    bool taken = name == crack_material || name == plain_material;
    for (std::size_t i = 0; i < count; ++i) taken |= i != own && identifier(name_of(scene, i)) == name;
    surface.outside = {taken ? identifier(name, own + 1) : name, light_of(body_color(scene, own))};
  }
}

}  // namespace knead
