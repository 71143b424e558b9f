#include "render/painted_surface.h"

#include "base/error.h"
#include "base/nearest.h"
#include "render/texture.h"

#include <algorithm>
#include <numeric>

namespace knead {
namespace {

constexpr Color opened{176, 74, 56};  // inside of what has no texture
constexpr float in_the_dark = 0.4f;   // the colour of a column there

// Where the points were at rest; where they are, where that is not known.
const std::vector<Vec3d>& at_rest(const SurfaceMesh& mesh) { return mesh.rest.empty() ? mesh.points : mesh.rest; }

Bounds bounds_at_rest(const SurfaceMesh& mesh) {
  Bounds bounds;
  for (const Vec3d& X : at_rest(mesh)) bounds.add(X);
  return bounds;
}

Vec3f color_of_body(const Scene& scene, std::int32_t body) {
  const bool known = body >= 0 && std::size_t(body) < scene.bodies.size() + scene.sources.size();
  return light_of(known ? body_color(scene, std::size_t(body)) : Color{200, 200, 200});
}

// The colour of each point's particle; none where these are not known.
std::vector<Vec3f> lights_of_points(const NamedSurface& body, const Coloring& coloring) {
  std::vector<Vec3f> lights;
  if (body.rows.empty()) return lights;
  for (const int vertex : body.mesh.vertex) lights.push_back(light_of(coloring.colors[body.rows[std::size_t(vertex)]]));
  return lights;
}

// Fails (usage) where a texture is said to be of a body that has no surface.
void check_names(const SurfaceFrame& surfaces, const std::vector<std::string>& said) {
  std::vector<std::string> names;
  for (const NamedSurface& body : surfaces.bodies) names.push_back(body.name);
  for (const std::string& words : said) {
    const std::size_t at = words.find('=');
    const std::string body = words.substr(0, at);
    if (at != std::string::npos && std::find(names.begin(), names.end(), body) == names.end())
      fail(Exit::usage, "'{}': no body '{}' has a surface{}; there are {}", words, body, did_you_mean(body, names),
           fmt::join(names, ", "));
  }
}

}  // namespace

std::vector<PaintedSurface> painted_surfaces(const Scene& scene, const RenderOptions& options,
                                             const Coloring& coloring) {
  check_names(*options.surfaces, options.outside), check_names(*options.surfaces, options.inside);
  std::vector<PaintedSurface> surfaces;
  for (const NamedSurface& body : options.surfaces->bodies) {
    const SurfaceMesh& mesh = body.mesh;
    const std::string of_outside = texture_of(body.name, options.outside);
    const std::string of_inside = texture_of(body.name, options.inside);
    const Texture outside = make_texture(of_outside, false, color_of_body(scene, body.body));
    const Texture inside = make_texture(of_inside, true, light_of(opened));
    const std::vector<Vec3f> lights = lights_of_points(body, coloring);
    const bool lit_outside = of_outside == "plain" && !lights.empty();
    const bool lit_inside = of_inside == "plain" && !lights.empty() && coloring.legend;
    const Bounds box = bounds_at_rest(mesh);
    const Vec3d middle = box.center(), size = box.size();
    const double scale = 2 / std::max({size[0], size[1], size[2], 1e-12});
    surfaces.push_back({&mesh,
                        [=, &mesh](std::uint32_t t, const Vec3f& shares) {
                          Vec3d X{};
                          Vec2d uv{};
                          Vec3f light{};
                          const bool outer = t < mesh.outer, mapped = outer && !mesh.uv.empty();
                          const bool lit = outer ? lit_outside : lit_inside;
                          for (int k = 0; k < 3; ++k) {
                            const auto point = std::size_t(mesh.triangles[t][k]);
                            X += at_rest(mesh)[point] * double(shares[k]);
                            if (mapped) uv += mesh.uv[t][std::size_t(k)] * double(shares[k]);
                            if (lit) light += lights[point] * shares[k];
                          }
                          if (lit) return outer ? light : light * in_the_dark;
                          return (outer ? outside : inside)((X - middle) * scale, mapped ? &uv : nullptr);
                        },
                        light_of(opened)});
  }
  return surfaces;
}

bool shows_particle_colors(const RenderOptions& options) {
  return std::any_of(options.surfaces->bodies.begin(), options.surfaces->bodies.end(),
                     [&](const NamedSurface& body) { return texture_of(body.name, options.outside) == "plain"; });
}

std::vector<std::uint32_t> particles_shown(const Frame& frame, const SurfaceFrame* surfaces) {
  std::vector<std::uint32_t> shown(frame.particles.count());
  std::iota(shown.begin(), shown.end(), 0u);
  if (!surfaces) return shown;
  const Column* body = frame.particles.find("body");
  std::erase_if(shown, [&](std::uint32_t i) {
    const auto is_its = [&](const NamedSurface& surface) {
      const auto number = static_cast<std::int32_t>(body->value(i));
      return number == surface.body ||
             std::find(surface.others.begin(), surface.others.end(), number) != surface.others.end();
    };
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
