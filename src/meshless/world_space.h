// Bonds of matter that remembers no shape: all particles of a group that are near each other now. Three sums over them,
// for W neighbours at a time:
//
//   moments    sum w x x^T with weights by present and by pulled-back distance, and the density
//   forces     elastic, pressure, viscous
//   gradient   sum w y x^T over the motion x -> y of a step
//
// (Gerszewski 2014, Eqs. 4.1 to 4.11; Mueller 2004, section 4.2). Lists hold a skin more than they need and stay until
// somebody has moved through half of it.
#pragma once

#include "base/pack_memory.h"
#include "base/sym.h"
#include "meshless/kernels.h"
#include "meshless/neighbours.h"

namespace knead {

// Neighbours now, padded with the particle itself to whole packs: itself is at distance 0 and adds nothing.
template <class T, int D>
class WorldSpace {
 public:
  using P = Pack<T>;
  // The lists for particles at `x`, within `radius` and the skin.
  template <class Wanted>
  void build(std::span<const Vec<T, D>> x, T radius, Wanted&& wanted) {
    const T reach[1] = {radius};
    find_neighbours<T, D>(x, std::span<const T>(reach), cells_, lists_, wanted);
    const std::size_t n = x.size();
    first_.resize(n + 1);
    first_[0] = 0;
    for (std::size_t i = 0; i < n; ++i)
      first_[i + 1] = first_[i] + (static_cast<std::int64_t>(lists_.of(i).size()) + P::width - 1) / P::width * P::width;
    padded_.resize(static_cast<std::size_t>(first_[n]));
    parallel_for(n, 1024, [&](std::size_t i) {
      const std::span<const int> list = lists_.of(i);
      int* to = padded_.data() + first_[i];
      std::copy(list.begin(), list.end(), to);
      std::fill(to + list.size(), padded_.data() + first_[i + 1], static_cast<int>(i));
    });
  }
  bool empty() const { return first_.empty(); }
  void clear() { first_.clear(); }
  std::span<const int> list(std::size_t i) const { return lists_.of(i); }
  // f(W numbers of neighbours) for all of them.
  template <class F>
  KNEAD_INLINE void for_each_pack(std::size_t i, F&& f) const {
    for (std::int64_t k = first_[i]; k < first_[i + 1]; k += P::width) f(padded_.data() + k);
  }
  std::size_t bytes() const { return (padded_.size() + lists_.other.size()) * sizeof(int); }

 private:
  Cells<T, D> cells_;
  Lists lists_;
  std::vector<std::int64_t> first_;
  std::vector<int> padded_;
};

// What a particle shows its neighbours in the sum of forces: with r = x^T S x, the force w(r) H x, and its pressure
// m p / rho^2.
template <class T, int D>
using Carrier = Vec<T, D * D + D*(D + 1) / 2 + 1>;

template <class T, int W>
KNEAD_INLINE T sum_of_lanes(const Pack<T, W>& a) {
  T s = a[0];
  for (int lane = 1; lane < W; ++lane) s += a[lane];
  return s;
}

// x^T S x
template <class P, int D>
KNEAD_INLINE P squared_length(const Vec<P, D*(D + 1) / 2>& S, const Vec<P, D>& x) {
  return dot(x, sym_times<P, D>(S, x));
}
template <class P, int D>
KNEAD_INLINE void add_outer(Sym<P, D>& to, const Vec<P, D>& x, const P& w) {
  for (int r = 0; r < D; ++r)
    for (int c = r; c < D; ++c) to[sym_index<D>(r, c)] = fma(w * x[r], x[c], to[sym_index<D>(r, c)]);
}
template <class P, int N>
KNEAD_INLINE auto sums_of_lanes(const Vec<P, N>& a) {
  Vec<typename P::Scalar, N> s{};
  for (int i = 0; i < N; ++i) s[i] = sum_of_lanes(a[i]);
  return s;
}
template <class P, class T, int N>
KNEAD_INLINE Vec<P, N> spread(const Vec<T, N>& a) {
  Vec<P, N> s{};
  for (int i = 0; i < N; ++i) s[i] = P(a[i]);
  return s;
}

}  // namespace knead
