// Symmetric tensors kept without their repeated entries: xx yy xy in 2D, xx yy zz xy xz yz in 3D.
#pragma once

#include "base/mat.h"

namespace knead {

template <class T, int D>
using Sym = Vec<T, D*(D + 1) / 2>;

// Where the entry (r, c) of the full matrix is kept.
template <int D>
KNEAD_INLINE constexpr int sym_index(int r, int c) {
  return r == c ? r : D - 1 + r + c;
}

template <int D, class T>
KNEAD_INLINE constexpr Mat<T, D> to_matrix(const Vec<T, D*(D + 1) / 2>& s) {
  Mat<T, D> m{};
  for (int r = 0; r < D; ++r)
    for (int c = 0; c < D; ++c) m(r, c) = s[sym_index<D>(r, c)];
  return m;
}
// The upper triangle of m, which is taken to be symmetric.
template <class T, int D>
KNEAD_INLINE constexpr Sym<T, D> to_sym(const Mat<T, D>& m) {
  Sym<T, D> s{};
  for (int r = 0; r < D; ++r)
    for (int c = r; c < D; ++c) s[sym_index<D>(r, c)] = m(r, c);
  return s;
}
// Q diag(d) Q^T
template <class T, int D>
KNEAD_INLINE constexpr Sym<T, D> rotated_diagonal(const Mat<T, D>& Q, const Vec<T, D>& d) {
  Sym<T, D> s{};
  for (int r = 0; r < D; ++r)
    for (int c = r; c < D; ++c) {
      T a = Q(r, 0) * d[0] * Q(c, 0);
      for (int k = 1; k < D; ++k) a = a + Q(r, k) * d[k] * Q(c, k);
      s[sym_index<D>(r, c)] = a;
    }
  return s;
}
template <class T, int D>
KNEAD_INLINE constexpr Vec<T, D> sym_times(const Vec<T, D*(D + 1) / 2>& s, const Vec<T, D>& x) {
  Vec<T, D> y{};
  for (int r = 0; r < D; ++r) {
    T a = s[sym_index<D>(r, 0)] * x[0];
    for (int c = 1; c < D; ++c) a = a + s[sym_index<D>(r, c)] * x[c];
    y[r] = a;
  }
  return y;
}

}  // namespace knead
