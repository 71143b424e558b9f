// Small vectors: plain arrays with arithmetic, trivially copyable, the same on host, in SIMD packs and on the device.
#pragma once

#include <cmath>
#include <type_traits>

#if defined(__CUDACC__)
#define KNEAD_HD __host__ __device__
#else
#define KNEAD_HD
#endif
// For the functions that hot loops are made of: packs stay in registers only where calls vanish. Not forced in debug
// builds and under sanitizers, whose checks would multiply with it.
#if defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define KNEAD_INLINE KNEAD_HD __attribute__((always_inline)) inline
#define KNEAD_INLINE_LAMBDA __attribute__((always_inline))  // behind its parameters
#else
#define KNEAD_INLINE KNEAD_HD inline
#define KNEAD_INLINE_LAMBDA
#endif

namespace knead {

template <class T, int N>
struct Vec {
  T e[N];

  static constexpr int size = N;
  KNEAD_INLINE constexpr T& operator[](int i) { return e[i]; }
  KNEAD_INLINE constexpr const T& operator[](int i) const { return e[i]; }

  KNEAD_INLINE static constexpr Vec filled(T a) {
    Vec r{};
    for (int i = 0; i < N; ++i) r.e[i] = a;
    return r;
  }
  KNEAD_INLINE static constexpr Vec zero() { return filled(T(0)); }
  // The unit vector along axis k.
  KNEAD_INLINE static constexpr Vec axis(int k) {
    Vec r = zero();
    r.e[k] = T(1);
    return r;
  }

  KNEAD_INLINE constexpr Vec& operator+=(const Vec& b) {
    for (int i = 0; i < N; ++i) e[i] = e[i] + b.e[i];
    return *this;
  }
  KNEAD_INLINE constexpr Vec& operator-=(const Vec& b) {
    for (int i = 0; i < N; ++i) e[i] = e[i] - b.e[i];
    return *this;
  }
  KNEAD_INLINE constexpr Vec& operator*=(const T& a) {
    for (int i = 0; i < N; ++i) e[i] = e[i] * a;
    return *this;
  }
  friend KNEAD_INLINE constexpr Vec operator+(Vec a, const Vec& b) { return a += b; }
  friend KNEAD_INLINE constexpr Vec operator-(Vec a, const Vec& b) { return a -= b; }
  friend KNEAD_INLINE constexpr Vec operator-(Vec a) {
    for (int i = 0; i < N; ++i) a.e[i] = -a.e[i];
    return a;
  }
  friend KNEAD_INLINE constexpr Vec operator*(Vec a, const T& b) { return a *= b; }
  friend KNEAD_INLINE constexpr Vec operator*(const T& b, Vec a) { return a *= b; }
  friend KNEAD_INLINE constexpr Vec operator/(Vec a, const T& b) {
    for (int i = 0; i < N; ++i) a.e[i] = a.e[i] / b;
    return a;
  }
  friend constexpr bool operator==(const Vec& a, const Vec& b) {
    for (int i = 0; i < N; ++i)
      if (!(a.e[i] == b.e[i])) return false;
    return true;
  }
};

template <class T, int N>
KNEAD_INLINE constexpr T dot(const Vec<T, N>& a, const Vec<T, N>& b) {
  T s = a[0] * b[0];
  for (int i = 1; i < N; ++i) s = s + a[i] * b[i];
  return s;
}
template <class T, int N>
KNEAD_INLINE T length(const Vec<T, N>& a) {
  using std::sqrt;
  return sqrt(dot(a, a));
}
template <class T, int N>
KNEAD_INLINE constexpr T sum(const Vec<T, N>& a) {
  T s = a[0];
  for (int i = 1; i < N; ++i) s = s + a[i];
  return s;
}
template <class T, int N>
KNEAD_INLINE constexpr T product(const Vec<T, N>& a) {
  T s = a[0];
  for (int i = 1; i < N; ++i) s = s * a[i];
  return s;
}
// Entry by entry.
template <class T, int N>
KNEAD_INLINE constexpr Vec<T, N> scaled(const Vec<T, N>& a, const Vec<T, N>& b) {
  Vec<T, N> r{};
  for (int i = 0; i < N; ++i) r[i] = a[i] * b[i];
  return r;
}
// The vector divided by its length; `fallback` where the length is zero.
template <class T, int N>
KNEAD_INLINE Vec<T, N> normalized(const Vec<T, N>& a, const Vec<T, N>& fallback = Vec<T, N>::axis(0)) {
  const T l = length(a);
  return l > T(0) ? a / l : fallback;
}
template <class T>
KNEAD_INLINE constexpr Vec<T, 3> cross(const Vec<T, 3>& a, const Vec<T, 3>& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
// A vector of another scalar type and, where asked, of another size (cut, or filled with zeros).
template <class U, int M, class T, int N>
KNEAD_INLINE constexpr Vec<U, M> resized(const Vec<T, N>& a) {
  Vec<U, M> r = Vec<U, M>::zero();
  for (int i = 0; i < (M < N ? M : N); ++i) r[i] = U(a[i]);
  return r;
}

using Vec2f = Vec<float, 2>;
using Vec3f = Vec<float, 3>;
using Vec2d = Vec<double, 2>;
using Vec3d = Vec<double, 3>;
using Vec2i = Vec<int, 2>;
using Vec3i = Vec<int, 3>;
static_assert(std::is_trivially_copyable_v<Vec3f> && sizeof(Vec3f) == 12);

}  // namespace knead
