// Mathematical functions under one set of names for float, double, SIMD packs and dual numbers: a law written with them
// is a template on its scalar. Packs and dual numbers bring their own overloads (base/pack.h, base/dual.h).
#pragma once

#include "base/vec.h"

#include <cmath>
#include <limits>
#include <type_traits>

namespace knead {

template <class T>
concept Arithmetic = std::is_arithmetic_v<T>;

template <Arithmetic T>
KNEAD_HD auto sqrt(T a) {
  return std::sqrt(a);
}
template <Arithmetic T>
KNEAD_HD auto exp(T a) {
  return std::exp(a);
}
template <Arithmetic T>
KNEAD_HD auto log(T a) {
  return std::log(a);
}
template <Arithmetic T>
KNEAD_HD auto floor(T a) {
  return std::floor(a);
}
template <Arithmetic T>
KNEAD_HD T abs(T a) {
  return a < T(0) ? -a : a;
}
// A NaN in the first argument is kept, as the vector instructions do with their second.
template <Arithmetic T>
KNEAD_HD constexpr T min(T a, T b) {
  return b < a ? b : a;
}
template <Arithmetic T>
KNEAD_HD constexpr T max(T a, T b) {
  return a < b ? b : a;
}
template <Arithmetic T>
KNEAD_HD T copysign(T a, T sign) {
  return std::copysign(a, sign);
}
// 1 / sqrt(a)
template <Arithmetic T>
KNEAD_HD T rsqrt(T a) {
  return T(1) / std::sqrt(a);
}

// a where the mask holds, b elsewhere: the branch that packs can take too.
template <class T>
KNEAD_HD constexpr T select(bool mask, const T& a, const T& b) {
  return mask ? a : b;
}
KNEAD_HD constexpr bool any(bool mask) { return mask; }
KNEAD_HD constexpr bool all(bool mask) { return mask; }

template <class Mask, class T, int N>
KNEAD_HD constexpr Vec<T, N> select(const Mask& mask, const Vec<T, N>& a, const Vec<T, N>& b) {
  Vec<T, N> r{};
  for (int i = 0; i < N; ++i) r[i] = select(mask, a[i], b[i]);
  return r;
}

template <class T>
KNEAD_HD constexpr T square(const T& a) {
  return a * a;
}
template <class T>
KNEAD_HD constexpr T clamp(const T& a, const T& low, const T& high) {
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
