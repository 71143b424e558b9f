#include "geometry/triangle_tree.h"

#include "base/elementary.h"

#include <numbers>
#include <numeric>

namespace knead {

namespace {

constexpr int leaf_size = 4;

double distance2_to_box(const Vec3d& p, const Bounds& b) {
  double s = 0;
  for (int i = 0; i < 3; ++i) {
    const double d = std::max({b.lo[i] - p[i], 0.0, p[i] - b.hi[i]});
    s += d * d;
  }
  return s;
}

// The solid angle of a triangle seen from the origin (Van Oosterom and Strackee 1983, Eq. 8).
double solid_angle(const Vec3d& a, const Vec3d& b, const Vec3d& c) {
  const double la = length(a), lb = length(b), lc = length(c);
  return 2 * elementary::atan2(dot(a, cross(b, c)), la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb);
}

}  // namespace

TriangleTree::TriangleTree(const TriangleMesh& mesh) : mesh_(mesh) {
  const int n = static_cast<int>(mesh.triangles.size());
  order_.resize(mesh.triangles.size());
  std::iota(order_.begin(), order_.end(), 0);
  std::vector<Vec3d> middles(order_.size());
  for (int i = 0; i < n; ++i) middles[static_cast<std::size_t>(i)] = (corner(i, 0) + corner(i, 1) + corner(i, 2)) / 3.0;
  nodes_.reserve(order_.size());
  if (n > 0) build(0, n, middles);
}

// Halves at the median along the longest side, so that the depth stays below log2 of the count whatever the mesh.
int TriangleTree::build(int begin, int end, std::vector<Vec3d>& middles) {
  Node node;
  node.begin = begin, node.end = end;
  Bounds spread;
  double total = 0;
  for (int i = begin; i < end; ++i) {
    const int t = order_[static_cast<std::size_t>(i)];
    const Vec3d area = cross(corner(t, 1) - corner(t, 0), corner(t, 2) - corner(t, 0)) * 0.5;
    for (int k = 0; k < 3; ++k) node.box.add(corner(t, k));
    spread.add(middles[static_cast<std::size_t>(t)]);
    node.area += area;
    node.center += length(area) * middles[static_cast<std::size_t>(t)];
    total += length(area);
  }
  node.center = total > 0 ? node.center / total : node.box.center();
  for (int i = 0; i < 8; ++i) {
    const Vec3d corner_of_box{i & 1 ? node.box.lo[0] : node.box.hi[0], i & 2 ? node.box.lo[1] : node.box.hi[1],
                              i & 4 ? node.box.lo[2] : node.box.hi[2]};
    node.radius = std::max(node.radius, length(corner_of_box - node.center));
  }
  const int index = static_cast<int>(nodes_.size());
  nodes_.push_back(node);
  if (end - begin > leaf_size) {
    const Vec3d size = spread.size();
    const int axis = size[0] >= size[1] && size[0] >= size[2] ? 0 : size[1] >= size[2] ? 1 : 2;
    const int middle = (begin + end) / 2;
    std::nth_element(order_.begin() + begin, order_.begin() + middle, order_.begin() + end, [&](int a, int b) {
      const double xa = middles[static_cast<std::size_t>(a)][axis], xb = middles[static_cast<std::size_t>(b)][axis];
      return xa < xb || (xa == xb && a < b);
    });
    build(begin, middle, middles);
    nodes_[static_cast<std::size_t>(index)].right = build(middle, end, middles);
  }
  return index;
}

TriangleTree::Nearest TriangleTree::nearest(const Vec3d& p) const {
  Nearest best;
  if (nodes_.empty()) return best;
  struct Entry {
    int node;
    double distance2;
  };
  Entry stack[64];
  int top = 0;
  stack[top++] = {0, distance2_to_box(p, nodes_[0].box)};
  while (top > 0) {
    const Entry entry = stack[--top];
    if (entry.distance2 >= best.distance2) continue;
    const Node& node = nodes_[static_cast<std::size_t>(entry.node)];
    if (node.right < 0) {
      for (int i = node.begin; i < node.end; ++i) {
        const int t = order_[static_cast<std::size_t>(i)];
        const TrianglePoint q = closest_on_triangle(p, corner(t, 0), corner(t, 1), corner(t, 2));
        const Vec3d r = p - q.point;
        if (dot(r, r) < best.distance2) best = {dot(r, r), t, q};
      }
      continue;
    }
    // The nearer child is looked at first.
    Entry near{entry.node + 1, distance2_to_box(p, nodes_[static_cast<std::size_t>(entry.node) + 1].box)};
    Entry far{node.right, distance2_to_box(p, nodes_[static_cast<std::size_t>(node.right)].box)};
    if (far.distance2 < near.distance2) std::swap(near, far);
    stack[top++] = far, stack[top++] = near;
  }
  return best;
}

double TriangleTree::winding(const Vec3d& p) const {
  if (nodes_.empty()) return 0;
  double angle = 0;
  int stack[64], top = 0;
  stack[top++] = 0;
  while (top > 0) {
    const int at = stack[--top];
    const Node& node = nodes_[static_cast<std::size_t>(at)];
    const Vec3d r = node.center - p;
    const double l = length(r);
    if (l > 2.5 * node.radius) {
      angle += dot(node.area, r) / (l * l * l);
    } else if (node.right >= 0) {
      stack[top++] = at + 1, stack[top++] = node.right;
    } else {
      for (int i = node.begin; i < node.end; ++i) {
        const int t = order_[static_cast<std::size_t>(i)];
        angle += solid_angle(corner(t, 0) - p, corner(t, 1) - p, corner(t, 2) - p);
      }
    }
  }
  return angle / (4 * std::numbers::pi);
}

bool TriangleTree::segment_meets_box(const Vec3d& a, const Vec3d& b, const Bounds& box) {
  double from = 0, to = 1;
  for (int i = 0; i < 3; ++i) {
    const double d = b[i] - a[i];
    if (d == 0) {
      if (a[i] < box.lo[i] || a[i] > box.hi[i]) return false;
      continue;
    }
    double near = (box.lo[i] - a[i]) / d, far = (box.hi[i] - a[i]) / d;
    if (near > far) std::swap(near, far);
    from = std::max(from, near), to = std::min(to, far);
  }
  return from <= to;
}

// By the signs of the volumes that the segment spans with the triangle's edges; a mere touch does not count.
bool TriangleTree::segment_crosses(const Vec3d& a, const Vec3d& b, int triangle) const {
  const Vec3d &p = corner(triangle, 0), &q = corner(triangle, 1), &r = corner(triangle, 2);
  const Vec3d n = cross(q - p, r - p);
  const double da = dot(n, a - p), db = dot(n, b - p);
  // Touching within rounding is no crossing.
  const double touch = 1e-9 * length(n) * (length(a - p) + length(b - p));
  if (!((da > touch && db < -touch) || (da < -touch && db > touch))) return false;
  const Vec3d d = b - a;
  const double u = dot(d, cross(p - a, q - a)), v = dot(d, cross(q - a, r - a)), w = dot(d, cross(r - a, p - a));
  return (u > 0 && v > 0 && w > 0) || (u < 0 && v < 0 && w < 0);
}

}  // namespace knead
