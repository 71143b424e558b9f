// SIMD packs: W floats or doubles that behave as one scalar, so that a template on its scalar runs W particles at a
// time. The width is that of the machine's registers unless given. Comparisons give a mask, taken by select, any and
// all.
#pragma once

#include "base/math.h"

#include <bit>
#include <cstdint>
#include <experimental/simd>

namespace knead {

template <class T>
inline constexpr int native_width = static_cast<int>(std::experimental::native_simd<T>::size());

template <class T, int W = native_width<T>>
struct Pack {
  using Scalar = T;
  using Simd = std::experimental::simd<T, std::experimental::simd_abi::deduce_t<T, W>>;
  using Mask = typename Simd::mask_type;
  static constexpr int width = W;

  Simd v;

  Pack() = default;
  Pack(const Simd& simd) : v(simd) {}
  template <Arithmetic U>
  Pack(U a) : v(static_cast<T>(a)) {}

  static Pack load(const T* from) { return Simd(from, std::experimental::element_aligned); }
  void store(T* to) const { v.copy_to(to, std::experimental::element_aligned); }
  T operator[](int lane) const { return v[static_cast<std::size_t>(lane)]; }
  void set(int lane, T a) { v[static_cast<std::size_t>(lane)] = a; }

  friend Pack operator+(const Pack& a, const Pack& b) { return a.v + b.v; }
  friend Pack operator-(const Pack& a, const Pack& b) { return a.v - b.v; }
  friend Pack operator*(const Pack& a, const Pack& b) { return a.v * b.v; }
  friend Pack operator/(const Pack& a, const Pack& b) { return a.v / b.v; }
  friend Pack operator-(const Pack& a) { return -a.v; }
  Pack& operator+=(const Pack& b) { return *this = *this + b; }
  Pack& operator-=(const Pack& b) { return *this = *this - b; }
  Pack& operator*=(const Pack& b) { return *this = *this * b; }
  Pack& operator/=(const Pack& b) { return *this = *this / b; }

  friend Mask operator<(const Pack& a, const Pack& b) { return a.v < b.v; }
  friend Mask operator<=(const Pack& a, const Pack& b) { return a.v <= b.v; }
  friend Mask operator>(const Pack& a, const Pack& b) { return a.v > b.v; }
  friend Mask operator>=(const Pack& a, const Pack& b) { return a.v >= b.v; }
  friend Mask operator==(const Pack& a, const Pack& b) { return a.v == b.v; }
  friend Mask operator!=(const Pack& a, const Pack& b) { return a.v != b.v; }
};

template <class T, int W>
struct RealOf<Pack<T, W>> {
  using Type = T;
};

template <class T, class Abi>
bool any(const std::experimental::simd_mask<T, Abi>& mask) {
  return std::experimental::any_of(mask);
}
template <class T, class Abi>
bool all(const std::experimental::simd_mask<T, Abi>& mask) {
  return std::experimental::all_of(mask);
}
template <class T, int W>
Pack<T, W> select(const typename Pack<T, W>::Mask& mask, const Pack<T, W>& a, const Pack<T, W>& b) {
  Pack<T, W> r = b;
  std::experimental::where(mask, r.v) = a.v;
  return r;
}

template <class T, int W>
Pack<T, W> sqrt(const Pack<T, W>& a) {
  return std::experimental::sqrt(a.v);
}
template <class T, int W>
Pack<T, W> abs(const Pack<T, W>& a) {
  return std::experimental::abs(a.v);
}
template <class T, int W>
Pack<T, W> floor(const Pack<T, W>& a) {
  return std::experimental::floor(a.v);
}
template <class T, int W>
Pack<T, W> min(const Pack<T, W>& a, const Pack<T, W>& b) {
  return select(b < a, b, a);
}
template <class T, int W>
Pack<T, W> max(const Pack<T, W>& a, const Pack<T, W>& b) {
  return select(a < b, b, a);
}
template <class T, int W>
Pack<T, W> copysign(const Pack<T, W>& a, const Pack<T, W>& sign) {
  return std::experimental::copysign(a.v, sign.v);
}
template <class T, int W>
Pack<T, W> rsqrt(const Pack<T, W>& a) {
  return Pack<T, W>(1) / sqrt(a);
}

}  // namespace knead

#include "base/pack_math.h"  // exp and log, which a pack is not complete without
