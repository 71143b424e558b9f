// Dual numbers: a value and its derivative along one direction, carried through arithmetic by the chain rule. A law
// evaluated on Dual<double> gives its exact derivative; Dual<Dual<double>> gives second derivatives.
#pragma once

#include "base/math.h"

namespace knead {

template <class T>
struct Dual {
  T value;
  T slope;

  Dual() = default;
  KNEAD_INLINE constexpr Dual(const T& v, const T& s) : value(v), slope(s) {}
  template <Arithmetic U>
  KNEAD_INLINE constexpr Dual(U v) : value(T(v)), slope(T(0)) {}

  friend KNEAD_INLINE constexpr Dual operator+(const Dual& a, const Dual& b) {
    return {a.value + b.value, a.slope + b.slope};
  }
  friend KNEAD_INLINE constexpr Dual operator-(const Dual& a, const Dual& b) {
    return {a.value - b.value, a.slope - b.slope};
  }
  friend KNEAD_INLINE constexpr Dual operator*(const Dual& a, const Dual& b) {
    return {a.value * b.value, a.slope * b.value + a.value * b.slope};
  }
  friend KNEAD_INLINE constexpr Dual operator/(const Dual& a, const Dual& b) {
    const T q = a.value / b.value;
    return {q, (a.slope - q * b.slope) / b.value};
  }
  friend KNEAD_INLINE constexpr Dual operator-(const Dual& a) { return {-a.value, -a.slope}; }
  KNEAD_INLINE constexpr Dual& operator+=(const Dual& b) { return *this = *this + b; }
  KNEAD_INLINE constexpr Dual& operator-=(const Dual& b) { return *this = *this - b; }
  KNEAD_INLINE constexpr Dual& operator*=(const Dual& b) { return *this = *this * b; }
  KNEAD_INLINE constexpr Dual& operator/=(const Dual& b) { return *this = *this / b; }

  // Comparisons look at the value alone.
  friend KNEAD_INLINE constexpr auto operator<(const Dual& a, const Dual& b) { return a.value < b.value; }
  friend KNEAD_INLINE constexpr auto operator<=(const Dual& a, const Dual& b) { return a.value <= b.value; }
  friend KNEAD_INLINE constexpr auto operator>(const Dual& a, const Dual& b) { return a.value > b.value; }
  friend KNEAD_INLINE constexpr auto operator>=(const Dual& a, const Dual& b) { return a.value >= b.value; }
  friend KNEAD_INLINE constexpr auto operator==(const Dual& a, const Dual& b) { return a.value == b.value; }
  friend KNEAD_INLINE constexpr auto operator!=(const Dual& a, const Dual& b) { return a.value != b.value; }
};

template <class T>
struct RealOf<Dual<T>> {
  using Type = Real<T>;
};

template <class T>
KNEAD_INLINE Dual<T> sqrt(const Dual<T>& a) {
  const T root = sqrt(a.value);
  return {root, a.slope / (root + root)};
}
template <class T>
KNEAD_INLINE Dual<T> rsqrt(const Dual<T>& a) {
  return Dual<T>(1) / sqrt(a);
}
template <class T>
KNEAD_INLINE Dual<T> exp(const Dual<T>& a) {
  const T e = exp(a.value);
  return {e, e * a.slope};
}
template <class T>
KNEAD_INLINE Dual<T> log(const Dual<T>& a) {
  return {log(a.value), a.slope / a.value};
}
template <class T>
KNEAD_INLINE Dual<T> abs(const Dual<T>& a) {
  return {abs(a.value), select(a.value < T(0), -a.slope, a.slope)};
}
template <class T>
KNEAD_INLINE Dual<T> min(const Dual<T>& a, const Dual<T>& b) {
  const auto second = b.value < a.value;
  return {select(second, b.value, a.value), select(second, b.slope, a.slope)};
}
template <class T>
KNEAD_INLINE Dual<T> max(const Dual<T>& a, const Dual<T>& b) {
  const auto second = a.value < b.value;
  return {select(second, b.value, a.value), select(second, b.slope, a.slope)};
}
template <class T>
KNEAD_INLINE Dual<T> copysign(const Dual<T>& a, const Dual<T>& sign) {
  const T flip = copysign(T(1), a.value) * copysign(T(1), sign.value);
  return {a.value * flip, a.slope * flip};
}

}  // namespace knead
