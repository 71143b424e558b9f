// Ground: half-spaces and terrains.
#pragma once

#include "base/table.h"
#include "geometry/bounds.h"

namespace knead {

// The half-space behind a plane; solid on the side that the normal points away from.
struct Plane {
  Vec3d point{};
  Vec3d normal{0, 1, 0};

  double distance(const Vec3d& p) const { return dot(p - point, normalized(normal, Vec3d::axis(1))); }  // exact
  Vec3d gradient(const Vec3d&) const { return normalized(normal, Vec3d::axis(1)); }
  Bounds bounds(int dim) const;
  double volume(int) const { return Bounds::infinity; }
  std::vector<std::string> check(int dim) const;
  void flatten() { point[2] = normal[2] = 0; }
  static const Table& table();
};

// Solid below a surface y = h(x, z) given by its heights on a regular grid, interpolated bilinearly; in 2D, or where
// there is but one row, below a polyline over x. It ends where the grid ends, and at `base` where one is given.
struct Heightfield {
  std::vector<double> heights;  // row by row: x runs fastest, then z
  int columns = 0;              // heights a row; 0 when there is but one row
  Vec3d min{0, 0, 0}, max{1, 0, 1};
  std::optional<double> base;
  double slope = -1;  // of the steepest cell, once prepare() has found it

  // A lower bound of the right sign: the height difference over sqrt(1 + slope^2) of the steepest cell.
  double distance(const Vec3d& p) const;
  Bounds bounds(int dim) const;
  double volume(int dim) const;
  std::vector<std::string> check(int dim) const;
  void flatten();
  void prepare() { slope = steepest(); }
  double height(double x, double z) const;
  static const Table& table();

 private:
  int row_length() const { return columns > 0 ? columns : static_cast<int>(heights.size()); }
  int rows() const { return row_length() > 0 ? static_cast<int>(heights.size()) / row_length() : 0; }
  double steepest() const;
};

}  // namespace knead
