// Boxes, with sharp or rounded edges.
#pragma once

#include "base/table.h"
#include "geometry/bounds.h"

namespace knead {

// In 2D, and wherever the third size is 0, a box is unbounded in z.
struct Box {
  Vec3d center{};
  Vec3d size{1, 1, 1};

  double distance(const Vec3d& p) const;  // exact
  Bounds bounds(int dim) const;
  double volume(int dim) const;
  std::vector<std::string> check(int dim) const;
  void flatten() { center[2] = size[2] = 0; }
  static const Table& table();
};

// The points within `radius` of a smaller box; `size` is the outer size.
struct RoundedBox {
  Vec3d center{};
  Vec3d size{1, 1, 1};
  double radius = 0.1;

  double distance(const Vec3d& p) const;  // exact
  Bounds bounds(int dim) const;
  double volume(int dim) const;
  std::vector<std::string> check(int dim) const;
  void flatten() { center[2] = size[2] = 0; }
  static const Table& table();
};

}  // namespace knead
