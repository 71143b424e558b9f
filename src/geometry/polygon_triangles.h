// Polygons of mesh files into triangles.
#pragma once

#include "geometry/mesh.h"

#include <array>
#include <span>

namespace knead {

// Cuts a flat polygon, hollow corners allowed, by clipping ears (Meisters 1975): corners - 2 triangles of its corners,
// numbered from 0, that run as it does. A convex one becomes a fan about its first corner. Where the polygon crosses
// itself the triangles overlap, but their outline is still that of the polygon, so that the surface has no gap.
void cut_polygon(std::span<const Vec3d> corners, std::vector<std::array<int, 3>>& triangles);

// Appends faces to a mesh as triangles.
class FaceAppender {
 public:
  explicit FaceAppender(TriangleMesh& mesh) : mesh_(mesh) {}
  // `corners` are vertices of the mesh; `uv` their texture coordinates, or empty. Once a face has some, those without
  // have zeros.
  void add(std::span<const int> corners, std::span<const Vec2d> uv);

 private:
  TriangleMesh& mesh_;
  std::vector<Vec3d> places_;
  std::vector<std::array<int, 3>> triangles_;
};

}  // namespace knead
