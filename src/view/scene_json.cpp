#include "view/scene_json.h"

#include "render/coloring.h"
#include "scene/quantities.h"
#include "view/solid_mesh.h"

#include <cmath>

namespace knead {

namespace {

using Json = nlohmann::ordered_json;

std::string hex(Color c) { return fmt::format("#{:02x}{:02x}{:02x}", c.r, c.g, c.b); }

Json numbers(const Vec3d& v) { return Json::array({v[0], v[1], v[2]}); }

Json optional_numbers(const std::optional<Vec3d>& v) { return v ? numbers(*v) : Json(nullptr); }

Json optional_number(const std::optional<double>& v) { return v ? Json(*v) : Json(nullptr); }

// Colours of columns, 33 steps each.
Json colormaps_json() {
  Json maps;
  for (const char* name : colormap_names()) {
    const Colormap map(name);
    for (int i = 0; i <= 32; ++i) maps[name].push_back(hex(map(i / 32.0)));
  }
  return maps;
}

Json matter_json(const Scene& scene) {
  Json all = Json::array();
  for (std::size_t i = 0; i < scene.bodies.size(); ++i)
    all.push_back({{"name", scene.bodies[i].name},
                   {"material", scene.bodies[i].material},
                   {"color", hex(body_color(scene, i))},
                   {"mesh", scene.bodies[i].cells != CellSource::none}});
  for (std::size_t i = 0; i < scene.sources.size(); ++i) {
    const Source& s = scene.sources[i];
    all.push_back({{"name", s.name},
                   {"material", s.material},
                   {"color", hex(s.color ? color_of(*s.color) : palette_color(scene.bodies.size() + i))}});
  }
  return all;
}

// What the columns are that every law has.
constexpr std::pair<const char*, const char*> common_columns[] = {
    {"x", "Position."},
    {"v", "Velocity."},
    {"mass", "Mass of a particle (constant)."},
    {"volume", "Rest volume of a particle (constant)."},
    {"id", "Index of a particle, in order of creation."},
    {"F",
     "Elastic deformation gradient: stretch and rotation of the matter. Its determinant is the volume divided by the "
     "rest volume."},
    {"tau", "Kirchhoff stress: the Cauchy stress times the volume divided by the rest volume."},
    {"C", "Affine velocity: the velocity gradient around a particle."},
    {"X", "Initial position."},
    {"h", "Radius of a particle's neighbourhood."},
    {"plastic", "Inverse of the plastic deformation: the change of the rest shape."},
    {"strain", "Plastic strain."},
    {"molten", "Whether it is molten."},
    {"group", "The piece of matter that it belongs to: pieces that fuse become one."},
    {"temperature", "Temperature."},
    {"latent", "Latent heat absorbed so far."},
    {"embedded", "Position in the rest space."},
    {"P", "Offset of the deformation in the rest space."},
    {"pressure", "Pressure of the liquid."},
    {"density", "Density of the liquid."}};

Json meanings_json(const Scene& scene) {
  Json all = Json::object();
  for (const auto& [name, meaning] : common_columns) all[name] = meaning;
  for (const MaterialEntry& m : scene.materials)
    for (const HistoryColumn& h : history_columns_of(m.material)) all[h.name] = h.doc;
  for (const DerivedQuantity& q : derived_quantities())
    if (!all.contains(q.name)) all[q.name] = q.doc;
  return all;
}

Json materials_json(const Scene& scene) {
  Json all = Json::array();
  for (std::size_t i = 0; i < scene.materials.size(); ++i) {
    const bool snow = name_of(scene.materials[i].material) == "snow";
    all.push_back({{"name", scene.materials[i].name},
                   {"model", name_of(scene.materials[i].material)},
                   {"color", hex(snow ? Color{222, 232, 244} : palette_color(i))}});
  }
  return all;
}

// Where things are at the start: the domain, or else the bodies and what of the colliders has an end.
Bounds region_of(const Scene& scene) {
  const int dimension = scene.scene.dimension;
  Bounds region;
  if (scene.scene.domain) return {scene.scene.domain->min, scene.scene.domain->max};
  const auto add = [&](Bounds b) {
    for (int k = dimension; k < 3; ++k) b.lo[k] = b.hi[k] = 0;
    if (b.finite(3) && !b.empty(3)) region.add(b);
  };
  for (const Body& b : scene.bodies) add(b.shape.bounds(dimension));
  for (const Source& s : scene.sources) add(s.shape.bounds(dimension));
  for (const Collider& c : scene.colliders) add(c.shape.bounds(dimension));
  if (region.empty(3)) region = {{-1, -1, -1}, {1, 1, 1}};
  return region;
}

Json solid_json(const std::string& name, const std::string& kind, const Shape& shape, const Scene& scene,
                const Bounds& box) {
  const SolidMesh mesh = solid_mesh(shape, scene.scene.dimension, box);
  std::vector<float> points;
  for (const Vec3d& p : mesh.points)
    for (int k = 0; k < 3; ++k) points.push_back(float(p[k]));
  return {
      {"name", name},       {"kind", kind}, {"shape", shape.name()}, {"points", points}, {"triangles", mesh.triangles},
      {"edges", mesh.edges}};
}

}  // namespace

Json scene_json(const Scene& scene) {
  const Camera& camera = scene.camera;
  const Bounds region = region_of(scene);
  Json json{{"name", scene.scene.name},
            {"description", scene.scene.description},
            {"dimension", scene.scene.dimension},
            {"up", scene.scene.up == Up::z ? "z" : "y"},
            {"fps", scene.scene.fps},
            {"start_frame", scene.scene.start_frame},
            {"last_frame", scene.scene.start_frame + scene.frames()},
            {"duration", scene.scene.duration},
            {"method", scene.solver.traits().name},
            {"dx", scene.solver.dx},
            {"matter", matter_json(scene)},
            {"materials", materials_json(scene)},
            {"columns", column_names(scene)},
            {"quantities", quantity_names(scene)},
            {"meanings", meanings_json(scene)},
            {"colormaps", colormaps_json()},
            {"region", {{"min", numbers(region.lo)}, {"max", numbers(region.hi)}}},
            {"domain", nullptr}};
  json["camera"] = {{"position", optional_numbers(camera.position)},
                    {"target", optional_numbers(camera.target)},
                    {"fov", camera.fov},
                    {"color", camera.color},
                    {"colormap", camera.colormap},
                    {"low", optional_number(camera.low)},
                    {"high", optional_number(camera.high)},
                    {"radius", camera.radius}};
  if (const auto& domain = scene.scene.domain)
    json["domain"] = {{"min", numbers(domain->min)}, {"max", numbers(domain->max)}};
  return json;
}

Json solids_json(const Scene& scene) {
  const Bounds region = region_of(scene), box = region.grown(length(region.size()));
  Json all = Json::array();
  for (const Collider& c : scene.colliders) {
    Json solid = solid_json(c.name, "collider", c.shape, scene, box);
    solid["visible"] = c.visible;
    solid["opacity"] = c.opacity;
    solid["color"] = c.color ? Json(hex(color_of(*c.color))) : Json(nullptr);
    all.push_back(std::move(solid));
  }
  for (const Grip& g : scene.grips) all.push_back(solid_json(g.name, "grip", g.region, scene, box));
  return all;
}

}  // namespace knead
