// The exact signed distance of a closed triangle mesh.
#pragma once

#include "geometry/triangle_tree.h"

#include <memory>

namespace knead {

// The sign comes from the angle-weighted normal at the nearest point (Baerentzen and Aanaes 2005), which is exact for a
// closed surface that does not cross itself; for any other closed surface from the winding number.
class MeshDistance {
 public:
  // `mesh` has been repaired, with this report.
  MeshDistance(TriangleMesh mesh, const MeshReport& report);
  MeshDistance(const MeshDistance&) = delete;

  double operator()(const Vec3d& p) const;
  Vec3d gradient(const Vec3d& p) const;  // of any length; zero only where there is none
  const TriangleMesh& mesh() const { return mesh_; }
  const Bounds& bounds() const { return bounds_; }
  double volume() const;
  bool simple() const { return by_normal_; }  // it does not cross or touch itself

 private:
  Vec3d normal_at(const TriangleTree::Nearest& nearest) const;

  TriangleMesh mesh_;
  Bounds bounds_;
  TriangleTree tree_;
  bool by_normal_;
  std::vector<Vec3d> face_normals_, vertex_normals_;
  std::vector<Vec3i> across_;  // the triangle on the other side of the edge opposite to each corner
};

}  // namespace knead
