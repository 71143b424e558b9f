#include "view/solid_mesh.h"

#include "geometry/mesh_distance.h"

#include <cmath>
#include <map>

namespace knead {

namespace {

// Distances at the nodes of a regular grid over a box, `cells` along its longest side.
struct Samples {
  Vec3d origin;
  double cell;
  std::array<int, 3> nodes;
  std::vector<double> values;

  Samples(const Shape& shape, const Bounds& box, int dimension, int cells) {
    double longest = 0;
    for (int k = 0; k < dimension; ++k) longest = std::max(longest, box.hi[k] - box.lo[k]);
    cell = std::max(longest, 1e-9) / cells;
    for (int k = 0; k < 3; ++k) {
      nodes[std::size_t(k)] = k < dimension ? int(std::ceil((box.hi[k] - box.lo[k]) / cell)) + 3 : 1;
      origin[k] = k < dimension ? box.lo[k] - cell : 0;
    }
    values.reserve(std::size_t(nodes[0]) * std::size_t(nodes[1]) * std::size_t(nodes[2]));
    for (int z = 0; z < nodes[2]; ++z)
      for (int y = 0; y < nodes[1]; ++y)
        for (int x = 0; x < nodes[0]; ++x) values.push_back(shape.distance(place(x, y, z)));
  }
  std::size_t index(int x, int y, int z) const {
    return std::size_t(x) + std::size_t(nodes[0]) * (std::size_t(y) + std::size_t(nodes[1]) * std::size_t(z));
  }
  double at(int x, int y, int z) const { return values[index(x, y, z)]; }
  Vec3d place(int x, int y, int z) const { return origin + Vec3d{double(x), double(y), double(z)} * cell; }
};

// Where the distance is zero between two nodes of unlike sign.
Vec3d crossing(const Vec3d& a, double fa, const Vec3d& b, double fb) { return a + (b - a) * (fa / (fa - fb)); }

// Each square is cut along the line where the distance is zero.
SolidMesh outline(const Samples& s) {
  SolidMesh mesh;
  for (int y = 0; y + 1 < s.nodes[1]; ++y)
    for (int x = 0; x + 1 < s.nodes[0]; ++x) {
      const std::array<std::array<int, 2>, 4> corners{{{x, y}, {x + 1, y}, {x + 1, y + 1}, {x, y + 1}}};
      const int first = int(mesh.points.size());
      std::vector<int> cut;
      for (std::size_t i = 0; i < 4; ++i) {
        const auto [ax, ay] = corners[i];
        const auto [bx, by] = corners[(i + 1) % 4];
        const double fa = s.at(ax, ay, 0), fb = s.at(bx, by, 0);
        if (fa < 0) mesh.points.push_back(s.place(ax, ay, 0));
        if ((fa < 0) != (fb < 0)) {
          cut.push_back(int(mesh.points.size()));
          mesh.points.push_back(crossing(s.place(ax, ay, 0), fa, s.place(bx, by, 0), fb));
        }
      }
      for (int i = first + 1; i + 1 < int(mesh.points.size()); ++i) mesh.triangles.push_back({first, i, i + 1});
      for (std::size_t i = 0; i + 1 < cut.size(); i += 2) mesh.edges.push_back({cut[i], cut[i + 1]});
    }
  return mesh;
}

// Surface nets: a point in each cube that the surface crosses, in the middle of its crossings, and a square round each
// edge that it crosses.
SolidMesh surface(const Samples& s) {
  SolidMesh mesh;
  std::vector<int> point_of(s.values.size(), -1);
  for (int z = 0; z + 1 < s.nodes[2]; ++z)
    for (int y = 0; y + 1 < s.nodes[1]; ++y)
      for (int x = 0; x + 1 < s.nodes[0]; ++x) {
        Vec3d sum{};
        int count = 0;
        for (int corner = 0; corner < 8; ++corner)
          for (int axis = 0; axis < 3; ++axis) {
            if ((corner >> axis) & 1) continue;
            const int other = corner | (1 << axis);
            const auto node = [&](int c) { return std::array{x + (c & 1), y + ((c >> 1) & 1), z + ((c >> 2) & 1)}; };
            const auto a = node(corner), b = node(other);
            const double fa = s.at(a[0], a[1], a[2]), fb = s.at(b[0], b[1], b[2]);
            if ((fa < 0) == (fb < 0)) continue;
            sum += crossing(s.place(a[0], a[1], a[2]), fa, s.place(b[0], b[1], b[2]), fb);
            ++count;
          }
        if (!count) continue;
        point_of[s.index(x, y, z)] = int(mesh.points.size());
        mesh.points.push_back(sum * (1.0 / count));
      }
  for (int z = 1; z + 1 < s.nodes[2]; ++z)
    for (int y = 1; y + 1 < s.nodes[1]; ++y)
      for (int x = 1; x + 1 < s.nodes[0]; ++x)
        for (int axis = 0; axis < 3; ++axis) {
          std::array<int, 3> next{x, y, z};
          ++next[std::size_t(axis)];
          const bool inside = s.at(x, y, z) < 0;
          if (inside == (s.at(next[0], next[1], next[2]) < 0)) continue;
          // The four cubes round the edge, against the clock seen along it.
          const int u = (axis + 1) % 3, v = (axis + 2) % 3;
          std::array<int, 4> round{};
          bool known = true;
          for (int i = 0; i < 4; ++i) {
            std::array<int, 3> cube{x, y, z};
            if (i == 0 || i == 3) --cube[std::size_t(u)];
            if (i == 0 || i == 1) --cube[std::size_t(v)];
            round[std::size_t(i)] = point_of[s.index(cube[0], cube[1], cube[2])];
            known = known && round[std::size_t(i)] >= 0;
          }
          if (!known) continue;
          const auto [a, b, c, d] = round;
          if (inside) {
            mesh.triangles.push_back({a, b, c});
            mesh.triangles.push_back({a, c, d});
          } else {
            mesh.triangles.push_back({a, c, b});
            mesh.triangles.push_back({a, d, c});
          }
        }
  return mesh;
}

SolidMesh box_mesh(const Bounds& b) {
  SolidMesh mesh;
  for (int i = 0; i < 8; ++i)
    mesh.points.push_back({i & 1 ? b.hi[0] : b.lo[0], i & 2 ? b.hi[1] : b.lo[1], i & 4 ? b.hi[2] : b.lo[2]});
  mesh.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                    {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  return mesh;
}

// A square of a plane, as large as the box is.
SolidMesh plane_mesh(const Plane& plane, const Bounds& box) {
  const Vec3d normal = normalized(plane.normal, Vec3d::axis(1));
  const Vec3d across = normalized(cross(normal, std::abs(normal[0]) < 0.8 ? Vec3d::axis(0) : Vec3d::axis(1)));
  const Vec3d along = cross(normal, across);
  const Vec3d center = box.center() - normal * dot(box.center() - plane.point, normal);
  const double half = 0.75 * length(box.size());
  SolidMesh mesh;
  for (int i = 0; i < 4; ++i)
    mesh.points.push_back(center + across * (i == 0 || i == 3 ? -half : half) + along * (i < 2 ? -half : half));
  mesh.triangles = {{0, 1, 2}, {0, 2, 3}};
  return mesh;
}

}  // namespace

SolidMesh solid_mesh(const Shape& shape, int dimension, const Bounds& box) {
  constexpr int cells_2d = 128, cells_3d = 40;
  Bounds around = shape.bounds(dimension);
  const bool finite = around.finite(dimension);
  if (!finite) around = around.common(box);
  if (around.empty(dimension)) return {};
  if (dimension == 2) return outline(Samples(shape, around, 2, cells_2d));
  if (const auto* plane = std::get_if<Plane>(&shape.value)) return plane_mesh(*plane, box);
  if (std::holds_alternative<Box>(shape.value) && finite) return box_mesh(around);
  if (const auto* mesh = std::get_if<MeshShape>(&shape.value); mesh && mesh->mesh()) {
    const TriangleMesh& source = mesh->mesh()->mesh();
    SolidMesh copy;
    copy.points = source.vertices;
    for (const auto& t : source.triangles) copy.triangles.push_back({int(t[0]), int(t[1]), int(t[2])});
    return copy;
  }
  return surface(Samples(shape, around, 3, cells_3d));
}

}  // namespace knead
