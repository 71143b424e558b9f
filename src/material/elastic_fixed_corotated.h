// Fixed corotated elasticity: quadratic in the stretches, finite for flat and inverted matter.
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
      for (int j = 0; j < D; ++j) {
        const T third = D == 2 || i == j ? T(1) : sigma[D == 2 ? 0 : 3 - i - j];  // the product without i and j
        H(i, j) = i == j ? T(2 * mu()) + T(lambda()) * square(others[i]) : T(lambda()) * (T(2) * J - T(1)) * third;
      }
    return H;
  }
};

struct FixedCorotatedModel {
  static constexpr const char* name = "fixed-corotated";
  static constexpr const char* doc =
      "Elastic, for jelly and rubber: keeps its strength when squashed flat or turned inside out.";
  static constexpr double density = 1000;
  static constexpr FixedCorotated elastic{};
  static constexpr NoFlow flow{};
};

}  // namespace knead
