// St. Venant-Kirchhoff elasticity: Hooke's law in Green's strain, the law of many published reference solutions.
//   psi = mu sum E_i^2 + lambda/2 (sum E_i)^2 + k/2 (J - 1)^2,   E_i = (sigma_i^2 - 1)/2      (Bonet 2008, section 6.3;
//   Mueller 2004, Eqs. 4 and 20, for the volume term k = volume_stiffness)
// A polynomial, so every deformation has a finite stress; squeezed below 1/sqrt(3) of its length a bar gives way,
// unless the volume term holds it.
#pragma once

#include "material/elastic.h"
#include "material/flow_none.h"

namespace knead {

struct StVenantKirchhoff : ElasticModuli {
  double volume_stiffness = 0;  // Pa

  constexpr double p_wave_modulus() const { return ElasticModuli::p_wave_modulus() + volume_stiffness; }

  template <class T, int D>
  KNEAD_HD T energy(const Vec<T, D>& sigma) const {
    const Vec<T, D> strain = green_strain(sigma);
    return T(mu()) * dot(strain, strain) + T(lambda() / 2) * square(sum(strain)) +
           T(volume_stiffness / 2) * square(product(sigma) - T(1));
  }

  template <class T, int D>
  KNEAD_HD Vec<T, D> kirchhoff(const Vec<T, D>& sigma) const {
    const Vec<T, D> strain = green_strain(sigma);
    const T pressure = T(lambda()) * sum(strain), J = product(sigma);
    const T volume = T(volume_stiffness) * (J - T(1)) * J;
    Vec<T, D> tau{};
    for (int i = 0; i < D; ++i) tau[i] = square(sigma[i]) * (T(2 * mu()) * strain[i] + pressure) + volume;
    return tau;
  }

  // tau = (lambda tr E - mu) B + mu B^2 + k (J - 1) J I with B = F F^T, tr E = (tr B - D) / 2: for every F.
  template <class T, int D>
  KNEAD_INLINE auto direct_stress(const Mat<T, D>& F, Sym<T, D>& tau) const {
    const Sym<T, D> B = left_cauchy_green(F), B2 = sym_square<D>(B);
    T trace = B[0];
    for (int i = 1; i < D; ++i) trace = trace + B[i];
    const T own = fma(T(lambda() / 2), trace - T(D), T(-mu()));
    for (int i = 0; i < Sym<T, D>::size; ++i) tau[i] = fma(own, B[i], T(mu()) * B2[i]);
    if (volume_stiffness > 0) {
      const T J = fused_determinant(F), volume = T(volume_stiffness) * fma(J, J, -J);
      for (int i = 0; i < D; ++i) tau[i] = tau[i] + volume;
    }
    return trace == trace;  // a number. NOLINT(misc-redundant-expression)
  }

  template <class T, int D>
  KNEAD_HD Mat<T, D> hessian(const Vec<T, D>& sigma) const {
    const Vec<T, D> strain = green_strain(sigma);
    const T pressure = T(lambda()) * sum(strain), k = T(volume_stiffness), J = product(sigma);
    const Vec<T, D> others = products_of_others(sigma);
    Mat<T, D> H{};
    for (int i = 0; i < D; ++i)
      for (int j = 0; j < D; ++j) {
        H(i, j) = T(lambda()) * sigma[i] * sigma[j] + k * others[i] * others[j];
        if (i == j)
          H(i, i) = H(i, i) + T(2 * mu()) * (strain[i] + square(sigma[i])) + pressure;
        else
          H(i, j) = H(i, j) + k * (J - T(1)) * product_without(sigma, i, j);
      }
    return H;
  }

  template <class T, int D>
  KNEAD_HD PairSlopes<T, D> pair_slopes(const Vec<T, D>& sigma) const {
    const T a = T(lambda()) * sum(green_strain(sigma)) - T(mu()), k = T(volume_stiffness) * (product(sigma) - T(1));
    PairSlopes<T, D> slopes{};
    for (int i = 0, pair = 0; i < D; ++i)
      for (int j = i + 1; j < D; ++j, ++pair) {
        const T squares = square(sigma[i]) + square(sigma[j]), mixed = sigma[i] * sigma[j];
        const T volume = k * product_without(sigma, i, j);
        slopes.minus[pair] = a + T(mu()) * (squares + mixed) - volume;
        slopes.plus[pair] = a + T(mu()) * (squares - mixed) + volume;
      }
    return slopes;
  }

  static const Table& table();

 private:
  template <class T, int D>
  KNEAD_HD static Vec<T, D> green_strain(const Vec<T, D>& sigma) {
    Vec<T, D> strain{};
    for (int i = 0; i < D; ++i) strain[i] = T(0.5) * (square(sigma[i]) - T(1));
    return strain;
  }
};

struct StVenantKirchhoffModel {
  static constexpr const char* name = "st-venant-kirchhoff";
  static constexpr const char* doc =
      "Elastic, for comparison with published solutions: stiff when pulled, gives way when squeezed hard.";
  static constexpr double density = 1000;
  static constexpr StVenantKirchhoff elastic{};
  static constexpr NoFlow flow{};
};

}  // namespace knead
