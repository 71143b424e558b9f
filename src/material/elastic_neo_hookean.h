// Neo-Hookean elasticity, whose resistance to compression grows without bound.
//   psi = mu/2 (sum sigma_i^2 - D) - mu ln J + lambda/2 ln^2 J      (Bonet 2008, section 6.4.3)
// Needs J > 0: singular values are raised to `smallest_stretch` first, so an inverted point is pushed back and never
// makes a NaN.
#pragma once

#include "material/elastic.h"
#include "material/flow_none.h"

namespace knead {

struct NeoHookean : ElasticModuli {
  template <class T, int D>
  KNEAD_HD T energy(const Vec<T, D>& sigma) const {
    const Vec<T, D> s = above_smallest_stretch(sigma);
    const T log_J = log(product(s));
    return T(mu() / 2) * (dot(s, s) - T(D)) - T(mu()) * log_J + T(lambda() / 2) * square(log_J);
  }

  template <class T, int D>
  KNEAD_HD Vec<T, D> kirchhoff(const Vec<T, D>& sigma) const {
    const Vec<T, D> s = above_smallest_stretch(sigma);
    const T pressure = T(lambda()) * log(product(s));
    Vec<T, D> tau{};
    for (int i = 0; i < D; ++i) tau[i] = T(mu()) * (square(s[i]) - T(1)) + pressure;
    return tau;
  }

  // tau = mu (F F^T - I) + lambda ln J I, good while no stretch can be below the smallest: sigma_min is at least
  // J / (tr B / 2)^(1/2) in 2D, J / (tr B / 2) in 3D.
  template <class T, int D>
  KNEAD_INLINE auto direct_stress(const Mat<T, D>& F, Sym<T, D>& tau) const {
    const Sym<T, D> B = left_cauchy_green(F);
    const T J = fused_determinant(F);
    T trace = B[0];
    for (int i = 1; i < D; ++i) trace = trace + B[i];
    const auto good = D == 2 ? J * J > T(smallest_stretch * smallest_stretch / 2) * trace && J > T(0)
                             : J > T(smallest_stretch / 2) * trace;
    const T rest = fma(T(lambda()), log(select(good, J, T(1))), T(-mu()));
    for (int i = 0; i < Sym<T, D>::size; ++i) tau[i] = i < D ? fma(T(mu()), B[i], rest) : T(mu()) * B[i];
    return good;
  }

  template <class T, int D>
  KNEAD_HD Mat<T, D> hessian(const Vec<T, D>& sigma) const {
    const Vec<T, D> s = above_smallest_stretch(sigma);
    const T pressure = T(lambda()) * log(product(s));
    Mat<T, D> H{};
    for (int i = 0; i < D; ++i)
      for (int j = 0; j < D; ++j)
        H(i, j) = i == j ? T(mu()) + (T(mu() + lambda()) - pressure) / square(s[i]) : T(lambda()) / (s[i] * s[j]);
    return H;
  }

  template <class T, int D>
  KNEAD_HD PairSlopes<T, D> pair_slopes(const Vec<T, D>& sigma) const {
    const Vec<T, D> s = above_smallest_stretch(sigma);
    const T a = T(mu()) - T(lambda()) * log(product(s));
    PairSlopes<T, D> slopes{};
    for (int i = 0, pair = 0; i < D; ++i)
      for (int j = i + 1; j < D; ++j, ++pair) {
        const T b = a / (s[i] * s[j]);
        slopes.minus[pair] = T(mu()) + b;
        slopes.plus[pair] = T(mu()) - b;
      }
    return slopes;
  }
};

struct NeoHookeanModel {
  static constexpr const char* name = "neo-hookean";
  static constexpr const char* doc = "Elastic, for soft bodies: resists compression ever more strongly.";
  static constexpr double density = 1000;
  static constexpr NeoHookean elastic{};
  static constexpr NoFlow flow{};
};

}  // namespace knead
