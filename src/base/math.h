// Mathematical functions under one set of names for float, double, SIMD packs and dual numbers: a law written with them
// is a template on its scalar. Packs and dual numbers bring their own overloads (base/pack.h, base/dual.h).
#pragma once

#include "base/elementary.h"
#include "base/vec.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace knead {

template <class T>
concept Arithmetic = std::is_arithmetic_v<T>;

template <Arithmetic T>
KNEAD_INLINE auto sqrt(T a) {
  return std::sqrt(a);
}
// float for a float, double for all else.
template <Arithmetic T>
using Rounded = std::conditional_t<std::is_same_v<T, float>, float, double>;
template <Arithmetic T>
KNEAD_INLINE auto exp(T a) {
  return static_cast<Rounded<T>>(elementary::exp(a));
}
template <Arithmetic T>
KNEAD_INLINE auto log(T a) {
  return static_cast<Rounded<T>>(elementary::log(a));
}
template <Arithmetic T>
KNEAD_INLINE auto floor(T a) {
  return std::floor(a);
}
template <Arithmetic T>
KNEAD_INLINE T abs(T a) {
  return a < T(0) ? -a : a;
}
// A NaN in the first argument is kept, so clamps do not hide it.
template <Arithmetic T>
KNEAD_INLINE constexpr T min(T a, T b) {
  return b < a ? b : a;
}
template <Arithmetic T>
KNEAD_INLINE constexpr T max(T a, T b) {
  return a < b ? b : a;
}
template <Arithmetic T>
KNEAD_INLINE T copysign(T a, T sign) {
  return std::copysign(a, sign);
}
// 1 / sqrt(a) for positive a.
template <Arithmetic T>
KNEAD_INLINE T rsqrt(T a) {
  return T(1) / std::sqrt(a);
}

// 1 / sqrt(a) for positive a, to 14 bits or better.
template <Arithmetic T>
KNEAD_INLINE T rsqrt_estimate(T a) {
  return T(1) / std::sqrt(a);
}

// a b + c with one rounding, on every machine. The compiler never makes one by itself (cmake/knead_target.cmake), so
// that every copy of a loop gives the same bits.
KNEAD_INLINE double fma(double a, double b, double c) { return std::fma(a, b, c); }
KNEAD_INLINE float fma(float a, float b, float c) {
#if defined(__FMA__) || !defined(__x86_64__)
  return std::fma(a, b, c);
#else
  // The product is exact in double. Rounding the sum twice would be wrong where the first rounding makes a tie of the
  // second; it cannot when it ends on an odd last bit wherever it is not exact (Boldo and Melquiond 2008).
  const double product = double(a) * double(b), sum = product + double(c);
  const double part = sum - product, error = (product - (sum - part)) + (double(c) - part);
  std::int64_t bits = std::bit_cast<std::int64_t>(sum);
  const bool away = (error > 0) == (sum > 0), odd = bits & 1, rounded = error != 0;  // not for a NaN, nor infinity
  if (rounded && !odd && error == error) bits += away ? 1 : -1;
  return static_cast<float>(std::bit_cast<double>(bits));
#endif
}

// The largest power of two that is not above a, for a normal positive number.
KNEAD_INLINE float binade(float a) { return std::bit_cast<float>(std::bit_cast<std::uint32_t>(a) & 0x7f800000u); }
KNEAD_INLINE double binade(double a) {
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(a) & 0x7ff0000000000000u);
}

// a where the mask holds, b elsewhere: the branch that packs can take too.
template <class T>
KNEAD_INLINE constexpr T select(bool mask, const T& a, const T& b) {
  return mask ? a : b;
}
KNEAD_INLINE constexpr bool any(bool mask) { return mask; }
KNEAD_INLINE constexpr bool all(bool mask) { return mask; }

// Entry by entry, where the scalar is a pack.
template <class Mask, class T, int N>
requires(!std::is_same_v<Mask, bool>) KNEAD_INLINE
    constexpr Vec<T, N> select(const Mask& mask, const Vec<T, N>& a, const Vec<T, N>& b) {
  Vec<T, N> r{};
  for (int i = 0; i < N; ++i) r[i] = select(mask, a[i], b[i]);
  return r;
}

template <class T>
KNEAD_INLINE constexpr T square(const T& a) {
  return a * a;
}
template <class T>
KNEAD_INLINE constexpr T clamp(const T& a, const T& low, const T& high) {
  return min(max(a, low), high);
}

// The float or double underneath a scalar type.
template <class T>
struct RealOf {
  using Type = T;
};
template <class T>
using Real = typename RealOf<T>::Type;

// Largest relative error of one rounding, 2^-24 or 2^-53.
template <class T>
inline constexpr Real<T> unit_roundoff = std::numeric_limits<Real<T>>::epsilon() / 2;

}  // namespace knead
