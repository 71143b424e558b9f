#include "render/solids.h"

#include "geometry/mesh_distance.h"
#include "surface/surface_mesh.h"

#include <cmath>
#include <utility>

namespace knead {
namespace {

void add_box(TracedMesh& mesh, const Bounds& b) {
  const int first = int(mesh.vertices.size());
  for (int i = 0; i < 8; ++i)
    mesh.vertices.push_back(
        {float(i & 1 ? b.hi[0] : b.lo[0]), float(i & 2 ? b.hi[1] : b.lo[1]), float(i & 4 ? b.hi[2] : b.lo[2])});
  static constexpr int corners[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                                         {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  for (const auto& c : corners) mesh.triangles.push_back({first + c[0], first + c[1], first + c[2]});
}

// Smooth but for creases, of each triangle's corners.
std::vector<std::array<Vec3f, 3>> smooth_normals(const TriangleMesh& mesh, const Mat3d& rotation) {
  SurfaceMesh surface;
  surface.points = mesh.vertices, surface.triangles = mesh.triangles;
  surface.outer = mesh.triangles.size();
  const CornerNormals normals = corner_normals(surface);
  std::vector<std::array<Vec3f, 3>> turned(mesh.triangles.size());
  for (std::size_t t = 0; t < turned.size(); ++t)
    for (int k = 0; k < 3; ++k) {
      const Vec3f& n = normals.normals[std::size_t(normals.of_corner[t][k])];
      turned[t][std::size_t(k)] = resized<float, 3>(rotation * resized<double, 3>(n));
    }
  return turned;
}

Vec3f color_of_collider(const Collider& c) { return c.color ? light_of(color_of(*c.color)) : Vec3f{.30f, .33f, .37f}; }

}  // namespace

void add_solid(TraceScene& scene, const Collider& collider, double t, const Vec3d& origin, const Bounds& box) {
  const Pose pose = collider.motion.pose(t);
  const Vec3d pivot = collider.motion.pivot;
  // x = R x0 + shift in the tracer's coordinates.
  const Vec3d shift = pivot + pose.translation - pose.rotation * pivot - origin;
  auto to_world = [&](const Vec3d& x0) { return pose.rotation * x0 + shift; };
  const Vec3f color = color_of_collider(collider);
  const auto opacity = float(collider.opacity);

  // Planes are met exactly.
  if (const auto* plane = std::get_if<Plane>(&collider.shape.value)) {
    const Vec3d normal = normalized(plane->normal, Vec3d::axis(1));
    scene.planes.push_back({to_world(plane->point), pose.rotation * normal, color, opacity});
    return;
  }
  // Boxes and meshes become triangles.
  const Bounds local = collider.shape.bounds(3);
  TracedMesh mesh;
  if (std::holds_alternative<Box>(collider.shape.value) && local.finite(3)) add_box(mesh, local);
  if (const auto* shape = std::get_if<MeshShape>(&collider.shape.value); shape && shape->mesh()) {
    const TriangleMesh& source = shape->mesh()->mesh();
    for (const Vec3d& v : source.vertices) mesh.vertices.push_back(resized<float, 3>(v));
    mesh.triangles = source.triangles;
    mesh.normals = smooth_normals(source, pose.rotation);
  }
  if (!mesh.triangles.empty()) {
    for (Vec3f& v : mesh.vertices) v = resized<float, 3>(to_world(resized<double, 3>(v)));
    mesh.color = color, mesh.opacity = opacity;
    scene.meshes.push_back(std::move(mesh));
    return;
  }
  // All others are found by their distance.
  Bounds around;
  if (local.finite(3)) {
    for (int i = 0; i < 8; ++i) {
      Vec3d corner{};
      for (int k = 0; k < 3; ++k) corner[k] = (i >> k) & 1 ? local.hi[k] : local.lo[k];
      around.add(to_world(corner));
    }
    around = around.grown(1e-4 * length(around.size()));
  } else {
    around = box;
  }
  if (around.empty(3)) return;
  auto distance = [&shape = collider.shape, back = transpose(pose.rotation), shift](const Vec3d& x) {
    return shape.distance(back * (x - shift));
  };
  scene.fields.push_back({distance, around.lo, around.hi, color, opacity});
}

void add_edges(TraceScene& scene, const Bounds& box, const Vec3d& origin) {
  TracedMesh bars;
  bars.color = {.05f, .06f, .08f}, bars.opacity = 0.5f;
  const Vec3d half = Vec3d::filled(7e-4 * scene.size);
  for (int axis = 0; axis < 3; ++axis)
    for (int i = 0; i < 4; ++i) {
      Vec3d from = box.lo, to = box.hi;
      const int a = (axis + 1) % 3, b = (axis + 2) % 3;
      (i & 1 ? from[a] : to[a]) = i & 1 ? box.hi[a] : box.lo[a];
      (i & 2 ? from[b] : to[b]) = i & 2 ? box.hi[b] : box.lo[b];
      add_box(bars, {from - half - origin, to + half - origin});
    }
  scene.meshes.push_back(std::move(bars));
}

}  // namespace knead
