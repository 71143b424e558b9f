// How the first Piola-Kirchhoff stress P = dpsi/dF answers a small change of the deformation gradient, for implicit
// steps. With F = U diag(sigma) V^T, A = U^T dF V and dP = U B V^T,                       (after Stomakhin 2012)
//
//   B_ii = sum_j H_ij A_jj                                                       H = d2psi / dsigma_i dsigma_j
//   B_ij + B_ji = s-_ij (A_ij + A_ji),  B_ij - B_ji = s+_ij (A_ij - A_ji)        s-, s+: see PairSlopes
//
// The differentials of U and V, which have no limit where stretches meet, never appear. The history is held: what flow
// would do to F is not part of it, the stiffening is.
#pragma once

#include "base/svd.h"
#include "base/sym.h"
#include "material/elastoplastic.h"

namespace knead {

template <class T, int D>
struct StressDifferential {
  Mat<T, D> U, V;
  Mat<T, D> H;              // Pa
  PairSlopes<T, D> slopes;  // Pa

  // dP of dF, Pa.
  KNEAD_HD Mat<T, D> operator()(const Mat<T, D>& dF) const {
    const Mat<T, D> A = transpose(U) * dF * V;
    Mat<T, D> B{};
    for (int i = 0, pair = 0; i < D; ++i) {
      B(i, i) = H(i, 0) * A(0, 0);
      for (int j = 1; j < D; ++j) B(i, i) = B(i, i) + H(i, j) * A(j, j);
      for (int j = i + 1; j < D; ++j, ++pair) {
        const T even = T(0.5) * slopes.minus[pair] * (A(i, j) + A(j, i));
        const T odd = T(0.5) * slopes.plus[pair] * (A(i, j) - A(j, i));
        B(i, j) = even + odd;
        B(j, i) = even - odd;
      }
    }
    return U * B * transpose(V);
  }
};

// Of F taken as elastic.
template <class Law, class T, int D>
KNEAD_HD StressDifferential<T, D> stress_differential(const Law& law, const Mat<T, D>& F,
                                                      const typename Law::template History<T>& history) {
  const Svd<T, D> d = svd(F);
  return {d.U, d.V, law.hessian(d.sigma, history), law.pair_slopes(d.sigma, history)};
}

// The nearest one that is positive semidefinite, dF : dP >= 0 for all dF: what a conjugate gradient needs. s- and s+
// are eigenvalues already. H loses its negative ones as (H + |H|) / 2, where |H| = sqrt(H^2) has the right singular
// vectors of H and the absolute values of its singular values.
template <class T, int D>
KNEAD_HD StressDifferential<T, D> positive_part(StressDifferential<T, D> d) {
  const Svd<T, D> h = svd(d.H);
  Vec<T, D> sizes = h.sigma;
  sizes[D - 1] = abs(sizes[D - 1]);
  d.H = T(0.5) * (d.H + to_matrix<D>(rotated_diagonal(h.V, sizes)));
  for (int k = 0; k < PairSlopes<T, D>::size; ++k) {
    d.slopes.minus[k] = max(d.slopes.minus[k], T(0));
    d.slopes.plus[k] = max(d.slopes.plus[k], T(0));
  }
  return d;
}

}  // namespace knead
