// Hooke's law in the stretches: quadratic, finite and restoring for flat and inverted matter too.
//   psi = mu sum (sigma_i - 1)^2 + lambda/2 (sum (sigma_i - 1))^2     (Ward 2012, Eqs. 3.22 and 3.23; Gerszewski 2014,
//   Eq. 4.9)
#pragma once

#include "material/elastic.h"
#include "material/flow_none.h"

namespace knead {

struct Corotated : ElasticModuli {
  template <class T, int D>
  KNEAD_HD T energy(const Vec<T, D>& sigma) const {
    T shape = square(sigma[0] - T(1));
    for (int i = 1; i < D; ++i) shape = shape + square(sigma[i] - T(1));
    return T(mu()) * shape + T(lambda() / 2) * square(sum(sigma) - T(D));
  }

  template <class T, int D>
  KNEAD_HD Vec<T, D> kirchhoff(const Vec<T, D>& sigma) const {
    const T pressure = T(lambda()) * (sum(sigma) - T(D));
    Vec<T, D> tau{};
    for (int i = 0; i < D; ++i) tau[i] = sigma[i] * (T(2 * mu()) * (sigma[i] - T(1)) + pressure);
    return tau;
  }

  template <class T, int D>
  KNEAD_HD Mat<T, D> hessian(const Vec<T, D>&) const {
    Mat<T, D> H{};
    for (int i = 0; i < D; ++i)
      for (int j = 0; j < D; ++j) H(i, j) = T(i == j ? lambda() + 2 * mu() : lambda());
    return H;
  }

  // The polar rotation has no slope where two stretches are opposite: their sum is kept off zero by 1e-4.
  template <class T, int D>
  KNEAD_HD PairSlopes<T, D> pair_slopes(const Vec<T, D>& sigma) const {
    const T twice = T(2 * lambda()) * (sum(sigma) - T(D)) - T(4 * mu());
    PairSlopes<T, D> s{};
    for (int i = 0, pair = 0; i < D; ++i)
      for (int j = i + 1; j < D; ++j, ++pair) {
        const T both = sigma[i] + sigma[j];
        s.minus[pair] = T(2 * mu());
        s.plus[pair] = T(2 * mu()) + twice / copysign(max(abs(both), T(1e-4)), both);
      }
    return s;
  }
};

}  // namespace knead
