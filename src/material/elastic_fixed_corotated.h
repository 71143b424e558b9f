// Fixed corotated elasticity: quadratic in the stretches, finite for flat and inverted matter. Finite means weak too:
// at total collapse along one axis it holds mu + lambda/2, half the density times the square of the wave speed, and no
// more.
//
//   psi = mu sum (sigma_i - 1)^2 + lambda/2 (J - 1)^2,  J = product of sigma      (Stomakhin 2012, fixed corotated)
#pragma once

#include "material/elastic.h"
#include "material/flow_none.h"

namespace knead {

struct FixedCorotated : ElasticModuli {
  template <class T, int D>
  KNEAD_HD T energy(const Vec<T, D>& sigma) const {
    const T volume = product(sigma) - T(1);
    T shape = square(sigma[0] - T(1));
    for (int i = 1; i < D; ++i) shape = shape + square(sigma[i] - T(1));
    return T(mu()) * shape + T(lambda() / 2) * square(volume);
  }

  template <class T, int D>
  KNEAD_HD Vec<T, D> kirchhoff(const Vec<T, D>& sigma) const {
    const T J = product(sigma);
    const T pressure = T(lambda()) * (J - T(1)) * J;
    Vec<T, D> tau{};
    for (int i = 0; i < D; ++i) tau[i] = T(2 * mu()) * (sigma[i] - T(1)) * sigma[i] + pressure;
    return tau;
  }

  template <class T, int D>
  KNEAD_HD Mat<T, D> hessian(const Vec<T, D>& sigma) const {
    const T J = product(sigma);
    const Vec<T, D> others = products_of_others(sigma);
    Mat<T, D> H{};
    for (int i = 0; i < D; ++i)
      for (int j = 0; j < D; ++j)
        H(i, j) = i == j ? T(2 * mu()) + T(lambda()) * square(others[i])
                         : T(lambda()) * (T(2) * J - T(1)) * product_without(sigma, i, j);
    return H;
  }

  // The polar rotation has no slope where two stretches are opposite: their sum is kept off zero by 1e-4.
  template <class T, int D>
  KNEAD_HD PairSlopes<T, D> pair_slopes(const Vec<T, D>& sigma) const {
    const T pressure = T(lambda()) * (product(sigma) - T(1));
    PairSlopes<T, D> s{};
    for (int i = 0, pair = 0; i < D; ++i)
      for (int j = i + 1; j < D; ++j, ++pair) {
        const T volume = pressure * product_without(sigma, i, j), sum = sigma[i] + sigma[j];
        s.minus[pair] = T(2 * mu()) - volume;
        s.plus[pair] = T(2 * mu()) * (T(1) - T(2) / copysign(max(abs(sum), T(1e-4)), sum)) + volume;
      }
    return s;
  }
};

struct FixedCorotatedModel {
  static constexpr const char* name = "fixed-corotated";
  static constexpr const char* doc =
      "Elastic, for jelly and rubber: recovers from being inside out. An impact faster than "
      "its wave speed can flatten it for good; neo-hookean withstands that.";
  static constexpr double density = 1000;
  static constexpr FixedCorotated elastic{};
  static constexpr NoFlow flow{};
};

}  // namespace knead
