// Small square matrices, row-major, trivially copyable. Column vectors: A * x.
#pragma once

#include "base/vec.h"

namespace knead {

template <class T, int N>
struct Mat {
  T e[N * N];

  static constexpr int size = N;
  KNEAD_INLINE constexpr T& operator()(int r, int c) { return e[r * N + c]; }
  KNEAD_INLINE constexpr const T& operator()(int r, int c) const { return e[r * N + c]; }

  KNEAD_INLINE static constexpr Mat zero() {
    Mat r{};
    for (int i = 0; i < N * N; ++i) r.e[i] = T(0);
    return r;
  }
  KNEAD_INLINE static constexpr Mat identity() {
    Mat r = zero();
    for (int i = 0; i < N; ++i) r(i, i) = T(1);
    return r;
  }
  KNEAD_INLINE static constexpr Mat diagonal(const Vec<T, N>& d) {
    Mat r = zero();
    for (int i = 0; i < N; ++i) r(i, i) = d[i];
    return r;
  }
  KNEAD_INLINE constexpr Vec<T, N> row(int r) const {
    Vec<T, N> v{};
    for (int i = 0; i < N; ++i) v[i] = (*this)(r, i);
    return v;
  }
  KNEAD_INLINE constexpr Vec<T, N> column(int c) const {
    Vec<T, N> v{};
    for (int i = 0; i < N; ++i) v[i] = (*this)(i, c);
    return v;
  }

  KNEAD_INLINE constexpr Mat& operator+=(const Mat& b) {
    for (int i = 0; i < N * N; ++i) e[i] = e[i] + b.e[i];
    return *this;
  }
  KNEAD_INLINE constexpr Mat& operator-=(const Mat& b) {
    for (int i = 0; i < N * N; ++i) e[i] = e[i] - b.e[i];
    return *this;
  }
  KNEAD_INLINE constexpr Mat& operator*=(const T& a) {
    for (int i = 0; i < N * N; ++i) e[i] = e[i] * a;
    return *this;
  }
  friend KNEAD_INLINE constexpr Mat operator+(Mat a, const Mat& b) { return a += b; }
  friend KNEAD_INLINE constexpr Mat operator-(Mat a, const Mat& b) { return a -= b; }
  friend KNEAD_INLINE constexpr Mat operator*(Mat a, const T& b) { return a *= b; }
  friend KNEAD_INLINE constexpr Mat operator*(const T& b, Mat a) { return a *= b; }
  friend KNEAD_INLINE constexpr Mat operator*(const Mat& a, const Mat& b) {
    Mat r{};
    for (int i = 0; i < N; ++i)
      for (int j = 0; j < N; ++j) {
        T s = a(i, 0) * b(0, j);
        for (int k = 1; k < N; ++k) s = s + a(i, k) * b(k, j);
        r(i, j) = s;
      }
    return r;
  }
  friend KNEAD_INLINE constexpr Vec<T, N> operator*(const Mat& a, const Vec<T, N>& x) {
    Vec<T, N> r{};
    for (int i = 0; i < N; ++i) {
      T s = a(i, 0) * x[0];
      for (int k = 1; k < N; ++k) s = s + a(i, k) * x[k];
      r[i] = s;
    }
    return r;
  }
  friend constexpr bool operator==(const Mat& a, const Mat& b) {
    for (int i = 0; i < N * N; ++i)
      if (!(a.e[i] == b.e[i])) return false;
    return true;
  }
};

template <class T, int N>
KNEAD_INLINE constexpr Mat<T, N> transpose(const Mat<T, N>& a) {
  Mat<T, N> r{};
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) r(i, j) = a(j, i);
  return r;
}
template <class T, int N>
KNEAD_INLINE constexpr T trace(const Mat<T, N>& a) {
  T s = a(0, 0);
  for (int i = 1; i < N; ++i) s = s + a(i, i);
  return s;
}
template <class T>
KNEAD_INLINE constexpr T determinant(const Mat<T, 2>& a) {
  return a(0, 0) * a(1, 1) - a(0, 1) * a(1, 0);
}
template <class T>
KNEAD_INLINE constexpr T determinant(const Mat<T, 3>& a) {
  return dot(a.row(0), cross(a.row(1), a.row(2)));
}
// cof A = det(A) A^-T, computed without a division (defined for singular A too).
template <class T>
KNEAD_INLINE constexpr Mat<T, 2> cofactor(const Mat<T, 2>& a) {
  return {{a(1, 1), -a(1, 0), -a(0, 1), a(0, 0)}};
}
template <class T>
KNEAD_INLINE constexpr Mat<T, 3> cofactor(const Mat<T, 3>& a) {
  const Vec<T, 3> r0 = cross(a.row(1), a.row(2)), r1 = cross(a.row(2), a.row(0)), r2 = cross(a.row(0), a.row(1));
  return {{r0[0], r0[1], r0[2], r1[0], r1[1], r1[2], r2[0], r2[1], r2[2]}};
}
template <class T, int N>
KNEAD_INLINE constexpr Mat<T, N> inverse(const Mat<T, N>& a) {
  return transpose(cofactor(a)) * (T(1) / determinant(a));
}
// a b^T
template <class T, int N>
KNEAD_INLINE constexpr Mat<T, N> outer(const Vec<T, N>& a, const Vec<T, N>& b) {
  Mat<T, N> r{};
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) r(i, j) = a[i] * b[j];
  return r;
}
// The sum of the squares of the entries.
template <class T, int N>
KNEAD_INLINE constexpr T norm2(const Mat<T, N>& a) {
  T s = a.e[0] * a.e[0];
  for (int i = 1; i < N * N; ++i) s = s + a.e[i] * a.e[i];
  return s;
}
template <class U, class T, int N>
KNEAD_INLINE constexpr Mat<U, N> cast(const Mat<T, N>& a) {
  Mat<U, N> r{};
  for (int i = 0; i < N * N; ++i) r.e[i] = U(a.e[i]);
  return r;
}
// The matrix that crosses: [w]x r = w x r.
template <class T>
KNEAD_INLINE constexpr Mat<T, 3> cross_matrix(const Vec<T, 3>& w) {
  return {{T(0), -w[2], w[1], w[2], T(0), -w[0], -w[1], w[0], T(0)}};
}

using Mat2f = Mat<float, 2>;
using Mat3f = Mat<float, 3>;
using Mat2d = Mat<double, 2>;
using Mat3d = Mat<double, 3>;
static_assert(std::is_trivially_copyable_v<Mat3f> && sizeof(Mat3f) == 36);

}  // namespace knead
