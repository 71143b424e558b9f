#include "output/skin_frame.h"

#include "base/elementary.h"
#include "base/parallel.h"
#include "output/components.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace knead {

namespace {

struct Points {
  std::vector<std::int32_t> bodies;
  std::vector<Vec3d> x;
  std::vector<double> sizes;
  std::vector<std::size_t> rows;  // of the frame
};

// The first of the bodies and sources of the same material.
std::int32_t first_like(const Scene& scene, std::int32_t body) {
  std::vector<int> materials;
  for (const Body& b : scene.bodies) materials.push_back(b.material_index);
  for (const Source& s : scene.sources) materials.push_back(s.material_index);
  if (body < 0 || static_cast<std::size_t>(body) >= materials.size()) return body;
  const int own = materials[static_cast<std::size_t>(body)];
  return static_cast<std::int32_t>(std::find(materials.begin(), materials.end(), own) - materials.begin());
}

// By the number of their body, or of the first of its material; one body where the frame does not tell them apart.
std::map<std::int32_t, Points> points_of(const Frame& frame, const Scene& scene, bool by_material,
                                         std::span<const std::int32_t> without) {
  const Column *x = frame.particles.find("x"), *volume = frame.particles.find("volume"),
               *body = frame.particles.find("body");
  // Not of one frame alone: a run has the same columns in all of them.
  if (!volume)
    fail(Exit::usage,
         "the run's frames have no column 'volume', which a skin needs for the size of particles; add it to "
         "output.columns and run the scene again");
  std::map<std::int32_t, Points> bodies;
  std::map<std::int32_t, std::int32_t> together;
  for (std::size_t i = 0; i < frame.particles.count(); ++i) {
    const std::int32_t of = body ? static_cast<std::int32_t>(body->value(i)) : 0;
    if (std::find(without.begin(), without.end(), of) != without.end()) continue;
    auto known = together.find(of);
    if (known == together.end()) known = together.emplace(of, by_material ? first_like(scene, of) : of).first;
    Points& points = bodies[known->second];
    if (std::find(points.bodies.begin(), points.bodies.end(), of) == points.bodies.end()) points.bodies.push_back(of);
    Vec3d at{};
    for (int a = 0; a < frame.dimension; ++a) at[a] = x->value(i, a);
    points.x.push_back(at);
    points.sizes.push_back(elementary::pow(volume->value(i), 1.0 / frame.dimension));
    points.rows.push_back(i);
  }
  return bodies;
}

// Matter of sources is numbered behind the bodies.
std::string name_of_matter(const Scene& scene, std::size_t number) {
  if (number < scene.bodies.size()) return scene.bodies[number].name;
  number -= scene.bodies.size();
  return number < scene.sources.size() ? scene.sources[number].name : fmt::format("matter {}", number);
}

std::string name_of_surface(const Scene& scene, const Points& points) {
  const auto first = static_cast<std::size_t>(points.bodies.front());
  if (points.bodies.size() == 1) return name_of_matter(scene, first);
  return first < scene.bodies.size() ? scene.bodies[first].material
                                     : scene.sources[first - scene.bodies.size()].material;
}

// The means of a column at the points; what is counted (body, id) is that of the nearest.
PointColumn carried_column(const Column& column, int dimension, const NamedSurface& surface, const SkinShares& shares) {
  const Column padded = padded_to_3d(column, dimension);
  const auto n = static_cast<std::size_t>(padded.components);
  PointColumn result{column.name, padded.components, std::vector<float>(n * surface.mesh.points.size())};
  parallel_for(surface.mesh.points.size(), 1024, [&](std::size_t p) {
    for (int c = 0; c < padded.components; ++c) {
      double sum = 0;
      for (std::size_t k = shares.begin[p]; k < shares.begin[p + 1]; ++k)
        sum += shares.share[k] * padded.value(surface.rows[static_cast<std::size_t>(shares.particle[k])], c);
      if (column.scalar == Scalar::i32)
        sum = padded.value(surface.rows[static_cast<std::size_t>(surface.mesh.vertex[p])], c);
      result.values[p * n + static_cast<std::size_t>(c)] = static_cast<float>(sum);
    }
  });
  return result;
}

void carry(NamedSurface& surface, const Frame& frame, const SkinShares& shares, std::span<const std::string> carried) {
  for (const std::string& name : carried)
    if (const Column* column = frame.particles.find(name))
      surface.mesh.columns.push_back(carried_column(*column, frame.dimension, surface, shares));
  const Column* X = frame.particles.find("X");
  if (!X) return;
  const PointColumn rest = carried_column(*X, frame.dimension, surface, shares);
  for (std::size_t p = 0; p < surface.mesh.points.size(); ++p)
    surface.mesh.rest.push_back({rest.values[3 * p], rest.values[3 * p + 1], rest.values[3 * p + 2]});
}

}  // namespace

SurfaceFrame skin_frame(const Frame& frame, const Scene& scene, const SkinOptions& options,
                        std::span<const std::int32_t> without, std::span<const std::string> carried) {
  SurfaceFrame skins{frame.number, frame.time, {}};
  const bool by_material = options.by_material.value_or(!scene.solver.traits().deformation);
  for (auto& [body, points] : points_of(frame, scene, by_material, without)) {
    std::vector<double> sorted = points.sizes;
    std::nth_element(sorted.begin(), sorted.begin() + std::ssize(sorted) / 2, sorted.end());
    const double size = sorted[sorted.size() / 2];
    if (!(size > 0)) fail(Exit::bad_input, "frame {}: the particles have no volume", frame.number);
    for (double& s : points.sizes) s *= options.radius;
    const double largest = *std::max_element(points.sizes.begin(), points.sizes.end());
    NamedSurface surface;
    surface.body = body;
    surface.name = name_of_surface(scene, points);
    surface.others = points.bodies;
    std::erase(surface.others, body);
    const SkinSpec spec{options.cell * size, std::max(2.5 * size, 2 * largest), std::max(1.1 * size, largest)};
    SkinShares shares;
    const bool mixed = !carried.empty();
    surface.mesh = skin_of(points.x, points.sizes, frame.dimension, spec, mixed ? &shares : nullptr);
    surface.rows = std::move(points.rows);
    if (mixed) carry(surface, frame, shares, carried);
    skins.bodies.push_back(std::move(surface));
  }
  return skins;
}

}  // namespace knead
