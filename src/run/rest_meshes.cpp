#include "run/rest_meshes.h"

#include "output/rest_mesh.h"
#include "sample/delaunay.h"

#include <algorithm>

namespace knead {

namespace {

// f(body, begin, end) for the runs of one body in a column of bodies.
template <class F>
void for_each_run(std::span<const std::int32_t> body, F&& f) {
  for (std::size_t begin = 0, end = 0; begin < body.size(); begin = end) {
    while (end < body.size() && body[end] == body[begin]) ++end;
    f(body[begin], begin, end);
  }
}

// The surface of a mesh file, which Delaunay cells keep with its vertices first.
void add_input(RestMesh<3>& mesh, const Body& body) {
  if (body.cells != CellSource::delaunay) return;
  std::optional<TriangleMesh> input = surface_of_file(body.shape);
  if (!input) return;
  for (const Vec3i& t : input->triangles) mesh.surface.push_back({t[0], t[1], t[2]});
  mesh.uv = std::move(input->uv);
  mesh.input_vertices = static_cast<std::int32_t>(input->vertices.size());
}
void add_input(RestMesh<2>&, const Body&) {}

template <int d>
void write_meshes(const std::filesystem::path& path, const Scene& scene, const World& world) {
  const Particles& cells = world.mesh.cells;
  const auto corners = cells.get<Vec<std::int32_t, d + 1>>("corners");
  const Column& x = *world.particles.find("x");
  std::vector<std::size_t> where(static_cast<std::size_t>(world.next_id));
  const auto id = world.particles.get<std::int32_t>("id");
  for (std::size_t i = 0; i < id.size(); ++i) where[static_cast<std::size_t>(id[i])] = i;
  std::vector<RestMesh<d>> meshes;
  for_each_run(cells.get<std::int32_t>("body"), [&](std::int32_t body, std::size_t begin, std::size_t end) {
    RestMesh<d> mesh;
    const Body& of = scene.bodies[static_cast<std::size_t>(body)];
    mesh.body = of.name, mesh.index = body, mesh.stretch = of.crack_stretch;
    std::int32_t first = corners[begin][0], last = first;
    for (std::size_t e = begin; e < end; ++e)
      for (int k = 0; k <= d; ++k) first = std::min(first, corners[e][k]), last = std::max(last, corners[e][k]);
    for (std::int32_t i = first; i <= last; ++i) {
      Vec<double, d> at{};
      for (int a = 0; a < d; ++a) at[a] = x.value(where[static_cast<std::size_t>(i)], a);
      mesh.mesh.points.push_back(at), mesh.particles.push_back(i);
    }
    for (std::size_t e = begin; e < end; ++e) {
      typename SimplexMesh<d>::Cell cell{};
      for (int k = 0; k <= d; ++k) cell[static_cast<std::size_t>(k)] = corners[e][k] - first;
      mesh.mesh.cells.push_back(cell);
    }
    add_input(mesh, scene.bodies[static_cast<std::size_t>(body)]);
    meshes.push_back(std::move(mesh));
  });
  write_rest_meshes(path, meshes);
}

}  // namespace

void write_rest_meshes_of(const std::filesystem::path& path, const Scene& scene, const World& world) {
  if (world.mesh.cells.count() == 0) return;
  world.dimension == 2 ? write_meshes<2>(path, scene, world) : write_meshes<3>(path, scene, world);
}

std::vector<std::span<const float>> edge_stretches(const World& world) {
  std::vector<std::span<const float>> stretches;
  if (world.mesh.edges.count() == 0) return stretches;
  const auto stretch = world.mesh.edges.get<float>("stretch");
  for_each_run(world.mesh.edges.get<std::int32_t>("body"), [&](std::int32_t, std::size_t begin, std::size_t end) {
    stretches.push_back(stretch.subspan(begin, end - begin));
  });
  return stretches;
}

}  // namespace knead
