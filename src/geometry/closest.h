// The nearest points of segments and triangles.
#pragma once

#include "base/vec.h"

#include <algorithm>

namespace knead {

inline Vec3d closest_on_segment(const Vec3d& p, const Vec3d& a, const Vec3d& b) {
  const Vec3d ab = b - a;
  const double l2 = dot(ab, ab);
  const double t = l2 > 0 ? std::clamp(dot(p - a, ab) / l2, 0.0, 1.0) : 0.0;
  return a + t * ab;
}

// Where on a triangle a point lies: inside (-1), on the edge opposite to a corner (0 to 2), or on a corner (3 to 5).
struct TrianglePoint {
  Vec3d point{};
  int feature = -1;
};

// By the Voronoi regions of the corners and edges (Ericson, Real-Time Collision Detection, 5.1.5).
inline TrianglePoint closest_on_triangle(const Vec3d& p, const Vec3d& a, const Vec3d& b, const Vec3d& c) {
  const Vec3d ab = b - a, ac = c - a, ap = p - a, bp = p - b, cp = p - c;
  const double d1 = dot(ab, ap), d2 = dot(ac, ap), d3 = dot(ab, bp), d4 = dot(ac, bp), d5 = dot(ab, cp),
               d6 = dot(ac, cp);
  if (d1 <= 0 && d2 <= 0) return {a, 3};
  if (d3 >= 0 && d4 <= d3) return {b, 4};
  if (d6 >= 0 && d5 <= d6) return {c, 5};
  const double vc = d1 * d4 - d3 * d2, vb = d5 * d2 - d1 * d6, va = d3 * d6 - d5 * d4;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) return {a + (d1 / (d1 - d3)) * ab, 2};
  if (vb <= 0 && d2 >= 0 && d6 <= 0) return {a + (d2 / (d2 - d6)) * ac, 1};
  if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) return {b + ((d4 - d3) / ((d4 - d3) + (d5 - d6))) * (c - b), 0};
  const double scale = 1 / (va + vb + vc);
  return {a + (vb * scale) * ab + (vc * scale) * ac, -1};
}

}  // namespace knead
