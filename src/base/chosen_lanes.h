// Which lanes of a pack a comparison holds for, as bits, and the entries of an array that such bits choose, put one
// behind the other.
#pragma once

#include "base/pack.h"

#include <array>

namespace knead {

// Bit i is set where a < b in lane i.
template <class T, int W>
KNEAD_INLINE unsigned lanes_below(const Pack<T, W>& a, const Pack<T, W>& b) {
  [[maybe_unused]] constexpr std::size_t bytes = sizeof(typename Pack<T, W>::Simd);
  [[maybe_unused]] constexpr bool single = std::is_same_v<T, float>;
#if defined(__AVX512F__)
  if constexpr (bytes == 64 && single)
    return _mm512_cmp_ps_mask(std::bit_cast<__m512>(a.v), std::bit_cast<__m512>(b.v), _CMP_LT_OQ);
  if constexpr (bytes == 64 && !single)
    return _mm512_cmp_pd_mask(std::bit_cast<__m512d>(a.v), std::bit_cast<__m512d>(b.v), _CMP_LT_OQ);
#endif
#if defined(__AVX__)
  if constexpr (bytes == 32 && single)
    return static_cast<unsigned>(
        _mm256_movemask_ps(_mm256_cmp_ps(std::bit_cast<__m256>(a.v), std::bit_cast<__m256>(b.v), _CMP_LT_OQ)));
  if constexpr (bytes == 32 && !single)
    return static_cast<unsigned>(
        _mm256_movemask_pd(_mm256_cmp_pd(std::bit_cast<__m256d>(a.v), std::bit_cast<__m256d>(b.v), _CMP_LT_OQ)));
#endif
#if defined(__SSE2__)
  if constexpr (bytes == 16 && single)
    return static_cast<unsigned>(_mm_movemask_ps(_mm_cmplt_ps(std::bit_cast<__m128>(a.v), std::bit_cast<__m128>(b.v))));
#endif
  unsigned below = 0;
  for (int lane = 0; lane < W; ++lane) below |= static_cast<unsigned>(a[lane] < b[lane]) << lane;
  return below;
}

namespace pack_detail {

#if defined(__AVX2__) && !defined(__AVX512VL__)
// The lanes of eight that a byte's bits choose, a byte each, the first lowest.
inline constexpr auto chosen_of_eight = [] {
  std::array<std::uint64_t, 256> all{};
  for (std::size_t bits = 0; bits < all.size(); ++bits)
    for (unsigned lane = 0, at = 0; lane < 8; ++lane)
      if (bits >> lane & 1) all[bits] |= std::uint64_t(lane) << (8 * at++);
  return all;
}();
#endif
#if defined(__SSSE3__)
// Those of four, as the bytes that a shuffle takes.
struct alignas(16) ChosenOfFour {
  unsigned char byte[16];
};
inline constexpr auto chosen_of_four = [] {
  std::array<ChosenOfFour, 16> all{};
  for (std::size_t bits = 0; bits < all.size(); ++bits)
    for (unsigned lane = 0, at = 0; lane < 4; ++lane)
      if (bits >> lane & 1)
        for (unsigned k = 0; k < 4; ++k) all[bits].byte[at++] = static_cast<unsigned char>(4 * lane + k);
  return all;
}();
#endif

// from[i] for each bit i of `chosen`, one behind the other. The lanes behind them may be written to as well.
template <int W, class E>
KNEAD_INLINE void put_chosen(unsigned chosen, const E* from, E* to) {
#if defined(__AVX512F__) && defined(__AVX512VL__)
  if constexpr (sizeof(E) == 4 && W == 16)
    return _mm512_storeu_si512(to,
                               _mm512_maskz_compress_epi32(static_cast<__mmask16>(chosen), _mm512_loadu_si512(from)));
  if constexpr (sizeof(E) == 4 && W == 8)
    return _mm256_storeu_si256(reinterpret_cast<__m256i*>(to),
                               _mm256_maskz_compress_epi32(static_cast<__mmask8>(chosen),
                                                           _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from))));
#elif defined(__AVX2__)
  if constexpr (sizeof(E) == 4 && W == 8)
    return _mm256_storeu_si256(
        reinterpret_cast<__m256i*>(to),
        _mm256_permutevar8x32_epi32(
            _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from)),
            _mm256_cvtepu8_epi32(_mm_cvtsi64_si128(static_cast<long long>(chosen_of_eight[chosen])))));
#endif
#if defined(__SSSE3__)
  if constexpr (sizeof(E) == 4 && W == 4)
    return _mm_storeu_si128(
        reinterpret_cast<__m128i*>(to),
        _mm_shuffle_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from)),
                         _mm_load_si128(reinterpret_cast<const __m128i*>(&chosen_of_four[chosen]))));
#endif
  for (unsigned left = chosen; left != 0; left &= left - 1) *to++ = from[std::countr_zero(left)];
}

}  // namespace pack_detail

// Writes from[i] for each bit i of `chosen` to `to`, which must have room for W entries whatever is chosen; gives the
// end.
template <int W, class E>
KNEAD_INLINE E* write_chosen(unsigned chosen, const E* from, E* to) {
  pack_detail::put_chosen<W>(chosen, from, to);
  return to + std::popcount(chosen);
}

}  // namespace knead
