// Hencky elasticity (St. Venant-Kirchhoff in logarithmic strain), on which return maps become linear algebra.
//   psi = mu sum ln^2 sigma_i + lambda/2 (sum ln sigma_i)^2      (Wang 2020, Eq. 3.5, with the trace it lacks)
// It softens beyond a stretch of e and is weak against collapse: meant for plastic matter, not for large elastic
// stretch. Singular values are raised to `smallest_stretch` before the logarithm.
#pragma once

#include "material/elastic.h"
#include "material/flow_none.h"

namespace knead {

struct Hencky : ElasticModuli {
  static constexpr bool log_strain_law = true;

  template <class T, int D>
  KNEAD_HD T energy(const Vec<T, D>& sigma) const {
    return energy_of_strain(log_strain(sigma));
  }
  template <class T, int D>
  KNEAD_HD Vec<T, D> kirchhoff(const Vec<T, D>& sigma) const {
    return kirchhoff_of_strain(log_strain(sigma));
  }

  // The same of the logarithmic strain ln sigma_i, in which flow rules work.
  template <class T, int D>
  KNEAD_HD static Vec<T, D> log_strain(const Vec<T, D>& sigma) {
    Vec<T, D> strain = above_smallest_stretch(sigma);
    for (int i = 0; i < D; ++i) strain[i] = log(strain[i]);
    return strain;
  }
  template <class T, int D>
  KNEAD_HD T energy_of_strain(const Vec<T, D>& strain) const {
    return T(mu()) * dot(strain, strain) + T(lambda() / 2) * square(sum(strain));
  }
  template <class T, int D>
  KNEAD_HD Vec<T, D> kirchhoff_of_strain(const Vec<T, D>& strain) const {
    const T pressure = T(lambda()) * sum(strain);
    Vec<T, D> tau{};
    for (int i = 0; i < D; ++i) tau[i] = T(2 * mu()) * strain[i] + pressure;
    return tau;
  }

  template <class T, int D>
  KNEAD_HD Mat<T, D> hessian(const Vec<T, D>& sigma) const {
    const Vec<T, D> s = above_smallest_stretch(sigma), tau = kirchhoff(sigma);
    Mat<T, D> H{};
    for (int i = 0; i < D; ++i)
      for (int j = 0; j < D; ++j) H(i, j) = (i == j ? T(2 * mu() + lambda()) - tau[i] : T(lambda())) / (s[i] * s[j]);
    return H;
  }

  template <class T, int D>
  KNEAD_HD PairSlopes<T, D> pair_slopes(const Vec<T, D>& sigma) const {
    const Vec<T, D> s = above_smallest_stretch(sigma), tau = kirchhoff(sigma);
    PairSlopes<T, D> slopes{};
    for (int i = 0, pair = 0; i < D; ++i)
      for (int j = i + 1; j < D; ++j, ++pair) {
        // ln(r) / (r - 1) is right to rounding although r is rounded: r - 1 is exact near 1 and the quotient smooth.
        const T r = s[i] / s[j];
        const auto equal = r == T(1);
        const T quotient = select(equal, T(1), log(r)) / select(equal, T(1), r - T(1));
        slopes.minus[pair] = (T(2 * mu()) * quotient - tau[j]) / (s[i] * s[j]);
        slopes.plus[pair] = (tau[i] / s[i] + tau[j] / s[j]) / (s[i] + s[j]);
      }
    return slopes;
  }
};

struct HenckyModel {
  static constexpr const char* name = "hencky";
  static constexpr const char* doc =
      "Elastic in logarithmic strain: exact at large compression, softer at large stretch.";
  static constexpr double density = 1000;
  static constexpr Hencky elastic{};
  static constexpr NoFlow flow{};
};

}  // namespace knead
