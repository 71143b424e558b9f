// A row of scalars, and for each lane of a pack the one at its own place: several particles read their own nodes of a
// few rows of the grid without a trip to memory.
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

// Any machine: the row stays in memory. `reach` is how many places a lane may name.
template <class T, int W = native_width<T>>
class Lookup {
 public:
  static constexpr int reach = 32;
  KNEAD_INLINE explicit Lookup(const T* row) : row_(row) {}
  // row[index + next], for index + next from 0 to reach - 1.
  template <int next>
  KNEAD_INLINE Pack<T, W> at(const PackIndex<T, W>& index) const {
    return typename Pack<T, W>::Simd([&](auto lane) { return row_[index[lane] + next]; });
  }

 private:
  const T* row_;
};

#if defined(__AVX512F__)
template <>
class Lookup<float, 16> {
 public:
  static constexpr int reach = 32;
  KNEAD_INLINE explicit Lookup(const float* row) : low_(_mm512_loadu_ps(row)), high_(_mm512_loadu_ps(row + 16)) {}
  template <int next>
  KNEAD_INLINE Pack<float, 16> at(const PackIndex<float, 16>& index) const {
    return std::bit_cast<Pack<float, 16>::Simd>(
        _mm512_permutex2var_ps(low_, std::bit_cast<__m512i>(index + next), high_));
  }

 private:
  __m512 low_, high_;
};

template <>
class Lookup<double, 8> {
 public:
  static constexpr int reach = 32;
  KNEAD_INLINE explicit Lookup(const double* row)
      : first_(_mm512_loadu_pd(row)),
        second_(_mm512_loadu_pd(row + 8)),
        third_(_mm512_loadu_pd(row + 16)),
        fourth_(_mm512_loadu_pd(row + 24)) {}
  template <int next>
  KNEAD_INLINE Pack<double, 8> at(const PackIndex<double, 8>& index) const {
    const __m512i i = std::bit_cast<__m512i>(index + next);
    const __m512d low = _mm512_permutex2var_pd(first_, i, second_), high = _mm512_permutex2var_pd(third_, i, fourth_);
    const __mmask8 upper = _mm512_test_epi64_mask(i, _mm512_set1_epi64(16));
    return std::bit_cast<Pack<double, 8>::Simd>(_mm512_mask_mov_pd(low, upper, high));
  }

 private:
  __m512d first_, second_, third_, fourth_;
};
#elif defined(__AVX2__)
// Permutations across the halves of a register cost more than those inside, so that both halves hold the same four.
template <>
class Lookup<float, 8> {
 public:
  static constexpr int reach = 4;
  KNEAD_INLINE explicit Lookup(const float* row) : row_(row) {}
  // row[index + next], for indices from 0 to 3.
  template <int next>
  KNEAD_INLINE Pack<float, 8> at(const PackIndex<float, 8>& index) const {
    const __m256 four = _mm256_broadcast_ps(reinterpret_cast<const __m128*>(row_ + next));
    return std::bit_cast<Pack<float, 8>::Simd>(_mm256_permutevar_ps(four, std::bit_cast<__m256i>(index)));
  }

 private:
  const float* row_;
};
#endif

}  // namespace knead
