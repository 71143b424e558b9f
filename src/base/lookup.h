// A table of 32 scalars held in registers, and one of them for each lane of a pack: several particles read their own
// places of a few rows of the grid without a trip to memory.
#pragma once

#include "base/pack.h"

namespace knead {

// An integer for each lane of a pack.
template <class T, int W = native_width<T>>
using PackIndex = pack_detail::IntSimd<T, W>;

// The integers that a pack's lanes hold.
template <class T, int W>
KNEAD_INLINE PackIndex<T, W> to_index(const Pack<T, W>& a) {
  return std::experimental::static_simd_cast<PackIndex<T, W>>(a.v);
}

// Any machine: the table stays in memory.
template <class T, int W = native_width<T>>
class Lookup {
 public:
  static constexpr int size = 32;
  KNEAD_INLINE explicit Lookup(const T* table) : table_(table) {}
  // table[index], for indices from 0 to 31.
  KNEAD_INLINE Pack<T, W> operator()(const PackIndex<T, W>& index) const {
    return typename Pack<T, W>::Simd([&](auto lane) { return table_[index[lane]]; });
  }

 private:
  const T* table_;
};

#if defined(__AVX512F__)
template <>
class Lookup<float, 16> {
 public:
  static constexpr int size = 32;
  KNEAD_INLINE explicit Lookup(const float* table) : low_(_mm512_loadu_ps(table)), high_(_mm512_loadu_ps(table + 16)) {}
  KNEAD_INLINE Pack<float, 16> operator()(const PackIndex<float, 16>& index) const {
    return std::bit_cast<Pack<float, 16>::Simd>(_mm512_permutex2var_ps(low_, std::bit_cast<__m512i>(index), high_));
  }

 private:
  __m512 low_, high_;
};

template <>
class Lookup<double, 8> {
 public:
  static constexpr int size = 32;
  KNEAD_INLINE explicit Lookup(const double* table)
      : first_(_mm512_loadu_pd(table)),
        second_(_mm512_loadu_pd(table + 8)),
        third_(_mm512_loadu_pd(table + 16)),
        fourth_(_mm512_loadu_pd(table + 24)) {}
  KNEAD_INLINE Pack<double, 8> operator()(const PackIndex<double, 8>& index) const {
    const __m512i at = std::bit_cast<__m512i>(index);
    const __m512d low = _mm512_permutex2var_pd(first_, at, second_), high = _mm512_permutex2var_pd(third_, at, fourth_);
    const __mmask8 upper = _mm512_test_epi64_mask(at, _mm512_set1_epi64(16));
    return std::bit_cast<Pack<double, 8>::Simd>(_mm512_mask_mov_pd(low, upper, high));
  }

 private:
  __m512d first_, second_, third_, fourth_;
};
#elif defined(__AVX2__)
template <>
class Lookup<float, 8> {
 public:
  static constexpr int size = 32;
  KNEAD_INLINE explicit Lookup(const float* table)
      : first_(_mm256_loadu_ps(table)),
        second_(_mm256_loadu_ps(table + 8)),
        third_(_mm256_loadu_ps(table + 16)),
        fourth_(_mm256_loadu_ps(table + 24)) {}
  KNEAD_INLINE Pack<float, 8> operator()(const PackIndex<float, 8>& index) const {
    const __m256i at = std::bit_cast<__m256i>(index);
    // The bits 8 and 16 of the index, as signs, choose among the four registers.
    const __m256 odd = _mm256_castsi256_ps(_mm256_slli_epi32(at, 28)),
                 upper = _mm256_castsi256_ps(_mm256_slli_epi32(at, 27));
    const __m256 low =
        _mm256_blendv_ps(_mm256_permutevar8x32_ps(first_, at), _mm256_permutevar8x32_ps(second_, at), odd);
    const __m256 high =
        _mm256_blendv_ps(_mm256_permutevar8x32_ps(third_, at), _mm256_permutevar8x32_ps(fourth_, at), odd);
    return std::bit_cast<Pack<float, 8>::Simd>(_mm256_blendv_ps(low, high, upper));
  }

 private:
  __m256 first_, second_, third_, fourth_;
};
#endif

}  // namespace knead
