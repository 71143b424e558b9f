// Round shapes: ball, ellipsoid, capsule and torus.
#pragma once

#include "base/table.h"
#include "geometry/bounds.h"

namespace knead {

struct Sphere {
  Vec3d center{};
  double radius = 0.5;

  double distance(const Vec3d& p) const { return length(p - center) - radius; }  // exact
  Bounds bounds(int dim) const { return flattened(Bounds::around(center, Vec3d::filled(radius)), dim); }
  double volume(int dim) const;
  std::vector<std::string> check(int) const { return {}; }
  void flatten() { center[2] = 0; }
  static const Table& table();
};

// In 2D, and wherever the third radius is 0, an ellipsoid is unbounded in z.
struct Ellipsoid {
  Vec3d center{};
  Vec3d radii{0.5, 0.5, 0.5};

  double distance(const Vec3d& p) const;  // exact, by Newton's method
  Bounds bounds(int dim) const;
  double volume(int dim) const;
  std::vector<std::string> check(int dim) const;
  void flatten() { center[2] = radii[2] = 0; }
  static const Table& table();
};

// The points within `radius` of the segment between two points.
struct Capsule {
  Vec3d from{0, -0.5, 0}, to{0, 0.5, 0};
  double radius = 0.25;

  double distance(const Vec3d& p) const;  // exact
  Bounds bounds(int dim) const;
  double volume(int dim) const;
  std::vector<std::string> check(int) const { return {}; }
  void flatten() { from[2] = to[2] = 0; }
  static const Table& table();
};

struct Torus {
  Vec3d center{};
  Vec3d axis{0, 1, 0};
  double radius = 0.5;  // from the centre to the middle of the tube
  double tube = 0.2;    // radius of the tube

  double distance(const Vec3d& p) const;  // exact
  Bounds bounds(int dim) const;
  double volume(int dim) const;
  std::vector<std::string> check(int dim) const;
  void flatten() {}
  static const Table& table();
};

}  // namespace knead
