// What all isotropic elastic laws share: two moduli, and the rule that a law is a function of the singular values sigma
// of the elastic deformation gradient F = U diag(sigma) V^T. With psi the energy per unit rest volume, a law gives
//
//   energy(sigma)     psi                                                          J/m^3
//   kirchhoff(sigma)  tau_i = sigma_i dpsi/dsigma_i                                Pa
//   hessian(sigma)    d2psi / dsigma_i dsigma_j, for implicit steps                Pa
//   pair_slopes(sigma)  see PairSlopes; for implicit steps                         Pa
//
// for any scalar: float, double, packs, dual numbers. The Kirchhoff stress is U diag(tau) U^T, J times the Cauchy
// stress.
#pragma once

#include "base/mat.h"
#include "base/math.h"
#include "base/pack.h"
#include "base/sym.h"
#include "base/table.h"

namespace knead {

struct ElasticModuli {
  double young = 1e5;  // Pa
  double poisson = 0.3;

  // Lame's moduli in Pa, the same pair in 3D and in plane strain.
  constexpr double mu() const { return young / (2 * (1 + poisson)); }
  constexpr double lambda() const { return young * poisson / ((1 + poisson) * (1 - 2 * poisson)); }
  // Stiffness of a plane pressure wave at rest, Pa: its speed squared times the density.
  constexpr double p_wave_modulus() const { return lambda() + 2 * mu(); }

  static const Table& table();
};

// Laws with a logarithm see no singular value below this (an inverted or crushed point is pushed back as if it were
// here).
inline constexpr double smallest_stretch = 0.05;

// For each pair of stretches i < j, in the order 01 02 12, with psi_i = dpsi/dsigma_i:
//
//   minus  s- = (psi_i - psi_j) / (sigma_i - sigma_j),  plus  s+ = (psi_i + psi_j) / (sigma_i + sigma_j)
//
// in forms that do not cancel where stretches meet. Laws that raise stretches do so here too.
template <class T, int D>
struct PairSlopes {
  static constexpr int size = D * (D - 1) / 2;
  Vec<T, size> minus, plus;
};
// The third stretch, which a pair leaves out; 1 in 2D.
template <class T, int D>
KNEAD_HD constexpr T product_without(const Vec<T, D>& sigma, int i, int j) {
  if constexpr (D == 2) {
    return T(1);
  } else {
    return sigma[3 - i - j];
  }
}

// sigma_1 ... sigma_D without sigma_i, multiplied: J / sigma_i that is right for sigma_i = 0 too.
template <class T, int D>
KNEAD_HD constexpr Vec<T, D> products_of_others(const Vec<T, D>& sigma) {
  if constexpr (D == 2) {
    return {sigma[1], sigma[0]};
  } else {
    return {sigma[1] * sigma[2], sigma[0] * sigma[2], sigma[0] * sigma[1]};
  }
}
template <class T, int D>
KNEAD_HD constexpr Vec<T, D> above_smallest_stretch(Vec<T, D> sigma) {
  for (int i = 0; i < D; ++i) sigma[i] = max(sigma[i], T(smallest_stretch));
  return sigma;
}

// The left Cauchy-Green tensor F F^T, of which isotropic stresses are functions: laws that need no singular values for
// it offer
//
//   direct_stress(F, tau)    tau without a decomposition; gives the mask of where it is good
//
// and the others' points, flat or inside out, take the careful way.
template <class T, int D>
KNEAD_INLINE Sym<T, D> left_cauchy_green(const Mat<T, D>& F) {
  Sym<T, D> B{};
  for (int r = 0; r < D; ++r)
    for (int c = r; c < D; ++c) {
      T a = F(r, 0) * F(c, 0);
      for (int k = 1; k < D; ++k) a = fma(F(r, k), F(c, k), a);
      B[sym_index<D>(r, c)] = a;
    }
  return B;
}
template <int D, class T>
KNEAD_INLINE Vec<T, D*(D + 1) / 2> sym_square(const Vec<T, D*(D + 1) / 2>& a) {
  Vec<T, D*(D + 1) / 2> b{};
  for (int r = 0; r < D; ++r)
    for (int c = r; c < D; ++c) {
      T s = a[sym_index<D>(r, 0)] * a[sym_index<D>(0, c)];
      for (int k = 1; k < D; ++k) s = fma(a[sym_index<D>(r, k)], a[sym_index<D>(k, c)], s);
      b[sym_index<D>(r, c)] = s;
    }
  return b;
}
// By the signs of the leading minors.
template <class T>
KNEAD_INLINE auto is_positive_definite(const Sym<T, 2>& a) {
  return a[0] > T(0) && fma(a[0], a[1], -(a[2] * a[2])) > T(0);
}
template <class T>
KNEAD_INLINE auto is_positive_definite(const Sym<T, 3>& a) {
  const T xy = fma(a[0], a[1], -(a[3] * a[3])), xz = fma(a[0], a[5], -(a[3] * a[4])),
          x = fma(a[3], a[5], -(a[1] * a[4]));
  return a[0] > T(0) && xy > T(0) && fma(a[2], xy, fma(a[4], x, -(a[5] * xz))) > T(0);
}
template <class T>
KNEAD_INLINE T fused_determinant(const Mat<T, 2>& F) {
  return fma(F(0, 0), F(1, 1), -(F(0, 1) * F(1, 0)));
}
template <class T>
KNEAD_INLINE T fused_determinant(const Mat<T, 3>& F) {
  const T x = fma(F(1, 1), F(2, 2), -(F(1, 2) * F(2, 1))), y = fma(F(1, 2), F(2, 0), -(F(1, 0) * F(2, 2))),
          z = fma(F(1, 0), F(2, 1), -(F(1, 1) * F(2, 0)));
  return fma(F(0, 0), x, fma(F(0, 1), y, F(0, 2) * z));
}

}  // namespace knead
