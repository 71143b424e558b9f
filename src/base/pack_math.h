// exp, log and the inverse root of packs as vector code. exp and log: reduction by powers of two, then a short series;
// within 2 units in the last place of the exact values over the whole range, with the limits of the C library (0,
// infinity, NaN).
#pragma once

#include "base/pack.h"

namespace knead {
namespace pack_detail {

// The layout of a float or double, and the constants of the reductions.
template <class T>
struct Format;
template <>
struct Format<float> {
  using Int = std::int32_t;
  static constexpr int mantissa = 23, bias = 127;
  static constexpr float round_magic = 12582912.0f;  // 1.5 * 2^23: adding it rounds to an integer
  static constexpr float ln2_high = 0x1.62e4p-1f,
                         ln2_low = 0x1.7f7d1cp-20f;            // the high part has 16 bits: n * high is exact
  static constexpr float exp_low = -104.0f, exp_high = 89.0f;  // beyond: zero, infinity
  static constexpr int exp_terms = 7, log_terms = 5;
  static constexpr Int rsqrt_magic = 0x5f375a86;
};
template <>
struct Format<double> {
  using Int = std::int64_t;
  static constexpr int mantissa = 52, bias = 1023;
  static constexpr double round_magic = 6755399441055744.0;  // 1.5 * 2^52
  static constexpr double ln2_high = 0x1.62e42fefap-1, ln2_low = 0x1.cf79abc9e3b39p-40;
  static constexpr double exp_low = -746.0, exp_high = 710.0;
  static constexpr int exp_terms = 13, log_terms = 11;
  static constexpr Int rsqrt_magic = 0x5fe6eb50c7b537a9;
};

template <class T, int W>
using IntSimd =
    std::experimental::simd<typename Format<T>::Int, std::experimental::simd_abi::deduce_t<typename Format<T>::Int, W>>;

template <class T, int W>
KNEAD_INLINE IntSimd<T, W> bits(const Pack<T, W>& a) {
  return std::bit_cast<IntSimd<T, W>>(a.v);
}
template <class T, int W>
KNEAD_INLINE Pack<T, W> from_bits(const IntSimd<T, W>& a) {
  return Pack<T, W>(std::bit_cast<typename Pack<T, W>::Simd>(a));
}
// 2^n for n within the exponents of normal numbers.
template <class T, int W>
KNEAD_INLINE Pack<T, W> power_of_two(const IntSimd<T, W>& n) {
  using Int = typename Format<T>::Int;
  return from_bits<T, W>((n + Int(Format<T>::bias)) << Format<T>::mantissa);
}

}  // namespace pack_detail

// The largest power of two that is not above a, for normal positive numbers.
template <class T, int W>
KNEAD_INLINE Pack<T, W> binade(const Pack<T, W>& a) {
  using Int = typename pack_detail::Format<T>::Int;
  const Int exponent = std::bit_cast<Int>(std::numeric_limits<T>::infinity());
  return pack_detail::from_bits<T, W>(pack_detail::bits(a) & exponent);
}

// 1 / sqrt(a) for positive a, to 17 bits or better. Half the exponent is half the bits (the first guess, within 3.5 %),
// then come Newton steps, each of which doubles the digits. Machines have instructions for such a guess, but no two
// kinds of machine give the same one.
template <class T, int W>
KNEAD_INLINE Pack<T, W> rsqrt_estimate(const Pack<T, W>& a) {
  using namespace pack_detail;
  using P = Pack<T, W>;
  const P half = P(T(0.5)) * a;
  P y = from_bits<T, W>(Format<T>::rsqrt_magic - (bits(a) >> 1));
  for (int i = 0; i < 2; ++i) y = y * fma(-half * y, y, P(T(1.5)));
  return y;
}
// The same within 2 units in the last place.
template <class T, int W>
KNEAD_INLINE Pack<T, W> rsqrt(const Pack<T, W>& a) {
  using P = Pack<T, W>;
  const P half = P(T(0.5)) * a;
  P y = rsqrt_estimate(a);
  if constexpr (sizeof(T) == 8) y = y * fma(-half * y, y, P(T(1.5)));
  return fma(y, fma(-half * y, y, P(T(0.5))), y);
}

// exp(x) = 2^n exp(r), |r| <= ln(2) / 2, and exp(r) by its Taylor series.
template <class T, int W>
Pack<T, W> exp(const Pack<T, W>& x) {
  using namespace pack_detail;
  using P = Pack<T, W>;
  using C = Format<T>;
  const P y = clamp(x, P(C::exp_low), P(C::exp_high));
  const P shifted = y * P(1.442695040888963407) + P(C::round_magic);
  const P n = shifted - P(C::round_magic);
  const P r = (y - n * P(C::ln2_high)) - n * P(C::ln2_low);
  // 1 + r + r^2 (1/2 + r (1/6 + ...))
  double factorial[C::exp_terms + 1] = {1};
  for (int k = 1; k <= C::exp_terms; ++k) factorial[k] = factorial[k - 1] * k;
  P s = P(1 / factorial[C::exp_terms]);
  for (int k = C::exp_terms - 1; k >= 2; --k) s = s * r + P(1 / factorial[k]);
  const P e = (r * r) * s + r + P(1);
  // The power of two goes in by halves, so that results below the normal range and infinity come out right.
  const IntSimd<T, W> k = bits(shifted) - std::bit_cast<typename C::Int>(C::round_magic);
  const IntSimd<T, W> half = k >> 1;
  return e * power_of_two<T, W>(half) * power_of_two<T, W>(k - half);
}

// log(2^e m) = e ln 2 + log(1 + f), f = m - 1 in [sqrt(1/2) - 1, sqrt(2) - 1]. With s = f / (2 + f),
// log(1 + f) = 2 artanh(s) = f - f^2/2 + s (f^2/2 + R), R = 2 (s^2/3 + s^4/5 + ...).
template <class T, int W>
Pack<T, W> log(const Pack<T, W>& x) {
  using namespace pack_detail;
  using P = Pack<T, W>;
  using C = Format<T>;
  using Int = typename C::Int;
  // The series sees positive numbers only; those below the normal range are scaled up first.
  const P positive = select(x > P(0), x, P(1));
  const auto tiny = positive < P(std::numeric_limits<T>::min());
  const P normal = select(tiny, positive * P(T(Int(1) << C::mantissa)), positive);
  // Mantissa in [sqrt(1/2), sqrt(2)) and exponent.
  const Int sqrt_half = std::bit_cast<Int>(T(0.70710678118654752440));
  const IntSimd<T, W> e = (bits(normal) - sqrt_half) >> C::mantissa;
  const P m = from_bits<T, W>(bits(normal) - (e << C::mantissa));
  const P magic = P(C::round_magic);
  const P n = (from_bits<T, W>(e + std::bit_cast<Int>(C::round_magic)) - magic) - select(tiny, P(C::mantissa), P(0));
  // The series.
  const P f = m - P(1), s = f / (P(2) + f), z = s * s, half_square = P(0.5) * f * f;
  P R = P(2.0 / (2 * C::log_terms + 1));
  for (int k = C::log_terms - 1; k >= 1; --k) R = R * z + P(2.0 / (2 * k + 1));
  R = R * z;
  const P r = n * P(C::ln2_high) + (f - (half_square - (s * (half_square + R) + n * P(C::ln2_low))));
  // The edges.
  const P infinity = P(std::numeric_limits<T>::infinity());
  const P edge = select(x == P(0), -infinity, select(x < P(0), P(std::numeric_limits<T>::quiet_NaN()), x));
  return select(x > P(0), select(x < infinity, r, x), edge);
}

}  // namespace knead
