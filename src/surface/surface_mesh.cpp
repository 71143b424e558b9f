#include "surface/surface_mesh.h"

#include "base/elementary.h"

#include <cmath>

namespace knead {

namespace {

// The corners at each point, as 3 * triangle + corner, all those of point p from begin[p] to begin[p + 1].
struct CornersAtPoints {
  std::vector<int> begin, corner;
};

CornersAtPoints corners_at_points(const SurfaceMesh& mesh) {
  CornersAtPoints at;
  at.begin.assign(mesh.points.size() + 1, 0);
  for (const Vec3i& t : mesh.triangles)
    for (int k = 0; k < 3; ++k) ++at.begin[std::size_t(t[k]) + 1];
  for (std::size_t p = 0; p < mesh.points.size(); ++p) at.begin[p + 1] += at.begin[p];
  at.corner.resize(3 * mesh.triangles.size());
  std::vector<int> end(at.begin.begin(), at.begin.end() - 1);
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
    for (int k = 0; k < 3; ++k)
      at.corner[std::size_t(end[std::size_t(mesh.triangles[t][k])]++)] = static_cast<int>(3 * t) + k;
  return at;
}

}  // namespace

CornerNormals corner_normals(const SurfaceMesh& mesh, double crease) {
  // Of the triangles: as long as twice their area, and of length 1
  std::vector<Vec3d> whole(mesh.triangles.size()), unit(mesh.triangles.size());
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const auto at = [&](int k) { return mesh.points[std::size_t(mesh.triangles[t][k])]; };
    whole[t] = cross(at(1) - at(0), at(2) - at(0));
    unit[t] = normalized(whole[t], Vec3d::axis(2));
  }
  // Of the corners: the sum over the triangles of the group around, as far as they do not turn away
  const CornersAtPoints corners = corners_at_points(mesh);
  const double least = mesh.smooth ? -2 : elementary::cos(crease);
  CornerNormals result;
  result.of_corner.resize(mesh.triangles.size());
  for (std::size_t p = 0; p < mesh.points.size(); ++p) {
    const std::size_t known = result.normals.size();
    for (int i = corners.begin[p]; i < corners.begin[p + 1]; ++i) {
      const auto one = std::size_t(corners.corner[std::size_t(i)]);
      Vec3d sum{};
      for (int j = corners.begin[p]; j < corners.begin[p + 1]; ++j) {
        const std::size_t other = std::size_t(corners.corner[std::size_t(j)]) / 3;
        if ((one / 3 < mesh.outer) == (other < mesh.outer) && dot(unit[one / 3], unit[other]) >= least)
          sum += whole[other];
      }
      const Vec3f normal = resized<float, 3>(normalized(sum, unit[one / 3]));
      std::size_t at = known;
      while (at < result.normals.size() && !(result.normals[at] == normal)) ++at;
      if (at == result.normals.size()) result.normals.push_back(normal);
      result.of_corner[one / 3][int(one % 3)] = static_cast<int>(at);
    }
  }
  return result;
}

SplitMesh split_corners(const SurfaceMesh& mesh) {
  const CornerNormals normals = corner_normals(mesh);
  const CornersAtPoints corners = corners_at_points(mesh);
  SplitMesh split;
  const std::size_t n = mesh.points.size();
  for (std::size_t p = 0; p < n; ++p) split.point.push_back(static_cast<int>(p));
  split.normals.assign(n, Vec3f{0, 0, 1});
  split.uv.assign(n, Vec2d{});
  split.triangles.resize(mesh.triangles.size());
  std::vector<int> same;  // the vertices that a point has become so far
  for (std::size_t p = 0; p < n; ++p) {
    same.clear();
    for (int i = corners.begin[p]; i < corners.begin[p + 1]; ++i) {
      const auto corner = std::size_t(corners.corner[std::size_t(i)]), t = corner / 3, k = corner % 3;
      const Vec3f normal = normals.normals[std::size_t(normals.of_corner[t][int(k)])];
      const Vec2d uv = t < mesh.uv.size() ? mesh.uv[t][k] : Vec2d{};
      int vertex = -1;
      for (const int v : same)
        if (split.normals[std::size_t(v)] == normal && split.uv[std::size_t(v)] == uv) vertex = v;
      if (vertex < 0) {
        vertex = same.empty() ? static_cast<int>(p) : static_cast<int>(split.point.size());
        if (!same.empty())
          split.point.push_back(static_cast<int>(p)), split.normals.emplace_back(), split.uv.emplace_back();
        split.normals[std::size_t(vertex)] = normal;
        split.uv[std::size_t(vertex)] = uv;
        same.push_back(vertex);
      }
      split.triangles[t][int(k)] = vertex;
    }
  }
  return split;
}

}  // namespace knead
