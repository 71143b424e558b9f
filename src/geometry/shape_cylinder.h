// Shapes of revolution with flat ends: cylinder and cone. They exist in 3D only.
#pragma once

#include "base/table.h"
#include "geometry/bounds.h"

namespace knead {

struct Cylinder {
  Vec3d center{};
  Vec3d axis{0, 1, 0};
  double radius = 0.5;
  double height = 1;

  double distance(const Vec3d& p) const;  // exact
  Bounds bounds(int dim) const;
  double volume(int dim) const;
  std::vector<std::string> check(int dim) const;
  void flatten() {}
  static const Table& table();
};

// A cone, or a cut one where `top` is above 0.
struct Cone {
  Vec3d base{};
  Vec3d apex{0, 1, 0};
  double radius = 0.5;
  double top = 0;

  double distance(const Vec3d& p) const;  // exact
  Bounds bounds(int dim) const;
  double volume(int dim) const;
  std::vector<std::string> check(int dim) const;
  void flatten() {}
  static const Table& table();
};

}  // namespace knead
