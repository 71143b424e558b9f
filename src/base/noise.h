// Smooth noise in space: a number for each corner of the lattice of whole numbers, and between them what is smooth.
#pragma once

#include "base/vec.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace knead {

// From 0 where x is `from` or less to 1 where it is `to` or more, with no kink.
inline double smooth_step(double from, double to, double x) {
  const double t = std::clamp((x - from) / (to - from), 0., 1.);
  return t * t * (3 - 2 * t);
}

// A number from 0 to 1 for each corner of the lattice of whole numbers.
inline double lattice_noise(std::int64_t x, std::int64_t y, std::int64_t z) {
  std::uint64_t h = std::uint64_t(x) * 0x9E3779B97F4A7C15u ^ std::uint64_t(y) * 0xC2B2AE3D27D4EB4Fu ^
                    std::uint64_t(z) * 0x165667B19E3779F9u;
  h = (h ^ (h >> 31)) * 0xBF58476D1CE4E5B9u;
  h = (h ^ (h >> 29)) * 0x94D049BB133111EBu;
  return double((h ^ (h >> 32)) & 0xFFFFFFu) / double(0xFFFFFF);
}

// Smooth noise, 0 to 1, about as wide as the lattice.
inline double smooth_noise(const Vec3d& X) {
  std::int64_t low[3];
  double t[3];
  for (int k = 0; k < 3; ++k) {
    const double x = std::clamp(X[k], -1e9, 1e9);
    low[k] = std::int64_t(std::floor(x));
    t[k] = smooth_step(0, 1, x - std::floor(x));
  }
  double sum = 0;
  for (int corner = 0; corner < 8; ++corner) {
    const int i = corner & 1, j = corner >> 1 & 1, k = corner >> 2;
    sum += (i ? t[0] : 1 - t[0]) * (j ? t[1] : 1 - t[1]) * (k ? t[2] : 1 - t[2]) *
           lattice_noise(low[0] + i, low[1] + j, low[2] + k);
  }
  return sum;
}

}  // namespace knead
