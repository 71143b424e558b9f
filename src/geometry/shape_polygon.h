// Flat outlines in the plane of x and y, extruded along z: polygons and stars.
#pragma once

#include "base/table.h"
#include "geometry/bounds.h"

namespace knead {

// In 2D, and wherever `depth` is 0, an outline is unbounded in z.
struct Polygon {
  std::vector<Vec3d> points;  // their z is not used
  double depth = 1;
  double z = 0;  // middle of the extrusion

  double distance(const Vec3d& p) const;  // exact
  Bounds bounds(int dim) const;
  double volume(int dim) const;
  std::vector<std::string> check(int dim) const;
  void flatten() { depth = z = 0; }
  static const Table& table();
};

// A star of `points` tips; the first tip points along y, turned by `rotation` against the clock.
struct Star {
  Vec3d center{};
  int points = 5;
  double inner = 0.25, outer = 0.5;
  double rotation = 0;
  double depth = 1;

  double distance(const Vec3d& p) const;  // exact
  Bounds bounds(int dim) const;
  double volume(int dim) const;
  std::vector<std::string> check(int) const { return {}; }
  void flatten() { depth = center[2] = 0; }
  std::vector<Vec3d> outline() const;
  static const Table& table();
};

}  // namespace knead
