// Packs from and to arrays of scalars, vectors and matrices: lane i is entry i of the array, or entry index[i]. A last,
// partly filled pack repeats its last entry, so that every lane holds something sound; only the first `count` lanes are
// stored.
#pragma once

#include "base/mat.h"
#include "base/pack.h"

#include <cstddef>

namespace knead {
namespace pack_detail {

// Where the entries of the lanes begin, N scalars each.
template <int N, class T>
struct Following {
  T* data;
  int last;
  KNEAD_INLINE T* operator()(int lane) const { return data + static_cast<std::size_t>(lane < last ? lane : last) * N; }
};
template <int N, class T>
struct Indexed {
  T* data;
  const int* index;
  KNEAD_INLINE T* operator()(int lane) const {
    return data + static_cast<std::size_t>(static_cast<unsigned>(index[lane])) * N;
  }
};

// Any machine: scalar by scalar.
template <int N, class T, int W, class Row>
KNEAD_INLINE void load_rows(Pack<T, W>* out, const Row& row) {
  alignas(64) T lanes[N][W];
  for (int i = 0; i < W; ++i) {
    const T* entry = row(i);
    for (int k = 0; k < N; ++k) lanes[k][i] = entry[k];
  }
  for (int k = 0; k < N; ++k) out[k] = Pack<T, W>::load(lanes[k]);
}
template <int N, class T, int W, class Row>
KNEAD_INLINE void store_rows(const Pack<T, W>* in, const Row& row, int count) {
  alignas(64) T lanes[N][W];
  for (int k = 0; k < N; ++k) in[k].store(lanes[k]);
  for (int i = 0; i < count; ++i) {
    T* entry = row(i);
    for (int k = 0; k < N; ++k) entry[k] = lanes[k][i];
  }
}

#if defined(__AVX2__)
// Eight floats a register: entries are read and written four scalars at a time, and turned by shuffles.
using Pack8 = Pack<float, 8>;
typedef float Quad __attribute__((vector_size(16), may_alias));
typedef float Octet __attribute__((vector_size(32), may_alias));
KNEAD_INLINE Octet raw(const Pack8& a) { return std::bit_cast<Octet>(a.v); }
KNEAD_INLINE Pack8 pack_of(Octet a) { return std::bit_cast<Pack8::Simd>(a); }
KNEAD_INLINE Octet joined(Quad a, Quad b) { return __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7); }
KNEAD_INLINE Quad low_half(Octet a) { return __builtin_shufflevector(a, a, 0, 1, 2, 3); }
KNEAD_INLINE Quad high_half(Octet a) { return __builtin_shufflevector(a, a, 4, 5, 6, 7); }

// In each half of the registers a 4 x 4 matrix, a row a register, is transposed.
KNEAD_INLINE void transpose_halves(Octet* r) {
  const Octet a = __builtin_shufflevector(r[0], r[1], 0, 8, 1, 9, 4, 12, 5, 13);
  const Octet b = __builtin_shufflevector(r[0], r[1], 2, 10, 3, 11, 6, 14, 7, 15);
  const Octet c = __builtin_shufflevector(r[2], r[3], 0, 8, 1, 9, 4, 12, 5, 13);
  const Octet d = __builtin_shufflevector(r[2], r[3], 2, 10, 3, 11, 6, 14, 7, 15);
  r[0] = __builtin_shufflevector(a, c, 0, 1, 8, 9, 4, 5, 12, 13);
  r[1] = __builtin_shufflevector(a, c, 2, 3, 10, 11, 6, 7, 14, 15);
  r[2] = __builtin_shufflevector(b, d, 0, 1, 8, 9, 4, 5, 12, 13);
  r[3] = __builtin_shufflevector(b, d, 2, 3, 10, 11, 6, 7, 14, 15);
}

// N <= 4 scalars, without a look beyond them.
template <int N>
KNEAD_INLINE Quad load_up_to_four(const float* from) {
  if constexpr (N == 4) return std::bit_cast<Quad>(_mm_loadu_ps(from));
  const __m128 two = _mm_castsi128_ps(_mm_loadu_si64(from));
  return std::bit_cast<Quad>(N == 2 ? two : _mm_insert_ps(two, _mm_load_ss(from + 2), 0x20));
}
template <int N>
KNEAD_INLINE void store_up_to_four(Quad a, float* to) {
  if constexpr (N == 4) return _mm_storeu_ps(to, std::bit_cast<__m128>(a));
  _mm_storeu_si64(to, std::bit_cast<__m128i>(a));
  if constexpr (N == 3) to[2] = a[2];
}

// Entries of more than four scalars go in pieces of four, the last of which begins `shared` scalars inside the one
// before. (By recursion: GCC makes calls of memcpy of a loop that it unrolls too late.)
template <int N, int shared = 0, class Row>
KNEAD_INLINE void load_rows(Pack8* out, const Row& row) {
  if constexpr (N == 1) {
    *out = pack_of(Octet{*row(0), *row(1), *row(2), *row(3), *row(4), *row(5), *row(6), *row(7)});
  } else {
    constexpr int some = N < 4 ? N : 4;
    const auto two = [&](int k) KNEAD_INLINE_LAMBDA {
      return joined(load_up_to_four<some>(row(k)), load_up_to_four<some>(row(k + 4)));
    };
    Octet r[4] = {two(0), two(1), two(2), two(3)};
    transpose_halves(r);
    if constexpr (shared < 1) out[0] = pack_of(r[0]);
    if constexpr (shared < 2) out[1] = pack_of(r[1]);
    if constexpr (shared < 3 && some > 2) out[2] = pack_of(r[2]);
    if constexpr (some > 3) out[3] = pack_of(r[3]);
    constexpr int step = N < 8 ? N - 4 : 4;
    if constexpr (N > 4)
      load_rows<N - step, 4 - step>(out + step, [&](int lane) KNEAD_INLINE_LAMBDA { return row(lane) + step; });
  }
}
template <int N, class Row>
KNEAD_INLINE void store_some_rows(const Pack8* in, const Row& row, int count) {
  if constexpr (N == 1) {
    const Octet lanes = raw(*in);
    for (int i = 0; i < 8; ++i)
      if (i < count) *row(i) = lanes[i];
  } else {
    constexpr int some = N < 4 ? N : 4;
    Octet r[4] = {raw(in[0]), raw(in[1]), raw(in[some > 2 ? 2 : 1]), raw(in[some - 1])};
    transpose_halves(r);
    const auto write = [&](int k) KNEAD_INLINE_LAMBDA {
      if (k < count) store_up_to_four<some>(low_half(r[k]), row(k));
      if (k + 4 < count) store_up_to_four<some>(high_half(r[k]), row(k + 4));
    };
    write(0), write(1), write(2), write(3);
    constexpr int step = N < 8 ? N - 4 : 4;
    if constexpr (N > 4)
      store_some_rows<N - step>(
          in + step, [&](int lane) KNEAD_INLINE_LAMBDA { return row(lane) + step; }, count);
  }
}
// Full packs are the rule, and need no question at every lane.
template <int N, class Row>
KNEAD_INLINE void store_rows(const Pack8* in, const Row& row, int count) {
  if (count == 8)
    store_some_rows<N>(in, row, 8);
  else
    store_some_rows<N>(in, row, count);
}
#endif

#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
// Sixteen floats a register: entries are read and written whole, and turned by shuffles.
using Pack16 = Pack<float, 16>;
typedef float Sixteen __attribute__((vector_size(64), may_alias));
KNEAD_INLINE Sixteen raw(const Pack16& a) { return std::bit_cast<Sixteen>(a.v); }
KNEAD_INLINE Pack16 pack_of(Sixteen a) { return std::bit_cast<Pack16::Simd>(a); }
KNEAD_INLINE Sixteen joined(Octet a, Octet b) {
  return __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
}
KNEAD_INLINE Octet low_half(Sixteen a) { return __builtin_shufflevector(a, a, 0, 1, 2, 3, 4, 5, 6, 7); }
KNEAD_INLINE Octet high_half(Sixteen a) { return __builtin_shufflevector(a, a, 8, 9, 10, 11, 12, 13, 14, 15); }

// The first N scalars, without a look beyond them.
template <int N>
KNEAD_INLINE Quad load_quad(const float* from) {
  if constexpr (N == 4)
    return std::bit_cast<Quad>(_mm_loadu_ps(from));
  else
    return std::bit_cast<Quad>(_mm_maskz_loadu_ps((1 << N) - 1, from));
}
template <int N>
KNEAD_INLINE Octet load_octet(const float* from) {
  if constexpr (N == 8)
    return std::bit_cast<Octet>(_mm256_loadu_ps(from));
  else
    return std::bit_cast<Octet>(_mm256_maskz_loadu_ps((1 << N) - 1, from));
}
template <int N>
KNEAD_INLINE void store_some(Quad a, float* to) {
  if constexpr (N == 4)
    _mm_storeu_ps(to, std::bit_cast<__m128>(a));
  else
    _mm_mask_storeu_ps(to, (1 << N) - 1, std::bit_cast<__m128>(a));
}
template <int N>
KNEAD_INLINE void store_some(Octet a, float* to) {
  if constexpr (N == 8)
    _mm256_storeu_ps(to, std::bit_cast<__m256>(a));
  else
    _mm256_mask_storeu_ps(to, (1 << N) - 1, std::bit_cast<__m256>(a));
}

// In each quarter of the registers a 4 x 4 matrix, a row a register, is transposed.
KNEAD_INLINE void transpose_quarters(Sixteen* r) {
  const auto odd_even = [](Sixteen a, Sixteen b) {
    return __builtin_shufflevector(a, b, 0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29);
  };
  const auto odd_even_high = [](Sixteen a, Sixteen b) {
    return __builtin_shufflevector(a, b, 2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31);
  };
  const auto pairs = [](Sixteen a, Sixteen b) {
    return __builtin_shufflevector(a, b, 0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29);
  };
  const auto pairs_high = [](Sixteen a, Sixteen b) {
    return __builtin_shufflevector(a, b, 2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31);
  };
  const Sixteen a = odd_even(r[0], r[1]), b = odd_even_high(r[0], r[1]);
  const Sixteen c = odd_even(r[2], r[3]), d = odd_even_high(r[2], r[3]);
  r[0] = pairs(a, c), r[1] = pairs_high(a, c), r[2] = pairs(b, d), r[3] = pairs_high(b, d);
}

// N <= 4 scalars an entry; register k starts with the entries k, k + 4, k + 8, k + 12.
template <int N, class Row>
KNEAD_INLINE void load_quads(Pack16* out, const Row& row) {
  Sixteen r[4];
  const auto two = [&](int lane)
                       KNEAD_INLINE_LAMBDA { return joined(load_quad<N>(row(lane)), load_quad<N>(row(lane + 4))); };
  for (int k = 0; k < 4; ++k) r[k] = joined(two(k), two(k + 8));
  transpose_quarters(r);
  for (int k = 0; k < N; ++k) out[k] = pack_of(r[k]);
}
template <int N, class Row>
KNEAD_INLINE void store_quads(const Pack16* in, const Row& row, int count) {
  Sixteen r[4];
  for (int k = 0; k < 4; ++k) r[k] = raw(in[k < N ? k : N - 1]);
  transpose_quarters(r);
  const auto write = [&](int lane, Quad entry) KNEAD_INLINE_LAMBDA {
    if (lane < count) store_some<N>(entry, row(lane));
  };
  for (int k = 0; k < 4; ++k) {
    write(k, low_half(low_half(r[k]))), write(k + 4, high_half(low_half(r[k])));
    write(k + 8, low_half(high_half(r[k]))), write(k + 12, high_half(high_half(r[k])));
  }
}

// 4 < N <= 8 scalars an entry; register k starts with the entries k and k + 4 for k < 4, k + 4 and k + 8 from there.
template <int N, class Row>
KNEAD_INLINE void load_octets(Pack16* out, const Row& row) {
  Sixteen r[8];
  for (int k = 0; k < 8; ++k) {
    const int lane = k < 4 ? k : k + 4;
    r[k] = joined(load_octet<N>(row(lane)), load_octet<N>(row(lane + 4)));
  }
  transpose_quarters(r), transpose_quarters(r + 4);
  for (int k = 0; k < 4; ++k) {
    out[k] = pack_of(__builtin_shufflevector(r[k], r[k + 4], 0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27));
    if (k + 4 < N)
      out[k + 4] =
          pack_of(__builtin_shufflevector(r[k], r[k + 4], 4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31));
  }
}
template <int N, class Row>
KNEAD_INLINE void store_octets(const Pack16* in, const Row& row, int count) {
  Sixteen r[8];
  for (int k = 0; k < 4; ++k) {
    const Sixteen low = raw(in[k]), high = raw(in[k + 4 < N ? k + 4 : k]);
    r[k] = __builtin_shufflevector(low, high, 0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23);
    r[k + 4] = __builtin_shufflevector(low, high, 8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31);
  }
  transpose_quarters(r), transpose_quarters(r + 4);
  const auto write = [&](int lane, Octet entry) KNEAD_INLINE_LAMBDA {
    if (lane < count) store_some<N>(entry, row(lane));
  };
  for (int k = 0; k < 8; ++k) {
    const int lane = k < 4 ? k : k + 4;
    write(lane, low_half(r[k])), write(lane + 4, high_half(r[k]));
  }
}

template <class Row>
KNEAD_INLINE Pack16 load_singles(const Row& row) {
  return pack_of(_mm512_setr_ps(*row(0), *row(1), *row(2), *row(3), *row(4), *row(5), *row(6), *row(7), *row(8),
                                *row(9), *row(10), *row(11), *row(12), *row(13), *row(14), *row(15)));
}
template <class Row>
KNEAD_INLINE void store_singles(const Pack16& in, const Row& row, int count) {
  alignas(64) float lanes[16];
  in.store(lanes);
  for (int i = 0; i < count; ++i) *row(i) = lanes[i];
}

template <int N, class Row>
KNEAD_INLINE void load_rows(Pack16* out, const Row& row) {
  if constexpr (N > 8) {
    load_octets<8>(out, row);
    load_rows<N - 8>(out + 8, [&](int lane) KNEAD_INLINE_LAMBDA { return row(lane) + 8; });
  } else if constexpr (N > 4) {
    load_octets<N>(out, row);
  } else if constexpr (N > 1) {
    load_quads<N>(out, row);
  } else {
    *out = load_singles(row);
  }
}
template <int N, class Row>
KNEAD_INLINE void store_lanes_of(const Pack16* in, const Row& row, int count) {
  if constexpr (N > 8) {
    store_octets<8>(in, row, count);
    store_lanes_of<N - 8>(
        in + 8, [&](int lane) KNEAD_INLINE_LAMBDA { return row(lane) + 8; }, count);
  } else if constexpr (N > 4) {
    store_octets<N>(in, row, count);
  } else if constexpr (N > 1) {
    store_quads<N>(in, row, count);
  } else {
    store_singles(*in, row, count);
  }
}
// Full packs are the rule, and need no question at every lane.
template <int N, class Row>
KNEAD_INLINE void store_rows(const Pack16* in, const Row& row, int count) {
  if (count == 16)
    store_lanes_of<N>(in, row, 16);
  else
    store_lanes_of<N>(in, row, count);
}
#endif

// How an entry is laid out: its scalars, and the same entry made of packs.
template <class E>
struct Entry {
  static constexpr int size = 1;
  using Scalar = E;
  template <class P>
  using With = P;
};
template <class T, int N>
struct Entry<Vec<T, N>> {
  static constexpr int size = N;
  using Scalar = T;
  template <class P>
  using With = Vec<P, N>;
};
template <class T, int N>
struct Entry<Mat<T, N>> {
  static constexpr int size = N * N;
  using Scalar = T;
  template <class P>
  using With = Mat<P, N>;
};

template <class P, class E, class Row>
KNEAD_INLINE auto load_entries(const Row& row) {
  typename Entry<E>::template With<P> result;
  load_rows<Entry<E>::size>(reinterpret_cast<P*>(&result), row);
  return result;
}

}  // namespace pack_detail

// Entries first[0], ..., first[count - 1], 1 <= count <= W: load_lanes<Pack<float>>(F + begin, count).
template <class P, class E>
KNEAD_INLINE auto load_lanes(const E* first, int count = P::width) {
  using Layout = pack_detail::Entry<E>;
  using T = const typename Layout::Scalar;
  return pack_detail::load_entries<P, E>(
      pack_detail::Following<Layout::size, T>{reinterpret_cast<T*>(first), count - 1});
}
template <class P, class E>
KNEAD_INLINE void store_lanes(const typename pack_detail::Entry<E>::template With<P>& from, E* first,
                              int count = P::width) {
  using Layout = pack_detail::Entry<E>;
  using T = typename Layout::Scalar;
  const pack_detail::Following<Layout::size, T> row{reinterpret_cast<T*>(first), P::width};
  pack_detail::store_rows<Layout::size>(reinterpret_cast<const P*>(&from), row, count);
}

// Entries data[index[0]], ..., data[index[W - 1]], wherever they lie; all W indices must be sound.
template <class P, class E>
KNEAD_INLINE auto load_lanes_at(const E* data, const int* index) {
  using Layout = pack_detail::Entry<E>;
  using T = const typename Layout::Scalar;
  return pack_detail::load_entries<P, E>(pack_detail::Indexed<Layout::size, T>{reinterpret_cast<T*>(data), index});
}
template <class P, class E>
KNEAD_INLINE void store_lanes_at(const typename pack_detail::Entry<E>::template With<P>& from, E* data,
                                 const int* index, int count = P::width) {
  using Layout = pack_detail::Entry<E>;
  using T = typename Layout::Scalar;
  const pack_detail::Indexed<Layout::size, T> row{reinterpret_cast<T*>(data), index};
  pack_detail::store_rows<Layout::size>(reinterpret_cast<const P*>(&from), row, count);
}
}  // namespace knead
