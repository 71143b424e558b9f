// Packs from and to arrays of scalars, vectors and matrices: lane i is entry i of the array. A last, partly filled pack
// repeats its last entry, so that every lane holds something sound; only the first `count` lanes are stored.
#pragma once

#include "base/mat.h"
#include "base/pack.h"

#include <cstddef>

namespace knead {
namespace pack_detail {

// N scalars an entry, entry i of the pack at data + i * N.
template <int N, class T, int W>
KNEAD_INLINE void load_lanes(Pack<T, W>* out, const T* data, int count) {
  alignas(64) T lanes[N][W];
  for (int i = 0; i < W; ++i) {
    const T* entry = data + static_cast<std::size_t>(i < count ? i : count - 1) * N;
    for (int k = 0; k < N; ++k) lanes[k][i] = entry[k];
  }
  for (int k = 0; k < N; ++k) out[k] = Pack<T, W>::load(lanes[k]);
}
template <int N, class T, int W>
KNEAD_INLINE void store_lanes(const Pack<T, W>* in, T* data, int count) {
  alignas(64) T lanes[N][W];
  for (int k = 0; k < N; ++k) in[k].store(lanes[k]);
  for (int i = 0; i < count; ++i) {
    T* entry = data + static_cast<std::size_t>(i) * N;
    for (int k = 0; k < N; ++k) entry[k] = lanes[k][i];
  }
}

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

}  // namespace pack_detail

// Entries first[0], ..., first[count - 1], 1 <= count <= W: load_lanes<Pack<float>>(F + begin, count).
template <class P, class E>
KNEAD_INLINE auto load_lanes(const E* first, int count = P::width) {
  using pack_detail::Entry;
  typename Entry<E>::template With<P> result;
  pack_detail::load_lanes<Entry<E>::size>(reinterpret_cast<P*>(&result),
                                          reinterpret_cast<const typename Entry<E>::Scalar*>(first), count);
  return result;
}
template <class P, class E>
KNEAD_INLINE void store_lanes(const typename pack_detail::Entry<E>::template With<P>& from, E* first,
                              int count = P::width) {
  using pack_detail::Entry;
  pack_detail::store_lanes<Entry<E>::size>(reinterpret_cast<const P*>(&from),
                                           reinterpret_cast<typename Entry<E>::Scalar*>(first), count);
}
}  // namespace knead
