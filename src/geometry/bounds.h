// An axis-aligned box that may be empty or unbounded.
#pragma once

#include "base/vec.h"

#include <algorithm>
#include <limits>

namespace knead {

struct Bounds {
  static constexpr double infinity = std::numeric_limits<double>::infinity();

  // Empty until something is added.
  Vec3d lo = Vec3d::filled(infinity), hi = Vec3d::filled(-infinity);

  static Bounds everything() { return {Vec3d::filled(-infinity), Vec3d::filled(infinity)}; }
  static Bounds around(const Vec3d& center, const Vec3d& half) { return {center - half, center + half}; }

  void add(const Vec3d& p) {
    for (int i = 0; i < 3; ++i) lo[i] = std::min(lo[i], p[i]), hi[i] = std::max(hi[i], p[i]);
  }
  void add(const Bounds& b) {
    for (int i = 0; i < 3; ++i) lo[i] = std::min(lo[i], b.lo[i]), hi[i] = std::max(hi[i], b.hi[i]);
  }
  Bounds common(const Bounds& b) const {
    Bounds r;
    for (int i = 0; i < 3; ++i) r.lo[i] = std::max(lo[i], b.lo[i]), r.hi[i] = std::min(hi[i], b.hi[i]);
    return r;
  }
  Bounds grown(double margin) const { return {lo - Vec3d::filled(margin), hi + Vec3d::filled(margin)}; }

  // The questions below look at the first `dim` axes only.
  bool empty(int dim) const {
    for (int i = 0; i < dim; ++i)
      if (!(lo[i] <= hi[i])) return true;
    return false;
  }
  bool finite(int dim) const {
    for (int i = 0; i < dim; ++i)
      if (!std::isfinite(lo[i]) || !std::isfinite(hi[i])) return false;
    return true;
  }
  bool overlaps(const Bounds& b, int dim) const {
    for (int i = 0; i < dim; ++i)
      if (lo[i] >= b.hi[i] || b.lo[i] >= hi[i]) return false;
    return true;
  }
  bool contains(const Vec3d& p, int dim) const {
    for (int i = 0; i < dim; ++i)
      if (p[i] < lo[i] || p[i] > hi[i]) return false;
    return true;
  }
  Vec3d center() const { return (lo + hi) * 0.5; }
  Vec3d size() const { return hi - lo; }
  double volume(int dim) const {
    double v = 1;
    for (int i = 0; i < dim; ++i) v *= std::max(0.0, hi[i] - lo[i]);
    return v;
  }
};

// In 2D the third axis is unbounded: a 2D shape is the slice z = 0 of a prism.
inline Bounds flattened(Bounds b, int dim) {
  if (dim == 2) b.lo[2] = -Bounds::infinity, b.hi[2] = Bounds::infinity;
  return b;
}

}  // namespace knead
