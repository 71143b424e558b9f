// SIMD packs: W floats or doubles that behave as one scalar, so that a template on its scalar runs W particles at a
// time. The width is that of the machine's registers unless given. Comparisons give a mask, taken by select, any and
// all.
#pragma once

#include "base/math.h"

#include <bit>
#include <cstdint>
#include <experimental/simd>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

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
  KNEAD_INLINE Pack(const Simd& simd) : v(simd) {}
  template <Arithmetic U>
  KNEAD_INLINE Pack(U a) : v(static_cast<T>(a)) {}

  KNEAD_INLINE static Pack load(const T* from) { return Simd(from, std::experimental::element_aligned); }
  KNEAD_INLINE void store(T* to) const { v.copy_to(to, std::experimental::element_aligned); }
  KNEAD_INLINE T operator[](int lane) const { return v[static_cast<std::size_t>(lane)]; }
  KNEAD_INLINE void set(int lane, T a) { v[static_cast<std::size_t>(lane)] = a; }

  friend KNEAD_INLINE Pack operator+(const Pack& a, const Pack& b) { return a.v + b.v; }
  friend KNEAD_INLINE Pack operator-(const Pack& a, const Pack& b) { return a.v - b.v; }
  friend KNEAD_INLINE Pack operator*(const Pack& a, const Pack& b) { return a.v * b.v; }
  friend KNEAD_INLINE Pack operator/(const Pack& a, const Pack& b) { return a.v / b.v; }
  friend KNEAD_INLINE Pack operator-(const Pack& a) { return -a.v; }
  KNEAD_INLINE Pack& operator+=(const Pack& b) { return *this = *this + b; }
  KNEAD_INLINE Pack& operator-=(const Pack& b) { return *this = *this - b; }
  KNEAD_INLINE Pack& operator*=(const Pack& b) { return *this = *this * b; }
  KNEAD_INLINE Pack& operator/=(const Pack& b) { return *this = *this / b; }

  friend KNEAD_INLINE Mask operator<(const Pack& a, const Pack& b) { return a.v < b.v; }
  friend KNEAD_INLINE Mask operator<=(const Pack& a, const Pack& b) { return a.v <= b.v; }
  friend KNEAD_INLINE Mask operator>(const Pack& a, const Pack& b) { return a.v > b.v; }
  friend KNEAD_INLINE Mask operator>=(const Pack& a, const Pack& b) { return a.v >= b.v; }
  friend KNEAD_INLINE Mask operator==(const Pack& a, const Pack& b) { return a.v == b.v; }
  friend KNEAD_INLINE Mask operator!=(const Pack& a, const Pack& b) { return a.v != b.v; }
};

template <class T, int W>
struct RealOf<Pack<T, W>> {
  using Type = T;
};

template <class T, class Abi>
KNEAD_INLINE bool any(const std::experimental::simd_mask<T, Abi>& mask) {
  return std::experimental::any_of(mask);
}
template <class T, class Abi>
KNEAD_INLINE bool all(const std::experimental::simd_mask<T, Abi>& mask) {
  return std::experimental::all_of(mask);
}
template <class T, int W>
KNEAD_INLINE Pack<T, W> select(const typename Pack<T, W>::Mask& mask, const Pack<T, W>& a, const Pack<T, W>& b) {
  Pack<T, W> r = b;
  std::experimental::where(mask, r.v) = a.v;
  return r;
}

// GCC 12 warns about its own header's 512-bit roots and roundings; their masked forms are the same instructions without
// that.
template <class T, int W>
KNEAD_INLINE Pack<T, W> sqrt(const Pack<T, W>& a) {
#if defined(__AVX512F__)
  using Simd = typename Pack<T, W>::Simd;
  if constexpr (sizeof(Simd) == 64 && std::is_same_v<T, float>)
    return std::bit_cast<Simd>(_mm512_maskz_sqrt_ps(0xffff, std::bit_cast<__m512>(a.v)));
  else if constexpr (sizeof(Simd) == 64)
    return std::bit_cast<Simd>(_mm512_maskz_sqrt_pd(0xff, std::bit_cast<__m512d>(a.v)));
  else
#endif
    return std::experimental::sqrt(a.v);
}
template <class T, int W>
KNEAD_INLINE Pack<T, W> floor(const Pack<T, W>& a) {
#if defined(__AVX512F__)
  using Simd = typename Pack<T, W>::Simd;
  constexpr int down = _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC;
  if constexpr (sizeof(Simd) == 64 && std::is_same_v<T, float>)
    return std::bit_cast<Simd>(_mm512_maskz_roundscale_ps(0xffff, std::bit_cast<__m512>(a.v), down));
  else if constexpr (sizeof(Simd) == 64)
    return std::bit_cast<Simd>(_mm512_maskz_roundscale_pd(0xff, std::bit_cast<__m512d>(a.v), down));
  else
#endif
    return std::experimental::floor(a.v);
}
template <class T, int W>
KNEAD_INLINE Pack<T, W> abs(const Pack<T, W>& a) {
  return std::experimental::abs(a.v);
}
template <class T, int W>
KNEAD_INLINE Pack<T, W> min(const Pack<T, W>& a, const Pack<T, W>& b) {
  return select(b < a, b, a);
}
template <class T, int W>
KNEAD_INLINE Pack<T, W> max(const Pack<T, W>& a, const Pack<T, W>& b) {
  return select(a < b, b, a);
}
template <class T, int W>
KNEAD_INLINE Pack<T, W> copysign(const Pack<T, W>& a, const Pack<T, W>& sign) {
  return std::experimental::copysign(a.v, sign.v);
}
// a b + c with one rounding, on every machine; see base/math.h.
#if defined(__FMA__)
namespace pack_detail {
KNEAD_INLINE __m128 fma(__m128 a, __m128 b, __m128 c) { return _mm_fmadd_ps(a, b, c); }
KNEAD_INLINE __m128d fma(__m128d a, __m128d b, __m128d c) { return _mm_fmadd_pd(a, b, c); }
KNEAD_INLINE __m256 fma(__m256 a, __m256 b, __m256 c) { return _mm256_fmadd_ps(a, b, c); }
KNEAD_INLINE __m256d fma(__m256d a, __m256d b, __m256d c) { return _mm256_fmadd_pd(a, b, c); }
#if defined(__AVX512F__)
KNEAD_INLINE __m512 fma(__m512 a, __m512 b, __m512 c) { return _mm512_fmadd_ps(a, b, c); }
KNEAD_INLINE __m512d fma(__m512d a, __m512d b, __m512d c) { return _mm512_fmadd_pd(a, b, c); }
#endif
}  // namespace pack_detail
#endif
template <class T, int W>
KNEAD_INLINE Pack<T, W> fma(const Pack<T, W>& a, const Pack<T, W>& b, const Pack<T, W>& c) {
  using Simd = typename Pack<T, W>::Simd;
#if defined(__FMA__)
  typedef T Register __attribute__((vector_size(W * sizeof(T))));
  if constexpr (sizeof(Simd) >= 16 && sizeof(Simd) == sizeof(Register) && sizeof(Simd) <= native_width<T> * sizeof(T))
    return std::bit_cast<Simd>(pack_detail::fma(std::bit_cast<Register>(a.v), std::bit_cast<Register>(b.v),  //
                                                std::bit_cast<Register>(c.v)));
  else
#endif
    return Simd([&](auto lane) { return fma(T(a.v[lane]), T(b.v[lane]), T(c.v[lane])); });
}

}  // namespace knead

#include "base/pack_math.h"  // exp, log and rsqrt, which a pack is not complete without
