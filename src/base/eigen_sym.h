// Eigenvalues and eigenvectors of symmetric 2x2 and 3x3 matrices, A = Q diag(values) Q^T with Q a rotation, for scalars
// and packs alike. Cyclic Jacobi (Golub 2013, section 8.5): a fixed number of sweeps, choices by select, values in no
// order. A NaN in A gives NaN.
//
// Errors are of the size of rounding times the largest value: small values of a wide spectrum are not kept. For the
// singular values of F as roots of those of F F^T that means relative errors of rounding times the square of F's
// condition, which base/svd.h avoids at some more cost.
#pragma once

#include "base/math.h"
#include "base/pack.h"
#include "base/sym.h"

namespace knead {

template <class T, int N>
struct EigenSym {
  Vec<T, N> values;
  Mat<T, N> Q;
};

namespace eigen_detail {

// Sweeps after which what is left off the diagonal is below rounding: Jacobi converges quadratically, and estimates of
// angles leave 2^-14 of an entry for the next sweep.
template <class T, int N>
inline constexpr int sweeps = N == 2 ? (sizeof(Real<T>) == 4 ? 2 : 4) : (sizeof(Real<T>) == 4 ? 4 : 7);

// Turns axes P and K so that the entry (P, K) all but vanishes. With h twice that entry and d the difference of the
// diagonal ones, the smaller of the two angles has tan = h / (|d| + sqrt(d^2 + h^2)), with the sign of d. An estimate
// of the root suffices, because the turned entries are those of the angle taken, and what is left of (P, K) is kept.
template <int P, int K, class T, int N>
KNEAD_INLINE void annihilate(Vec<T, N*(N + 1) / 2>& a, Mat<T, N>& Q) {
  constexpr int pk = sym_index<N>(P, K);
  const T d = a[K] - a[P], twice = a[pk] + a[pk];
  // What is far below rounding is nothing: products of it would leave the normal range, which takes some processors a
  // hundred times as long.
  const T h = select(abs(twice) <= T(1e-5 * unit_roundoff<T>) * (abs(a[P]) + abs(a[K])), T(0), twice);
  const T square_hypotenuse = fma(d, d, fma(h, h, T(std::numeric_limits<Real<T>>::min())));
  const T along = fma(square_hypotenuse, rsqrt_estimate(square_hypotenuse), abs(d));
  const T across = h * copysign(T(1), d);
  const T scale = rsqrt(fma(across, across, along * along));
  const T c = along * scale, s = across * scale;
  const T moved = s * fma(s, d, -(c * h));
  a[P] = a[P] + moved;
  a[K] = a[K] - moved;
  a[pk] = fma(fma(c, c, -(s * s)), T(0.5) * h, -(c * s * d));
  if constexpr (N == 3) {
    constexpr int R = 3 - P - K, pr = P < R ? sym_index<N>(P, R) : sym_index<N>(R, P),
                  kr = K < R ? sym_index<N>(K, R) : sym_index<N>(R, K);
    const T x = a[pr], y = a[kr];
    a[pr] = fma(c, x, -(s * y));
    a[kr] = fma(s, x, c * y);
  }
  for (int i = 0; i < N; ++i) {
    const T x = Q(i, P), y = Q(i, K);
    Q(i, P) = fma(c, x, -(s * y));
    Q(i, K) = fma(s, x, c * y);
  }
}

}  // namespace eigen_detail

template <int N, class T>
KNEAD_INLINE EigenSym<T, N> eigen_sym(Vec<T, N*(N + 1) / 2> a) {
  EigenSym<T, N> e{{}, Mat<T, N>::identity()};
  for (int sweep = 0; sweep < eigen_detail::sweeps<T, N>; ++sweep) {
    eigen_detail::annihilate<0, 1>(a, e.Q);
    if constexpr (N == 3) {
      eigen_detail::annihilate<0, 2>(a, e.Q);
      eigen_detail::annihilate<1, 2>(a, e.Q);
    }
  }
  for (int i = 0; i < N; ++i) e.values[i] = a[i];
  return e;
}

}  // namespace knead
