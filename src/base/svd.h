// Singular values and polar decomposition of 2x2 and 3x3 matrices that never fail, for scalars and packs alike.
//
//   F = U diag(sigma) V^T,  U and V rotations,  sigma_1 >= ... >= |sigma_N|; the last carries the sign of det F
//   F = R S,  R = U V^T a rotation,  S = V diag(sigma) V^T symmetric
//
// One-sided Jacobi (Hestenes 1958): pairs of columns of F are rotated until all are orthogonal; they then lie along the
// columns of U. Working on the columns themselves and not on F^T F keeps small singular values. V and sigma follow from
// F^T U, largest first, which makes up for all rounding in the rotations. The number of sweeps is fixed and choices are
// made by select, so that all lanes of a pack do the same. A NaN in F gives NaN.
#pragma once

#include "base/mat.h"
#include "base/math.h"

namespace knead {

template <class T, int N>
struct Svd {
  Mat<T, N> U;
  Vec<T, N> sigma;
  Mat<T, N> V;
};

template <class T, int N>
struct Polar {
  Mat<T, N> R;
  Mat<T, N> S;
};

namespace svd_detail {

// Sweeps after which the columns are orthogonal to rounding: of 5e7 random and degenerate float 3x3 matrices none
// missed it after four, while three leave errors of 1e-3. With one fewer in the other cases, packs (whose angles come
// from estimates) end at 6e-6 in 2D float and 3e-13 in 3D double; 2D double has one in reserve.
template <class T, int N>
inline constexpr int sweeps = sizeof(Real<T>) == 4 ? (N == 2 ? 2 : 4) : (N == 2 ? 4 : 6);

// The matrix as its columns, which is how Jacobi sees it.
template <class T, int N>
struct ByColumn {
  Vec<T, N> c[N];
};

// Turns columns I and K into orthogonal ones, the longer first.
// With a, b the squared lengths and h/2 the dot product, the angle obeys tan(2 theta) = h / (a - b). The columns need
// to keep their direction, not their exact length, so estimates of the roots suffice.
template <int I, int K, class T, int N>
KNEAD_INLINE void orthogonalize(ByColumn<T, N>& B) {
  const Vec<T, N> p = B.c[I], q = B.c[K];
  const T difference = dot(p, p) - dot(q, q), h = T(2) * dot(p, q);
  const T square_hypotenuse = difference * difference + h * h + T(std::numeric_limits<Real<T>>::min());
  const T long_side = abs(difference) + square_hypotenuse * rsqrt_estimate(square_hypotenuse);
  // (long_side, h) is along the smaller of the two angles; the other one is taken where the second column is the
  // longer.
  const auto second_longer = difference < T(0);
  const T along = select(second_longer, abs(h), long_side), across = select(second_longer, copysign(long_side, h), h);
  const T scale = rsqrt(along * along + across * across);
  const T c = along * scale, s = across * scale;
  B.c[I] = c * p + s * q;
  B.c[K] = c * q - s * p;
}

template <class T>
KNEAD_INLINE void sweep(ByColumn<T, 2>& B) {
  orthogonalize<0, 1>(B);
}
template <class T>
KNEAD_INLINE void sweep(ByColumn<T, 3>& B) {
  orthogonalize<0, 1>(B);
  orthogonalize<0, 2>(B);
  orthogonalize<1, 2>(B);
}

// v at unit length; `fallback` where its squared length is not above `square_of_least`.
template <class T, int N>
KNEAD_INLINE Vec<T, N> direction(const Vec<T, N>& v, const T& square_of_least, const Vec<T, N>& fallback) {
  const T square_length = dot(v, v);
  const auto none = square_length <= square_of_least;
  return select(none, fallback, v * rsqrt(select(none, T(1), square_length)));
}
// Some unit vector orthogonal to the unit vector u.
template <class T>
KNEAD_INLINE Vec<T, 3> some_normal(const Vec<T, 3>& u) {
  const auto along_x = abs(u[0]) > T(0.7);
  const Vec<T, 3> n = select(along_x, Vec<T, 3>{-u[1], u[0], T(0)}, Vec<T, 3>{T(0), -u[2], u[1]});
  return n * rsqrt(dot(n, n));
}

// The rotation whose columns lie along the given ones, which are orthogonal or below rounding, and sorted by length.
template <class T>
KNEAD_INLINE ByColumn<T, 2> frame(const ByColumn<T, 2>& B) {
  const T tiny = T(std::numeric_limits<Real<T>>::min());
  const Vec<T, 2> u = direction(B.c[0], tiny, Vec<T, 2>::axis(0));
  return {{u, {-u[1], u[0]}}};
}
template <class T>
KNEAD_INLINE ByColumn<T, 3> frame(const ByColumn<T, 3>& B) {
  const T tiny = T(std::numeric_limits<Real<T>>::min());
  const Vec<T, 3> u = direction(B.c[0], tiny, Vec<T, 3>::axis(0)), b = B.c[1];
  // The second column may be noise along the first; what is left of it is then replaced by any normal.
  const T noise = T(square(1000 * unit_roundoff<T>)) * dot(b, b) + tiny;
  const Vec<T, 3> v = direction(b - dot(u, b) * u, noise, some_normal(u));
  // Once more, now that it is long: exact to rounding, and one step of Newton's iteration brings it to unit length.
  const Vec<T, 3> w = v - dot(u, v) * u, n = w * (T(1.5) - T(0.5) * dot(w, w));
  return {{u, n, cross(u, n)}};
}

// Rounding may leave equal singular values in the wrong order by a unit in the last place.
template <class T>
KNEAD_INLINE Vec<T, 2> ordered(const Vec<T, 2>& s) {
  return {s[0], copysign(min(abs(s[1]), s[0]), s[1])};
}
template <class T>
KNEAD_INLINE Vec<T, 3> ordered(const Vec<T, 3>& s) {
  const T first = max(s[0], s[1]), second = max(min(s[0], s[1]), T(0));
  return {first, second, copysign(min(abs(s[2]), second), s[2])};
}

}  // namespace svd_detail

template <class T, int N>
KNEAD_HD Svd<T, N> svd(const Mat<T, N>& F) {
  using namespace svd_detail;
  // Bring the largest entry near 1 by a power of two, which is exact, so that squares neither overflow nor vanish.
  T largest = T(std::numeric_limits<Real<T>>::min());
  for (int i = 0; i < N * N; ++i) largest = max(largest, abs(F.e[i]));
  const T scale = binade(largest), inverse_scale = T(1) / scale;
  ByColumn<T, N> A;
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) A.c[j][i] = F(i, j) * inverse_scale;
  // U: rotate until orthogonal.
  ByColumn<T, N> B = A;
  for (int i = 0; i < sweeps<T, N>; ++i) sweep(B);
  const ByColumn<T, N> U = frame(B);
  // V: along the columns of A^T U, each sigma times a column of V.
  ByColumn<T, N> W;
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) W.c[i][j] = dot(A.c[j], U.c[i]);
  const ByColumn<T, N> V = frame(W);
  Svd<T, N> result;
  for (int i = 0; i < N; ++i) {
    result.sigma[i] = dot(V.c[i], W.c[i]);
    for (int j = 0; j < N; ++j) {
      result.U(j, i) = U.c[i][j];
      result.V(j, i) = V.c[i][j];
    }
  }
  result.sigma = ordered(result.sigma) * scale;
  return result;
}

template <class T, int N>
KNEAD_HD Polar<T, N> polar(const Mat<T, N>& F) {
  const Svd<T, N> d = svd(F);
  const Mat<T, N> Vt = transpose(d.V);
  return {d.U * Vt, d.V * (Mat<T, N>::diagonal(d.sigma) * Vt)};
}

}  // namespace knead
