// Loops over particles a pack at a time.
#pragma once

#include "base/pack_memory.h"
#include "base/parallel.h"

#include <span>

namespace knead {

// f(first particle, how many) for the packs of [begin, end).
template <class P, class F>
KNEAD_INLINE void for_packs(std::size_t begin, std::size_t end, F&& f) {
  for (std::size_t at = begin; at < end; at += P::width)
    f(at, static_cast<int>(std::min<std::size_t>(end - at, P::width)));
}
// The same for [0, n), in chunks of `grain` particles.
template <class P, class F>
void parallel_packs(std::size_t n, std::size_t grain, F&& f) {
  parallel_chunks(n, grain, [&](std::size_t begin, std::size_t end) { for_packs<P>(begin, end, f); });
}

// The same entries elsewhere.
template <class E>
void copy_entries(std::span<const E> from, std::span<E> to) {
  parallel_chunks(from.size(), 4096, [&](std::size_t begin, std::size_t end) {
    std::copy(from.begin() + static_cast<std::ptrdiff_t>(begin), from.begin() + static_cast<std::ptrdiff_t>(end),
              to.begin() + static_cast<std::ptrdiff_t>(begin));
  });
}

// Scalars one behind the other: a full pack is a single load or store.
template <class P>
KNEAD_INLINE P load_scalars(const typename P::Scalar* first, int count) {
  return count == P::width ? P::load(first) : load_lanes<P>(first, count);
}
template <class P>
KNEAD_INLINE void store_scalars(const P& from, typename P::Scalar* first, int count) {
  if (count == P::width)
    from.store(first);
  else
    store_lanes<P>(from, first, count);
}

// The same vector or matrix in every lane.
template <class P, class T, int D>
KNEAD_INLINE Vec<P, D> spread(const Vec<T, D>& v) {
  Vec<P, D> all;
  for (int k = 0; k < D; ++k) all[k] = P(v[k]);
  return all;
}
template <class P, class T, int D>
KNEAD_INLINE Mat<P, D> spread(const Mat<T, D>& m) {
  Mat<P, D> all;
  for (int e = 0; e < D * D; ++e) all.e[e] = P(m.e[e]);
  return all;
}

// Of all lanes: those behind the last particle repeat it.
template <class T, int W>
KNEAD_INLINE T greatest(const Pack<T, W>& a) {
  return std::experimental::hmax(a.v);
}
template <class T, int W>
KNEAD_INLINE T least(const Pack<T, W>& a) {
  return std::experimental::hmin(a.v);
}

}  // namespace knead
