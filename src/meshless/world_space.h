// Bonds of matter that remembers no shape: all particles of a group that are near each other now. Three sums over them,
// for W particles at a time, each with its own neighbour:
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

// Neighbours now.
template <class T, int D>
class WorldSpace {
 public:
  // The lists for particles at `x`, within `radius` and the skin.
  template <class Wanted>
  void build(std::span<const Vec<T, D>> x, T radius, Wanted&& wanted) {
    const T reach[1] = {radius};
    find_neighbours<T, D>(x, std::span<const T>(reach), cells_, lists_, wanted, ListOrder::by_cell);
    built_ = true;
  }
  bool empty() const { return !built_; }
  void clear() { built_ = false; }
  std::span<const int> list(std::size_t i) const { return lists_.of(i); }
  const Lists& lists() const { return lists_; }
  std::size_t bytes() const { return lists_.other.size() * sizeof(int); }

 private:
  Cells<T, D> cells_;
  Lists lists_;
  bool built_ = false;
};

// The same lists for W particles that follow each other, turned round: the first neighbour of each, the second of each,
// and so on, as long as the longest; shorter lists are filled up with the particle itself, which is at distance 0. How
// many are filled up depends on W, so they must add exactly nothing.
template <class T>
class NeighbourSlices {
 public:
  using P = Pack<T>;
  void build(const Lists& lists) {
    const std::size_t n = lists.count(), slices = (n + P::width - 1) / P::width;
    first_.resize(slices + 1), length_.resize(n);
    first_[0] = 0;
    parallel_for(slices, 128, [&](std::size_t s) {
      std::size_t longest = 0;
      for (std::size_t i = s * P::width; i < std::min(n, (s + 1) * P::width); ++i) {
        longest = std::max(longest, lists.of(i).size());
        length_[i] = static_cast<T>(lists.of(i).size());
      }
      first_[s + 1] = static_cast<std::int64_t>(longest) * P::width;
    });
    prefix_sum(std::span(first_));
    other_.resize(static_cast<std::size_t>(first_[slices]));
    parallel_for(slices, 16, [&](std::size_t s) {
      const std::size_t longest = static_cast<std::size_t>(first_[s + 1] - first_[s]) / P::width;
      for (std::size_t lane = 0; lane < P::width; ++lane) {
        const std::size_t i = std::min(n - 1, s * P::width + lane);
        const std::span<const int> list = lists.of(i);
        int* to = other_.data() + first_[s] + lane;
        std::size_t k = 0;
        for (; k < list.size(); ++k) to[k * P::width] = list[k];
        for (; k < longest; ++k) to[k * P::width] = static_cast<int>(i);
      }
    });
  }
  // f(slice, its first particle, how many it has) for all slices.
  template <class F>
  void for_each_slice(F&& f) const {
    parallel_for(first_.size() - 1, 8, [&](std::size_t s) {
      const std::size_t first = s * P::width;
      f(s, first, static_cast<int>(std::min<std::size_t>(P::width, length_.size() - first)));
    });
  }
  // The numbers of the first neighbours of a slice's particles, of the second ones, and so on.
  struct Near {
    struct Iterator {
      const int* at;
      KNEAD_INLINE const int* operator*() const { return at; }
      KNEAD_INLINE Iterator& operator++() { return at += P::width, *this; }
      KNEAD_INLINE bool operator!=(const Iterator& o) const { return at != o.at; }
    };
    const int *first, *last;
    KNEAD_INLINE Iterator begin() const { return {first}; }
    KNEAD_INLINE Iterator end() const { return {last}; }
  };
  KNEAD_INLINE Near near(std::size_t slice) const {
    return {other_.data() + first_[slice], other_.data() + first_[slice + 1]};
  }
  // How many neighbours a particle has; those behind are itself.
  const T* length() const { return length_.data(); }
  std::size_t bytes() const { return other_.size() * sizeof(int); }

 private:
  std::vector<std::int64_t> first_;
  std::vector<int> other_;
  std::vector<T> length_;
};

// What a particle shows its neighbours in the sum of forces: with r = x^T S x, the force w(r) H x, and its pressure
// p / rho^2.
template <class T, int D>
using Carrier = Vec<T, D * D + D*(D + 1) / 2 + 1>;
// In memory no two share a cache line where one fills it.
template <class T, int D>
struct alignas(sizeof(Carrier<T, D>)) AlignedCarrier {
  Carrier<T, D> value;
};
// What a molten one shows, as melt.cpp orders it: the force w H x, pressure and more. All are 0 for a solid one.
template <class T, int D>
using MeltCarrier = Vec<T, D * D + 3>;

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
}  // namespace knead
