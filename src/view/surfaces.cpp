#include "view/surfaces.h"

#include "output/skin_frame.h"
#include "render/coloring.h"
#include "scene/quantities.h"
#include "view/packed.h"
#include "view/shade.h"

#include <algorithm>
#include <cmath>

namespace knead {

namespace {

constexpr std::size_t most_bytes = 192u << 20;             // kept
constexpr SkinOptions skins{.radius = 0.68, .cell = 0.8};  // coarser than those of files, for the time they take

bool is_mesh(const Body& body) { return body.cells != CellSource::none; }

// All bodies as one: vertices with their normals and colours, triangles of the outside and of cracks.
struct Joined {
  std::vector<float> x, value;
  std::vector<std::int8_t> normal;  // four a vertex, the last is not used
  std::vector<std::uint32_t> outside, crack, outline, crack_lines;
};

std::int8_t rounded(float component) { return std::int8_t(std::lround(127 * std::clamp(component, -1.f, 1.f))); }

void add_body(Joined& all, NamedSurface& body, const Shade& shade, bool at_rest) {
  SurfaceMesh& mesh = body.mesh;
  if (at_rest) mesh.points = mesh.rest;
  const SplitMesh split = split_corners(mesh);
  const auto first = std::uint32_t(all.value.size());
  for (std::size_t i = 0; i < split.point.size(); ++i) {
    const auto point = std::size_t(split.point[i]);
    for (int k = 0; k < 3; ++k) all.x.push_back(float(mesh.points[point][k]));
    for (int k = 0; k < 3; ++k) all.normal.push_back(rounded(split.normals[i][k]));
    all.normal.push_back(0);
    all.value.push_back(shade.values[body.rows[std::size_t(mesh.vertex[point])]]);
  }
  for (std::size_t t = 0; t < split.triangles.size(); ++t)
    for (int k = 0; k < 3; ++k)
      (t < mesh.outer ? all.outside : all.crack).push_back(first + std::uint32_t(split.triangles[t][k]));
  for (std::size_t i = 0; i < mesh.lines.size(); ++i)
    for (int k = 0; k < 2; ++k)
      (i < mesh.outer_lines ? all.outline : all.crack_lines).push_back(first + std::uint32_t(mesh.lines[i][k]));
}

template <class T>
void add_array(Packed& packed, const std::string& name, const std::vector<T>& values, int components) {
  packed.add<T>(name, values.size() / std::size_t(components), components,
                [&values](T* to) { std::copy(values.begin(), values.end(), to); });
}

std::string packed_surface(const Scene& scene, const Frame& frame, SurfaceFrame surface,
                           const SurfaceRequest& request) {
  const Shade shade = shade_of(scene, frame, request.color);
  Joined all;
  nlohmann::ordered_json bodies = nlohmann::ordered_json::array();
  for (NamedSurface& body : surface.bodies) {
    add_body(all, body, shade, request.at_rest);
    bodies.push_back(body.body);
    for (const std::int32_t other : body.others) bodies.push_back(other);
  }
  Packed packed;
  add_array(packed, "x", all.x, 3);
  add_array(packed, "normal", all.normal, 4);
  add_array(packed, "value", all.value, 1);
  add_array(packed, "outside", all.outside, 3);
  add_array(packed, "crack", all.crack, 3);
  add_array(packed, "outline", all.outline, 2);
  add_array(packed, "crack_lines", all.crack_lines, 2);
  return packed.joined({{"number", frame.number},
                        {"time", frame.time},
                        {"step", frame.step},
                        {"color", request.color},
                        {"bodies", bodies}});
}

}  // namespace

std::vector<std::string> Surfaces::columns_for(const Scene& scene, const std::string& color) {
  std::vector<std::string> columns{"id", "body", "R", "volume"};
  if (!shows_quantity(color)) return columns;
  try {
    for (const std::string& c : columns_for_quantity(scene, color)) columns.push_back(c);
    return columns;
  } catch (const Failure&) {
    return {};  // frames of other programs may have columns that the scene does not know
  }
}

// The meshes, read anew where the run was started anew.
void Surfaces::open(const Scene& scene) {
  const bool meshes = std::any_of(scene.bodies.begin(), scene.bodies.end(), is_mesh);
  std::error_code missing;
  const auto written = std::filesystem::last_write_time(meshes ? folder_.rest_mesh() : folder_.scene(), missing);
  if (bodies_.has_value() == meshes && !missing && written == written_) return;
  kept_.clear(), smoothed_.clear();
  bodies_.reset();
  if (meshes) bodies_.emplace(folder_.rest_mesh());
  written_ = written;
}

void Surfaces::smooth(const Frame& last) {
  CrackedBodies::Broken broken = bodies_->broken(last);
  if (broken == smoothed_) return;
  bodies_->smooth(broken, {});
  smoothed_ = std::move(broken);
  kept_.clear();
}

SurfaceFrame Surfaces::surfaces_of(const Scene& scene, const Frame& frame, bool at_rest) const {
  SurfaceFrame surfaces{frame.number, frame.time, {}};
  if (bodies_) surfaces = bodies_->surface(frame, bodies_->broken(frame));
  const bool all = scene.sources.empty() && std::all_of(scene.bodies.begin(), scene.bodies.end(), is_mesh);
  if (at_rest || all) return surfaces;
  std::vector<std::int32_t> meshes;
  for (const NamedSurface& body : surfaces.bodies) meshes.push_back(body.body);
  SurfaceFrame skinned = skin_frame(frame, scene, skins, meshes);
  std::move(skinned.bodies.begin(), skinned.bodies.end(), std::back_inserter(surfaces.bodies));
  return surfaces;
}

std::string Surfaces::bytes(const Scene& scene, const Frame& frame, const SurfaceRequest& request, const Frame& last) {
  const std::lock_guard lock(mutex_);
  open(scene);
  if (bodies_) {
    if (bodies_->cells() > most_cells)
      fail(Exit::bad_input, "the meshes have {} cells, too many to draw their surface here; use `knead mesh --cracks`",
           bodies_->cells());
    if (frame.dimension != bodies_->dimension()) fail(Exit::bad_input, "the frame belongs to other meshes");
    smooth(last);
  }
  if (frame.particles.count() > most_particles)
    fail(Exit::bad_input, "{} particles are too many to draw their skin here; use `knead mesh --skin`",
         frame.particles.count());
  const std::string key = fmt::format("{} {} {}", frame.number, frame.step, request.name());
  const auto at = std::find_if(kept_.begin(), kept_.end(), [&](const Kept& k) { return k.key == key; });
  if (at != kept_.end()) {
    kept_.splice(kept_.begin(), kept_, at);
    return kept_.front().bytes;
  }
  kept_.push_front({key, packed_surface(scene, frame, surfaces_of(scene, frame, request.at_rest), request)});
  std::size_t sum = 0;
  for (auto k = kept_.begin(); k != kept_.end();) {
    sum += k->bytes.size();
    k = sum > most_bytes && k != kept_.begin() ? kept_.erase(k) : std::next(k);
  }
  return kept_.front().bytes;
}

}  // namespace knead
