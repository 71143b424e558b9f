// Smooth noise in space: a number for each corner of the lattice of whole numbers, and between them what is smooth.
#pragma once

#include "base/vec.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

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

// Smooth noise, 0 to 1, about as wide as the lattice, and its gradient.
struct SmoothNoise {
  double value = 0;
  Vec3d slope{};
};
inline SmoothNoise smooth_noise_with_slope(const Vec3d& X) {
  if (!std::isfinite(X[0] + X[1] + X[2])) return {std::numeric_limits<double>::quiet_NaN()};
  std::int64_t low[3];
  double t[3], slope[3];
  for (int a = 0; a < 3; ++a) {
    const double x = std::clamp(X[a], -1e9, 1e9), inside = x - std::floor(x);
    low[a] = std::int64_t(std::floor(x));
    t[a] = smooth_step(0, 1, inside), slope[a] = 6 * inside * (1 - inside);
  }
  SmoothNoise noise;
  for (int corner = 0; corner < 8; ++corner) {
    const int at[3] = {corner & 1, corner >> 1 & 1, corner >> 2};
    double share[3], change[3];
    for (int a = 0; a < 3; ++a) share[a] = at[a] ? t[a] : 1 - t[a], change[a] = at[a] ? slope[a] : -slope[a];
    const double here = lattice_noise(low[0] + at[0], low[1] + at[1], low[2] + at[2]);
    noise.value += share[0] * share[1] * share[2] * here;
    noise.slope +=
        Vec3d{change[0] * share[1] * share[2], share[0] * change[1] * share[2], share[0] * share[1] * change[2]} * here;
  }
  return noise;
}
inline double smooth_noise(const Vec3d& X) { return smooth_noise_with_slope(X).value; }

}  // namespace knead
