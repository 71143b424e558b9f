// Hencky elasticity whose energy is split into that of tension and that of pressure, of which a crack takes the first
// alone: its faces still press on each other. With eps_i = ln sigma_i,
//
//   psi+ = mu sum <eps_i>^2 + lambda/2 <sum eps_i>^2,   <a> = max(a, 0)        (after Miehe 2010, in such strain)
//   psi  = g psi+ + psi-,   psi- = psi_Hencky - psi+
//
// where g is the share of the stiffness against tension that is left: 1 makes it Hencky's law.
#pragma once

#include "material/elastic_hencky.h"

namespace knead {

template <class T, int D>
KNEAD_HD T tensile_energy(const ElasticModuli& moduli, const Vec<T, D>& strain) {
  T squares = T(0);
  for (int i = 0; i < D; ++i) squares = squares + square(max(strain[i], T(0)));
  return T(moduli.mu()) * squares + T(moduli.lambda() / 2) * square(max(sum(strain), T(0)));
}

struct SplitHencky : Hencky {
  // The functions of a law take g.
  static constexpr bool splits_tension = true;

  template <class T, int D>
  KNEAD_HD T energy_of_strain(const Vec<T, D>& strain, const T& g = T(1)) const {
    return Hencky::energy_of_strain(strain) - (T(1) - g) * tensile_energy(*this, strain);
  }
  template <class T, int D>
  KNEAD_HD Vec<T, D> kirchhoff_of_strain(const Vec<T, D>& strain, const T& g = T(1)) const {
    const T trace = sum(strain), pressure = T(lambda()) * left(trace, g) * trace;
    Vec<T, D> tau{};
    for (int i = 0; i < D; ++i) tau[i] = T(2 * mu()) * left(strain[i], g) * strain[i] + pressure;
    return tau;
  }
  template <class T, int D>
  KNEAD_HD T energy(const Vec<T, D>& sigma, const T& g = T(1)) const {
    return energy_of_strain(log_strain(sigma), g);
  }
  template <class T, int D>
  KNEAD_HD Vec<T, D> kirchhoff(const Vec<T, D>& sigma, const T& g = T(1)) const {
    return kirchhoff_of_strain(log_strain(sigma), g);
  }

  template <class T, int D>
  KNEAD_HD Mat<T, D> hessian(const Vec<T, D>& sigma, const T& g = T(1)) const {
    const Vec<T, D> s = above_smallest_stretch(sigma), strain = log_strain(sigma), tau = kirchhoff_of_strain(strain, g);
    const T bulk = T(lambda()) * left(sum(strain), g);
    Mat<T, D> H{};
    for (int i = 0; i < D; ++i)
      for (int j = 0; j < D; ++j)
        H(i, j) = (i == j ? T(2 * mu()) * left(strain[i], g) + bulk - tau[i] : bulk) / (s[i] * s[j]);
    return H;
  }

  // As Hencky's where both stretches of a pair are on one side of 1. Where they are not, the difference of their
  // stresses has no cancellation.
  template <class T, int D>
  KNEAD_HD PairSlopes<T, D> pair_slopes(const Vec<T, D>& sigma, const T& g = T(1)) const {
    const Vec<T, D> s = above_smallest_stretch(sigma), strain = log_strain(sigma), tau = kirchhoff_of_strain(strain, g);
    PairSlopes<T, D> slopes{};
    for (int i = 0, pair = 0; i < D; ++i)
      for (int j = i + 1; j < D; ++j, ++pair) {
        const T r = s[i] / s[j], g_i = left(strain[i], g), g_j = left(strain[j], g);
        const auto equal = r == T(1);
        const T difference = select(g_i == g_j, g_i * log(r), g_i * strain[i] - g_j * strain[j]);
        const T quotient = select(equal, g_i, difference) / select(equal, T(1), r - T(1));
        slopes.minus[pair] = (T(2 * mu()) * quotient - tau[j]) / (s[i] * s[j]);
        slopes.plus[pair] = (tau[i] / s[i] + tau[j] / s[j]) / (s[i] + s[j]);
      }
    return slopes;
  }

 private:
  // What is left of the stiffness at a strain.
  template <class T>
  KNEAD_INLINE static T left(const T& strain, const T& g) {
    return select(strain > T(0), g, T(1));
  }
};

}  // namespace knead
