#include "render/painted_surface.h"

#include "render/coloring.h"
#include "render/texture.h"

#include <algorithm>
#include <numeric>

namespace knead {
namespace {

constexpr Color opened{176, 74, 56};  // inside of what has no texture

Bounds bounds_at_rest(const SurfaceMesh& mesh) {
  Bounds bounds;
  for (const Vec3d& X : mesh.rest) bounds.add(X);
  return bounds;
}

}  // namespace

std::vector<PaintedSurface> painted_surfaces(const Scene& scene, const RenderOptions& options) {
  std::vector<PaintedSurface> surfaces;
  for (const NamedSurface& body : options.surfaces->bodies) {
    const SurfaceMesh& mesh = body.mesh;
    const bool known = body.body >= 0 && std::size_t(body.body) < scene.bodies.size() + scene.sources.size();
    const Vec3f color = light_of(known ? body_color(scene, std::size_t(body.body)) : Color{200, 200, 200});
    const Texture outside = make_texture(options.outside, false, color);
    const Texture inside = make_texture(options.inside, true, light_of(opened));
    const Bounds box = bounds_at_rest(mesh);
    const Vec3d middle = box.center(), size = box.size();
    const double scale = 2 / std::max({size[0], size[1], size[2], 1e-12});
    surfaces.push_back({&mesh,
                        [=, &mesh](std::uint32_t t, const Vec3f& shares) {
                          Vec3d X{};
                          Vec2d uv{};
                          const bool outer = t < mesh.outer, mapped = outer && !mesh.uv.empty();
                          for (int k = 0; k < 3; ++k) {
                            X += mesh.rest[std::size_t(mesh.triangles[t][k])] * double(shares[k]);
                            if (mapped) uv += mesh.uv[t][std::size_t(k)] * double(shares[k]);
                          }
                          return (outer ? outside : inside)((X - middle) * scale, mapped ? &uv : nullptr);
                        },
                        light_of(opened)});
  }
  return surfaces;
}

std::vector<std::uint32_t> particles_shown(const Frame& frame, const SurfaceFrame* surfaces) {
  std::vector<std::uint32_t> shown(frame.particles.count());
  std::iota(shown.begin(), shown.end(), 0u);
  if (!surfaces) return shown;
  const Column* body = frame.particles.find("body");
  std::erase_if(shown, [&](std::uint32_t i) {
    const auto is_its = [&](const NamedSurface& surface) { return body->value(i) == surface.body; };
    return !body || std::any_of(surfaces->bodies.begin(), surfaces->bodies.end(), is_its);
  });
  return shown;
}

void add_surface(TraceScene& scene, const PaintedSurface& surface, const Vec3d& origin) {
  const SurfaceMesh& mesh = *surface.mesh;
  const CornerNormals normals = corner_normals(mesh);
  for (const auto& [begin, end] : {std::pair{std::size_t(0), mesh.outer}, {mesh.outer, mesh.triangles.size()}}) {
    if (begin == end) continue;
    TracedMesh& traced = scene.meshes.emplace_back();
    for (const Vec3d& p : mesh.points) traced.vertices.push_back(resized<float, 3>(p - origin));
    for (std::size_t t = begin; t < end; ++t) {
      traced.triangles.push_back(mesh.triangles[t]);
      std::array<Vec3f, 3>& n = traced.normals.emplace_back();
      for (int k = 0; k < 3; ++k) n[std::size_t(k)] = normals.normals[std::size_t(normals.of_corner[t][k])];
    }
    traced.paint = [paint = surface.paint, before = std::uint32_t(begin)](std::uint32_t t, const Vec3f& shares) {
      return paint(before + t, shares);
    };
  }
}

}  // namespace knead
