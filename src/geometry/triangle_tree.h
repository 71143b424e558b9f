// A tree of boxes over the triangles of a mesh: nearest point, winding number, and crossings with segments.
#pragma once

#include "geometry/closest.h"
#include "geometry/mesh.h"

namespace knead {

class TriangleTree {
 public:
  explicit TriangleTree(const TriangleMesh& mesh);

  struct Nearest {
    double distance2 = Bounds::infinity;
    int triangle = -1;
    TrianglePoint at;
  };
  Nearest nearest(const Vec3d& p) const;

  // How often the surface winds around p: 1 inside, 0 outside, where surfaces overlap their sum. Far triangles count as
  // one dipole (Barill 2018, Eq. 8, first order), which is enough to tell whole numbers apart.
  double winding(const Vec3d& p) const;

  // Does the segment from a to b cross a triangle that `skip` (given its index) does not excuse?
  template <class Skip>
  bool crosses(const Vec3d& a, const Vec3d& b, Skip&& skip) const;

 private:
  struct Node {
    Bounds box;
    Vec3d center{}, area{};  // of the triangles below: middle, and the sum of their normals times areas
    double radius = 0;       // from the middle to the farthest corner
    int begin = 0, end = 0;  // triangles, in order_
    int right = -1;          // the left child follows at once; -1 marks a leaf
  };
  int build(int begin, int end, std::vector<Vec3d>& middles);
  const Vec3d& corner(int triangle, int k) const {
    return mesh_.vertices[static_cast<std::size_t>(mesh_.triangles[static_cast<std::size_t>(triangle)][k])];
  }
  static bool segment_meets_box(const Vec3d& a, const Vec3d& b, const Bounds& box);
  bool segment_crosses(const Vec3d& a, const Vec3d& b, int triangle) const;

  const TriangleMesh& mesh_;
  std::vector<int> order_;
  std::vector<Node> nodes_;
};

template <class Skip>
bool TriangleTree::crosses(const Vec3d& a, const Vec3d& b, Skip&& skip) const {
  int stack[64], top = 0;
  stack[top++] = 0;
  while (top > 0) {
    const int at = stack[--top];
    const Node& node = nodes_[static_cast<std::size_t>(at)];
    if (!segment_meets_box(a, b, node.box)) continue;
    if (node.right >= 0) {
      stack[top++] = at + 1, stack[top++] = node.right;
      continue;
    }
    for (int i = node.begin; i < node.end; ++i) {
      const int triangle = order_[static_cast<std::size_t>(i)];
      if (!skip(triangle) && segment_crosses(a, b, triangle)) return true;
    }
  }
  return false;
}

}  // namespace knead
