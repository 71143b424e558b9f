// Sixteen cells of a block at a time, and their neighbours along an axis: how fields on blocks of 64 are worked on with
// vector instructions, whatever the machine has.
#pragma once

#include "grid/blocks.h"

#include <cstring>
#include <utility>

namespace knead {

// For lambdas: they are not inlined by themselves where they are long.
#define KNEAD_INLINED __attribute__((always_inline))

// Cells 16 k to 16 k + 15 of a block, as whole vectors of 64 bytes: one of floats, two of doubles.
template <class T>
struct Slab {
  static constexpr int cells = 16, width = 64 / static_cast<int>(sizeof(T)), pieces = cells / width;
  typedef T Vector __attribute__((vector_size(64)));
  Vector v[pieces];

  KNEAD_INLINE static Slab load(const T* from) {
    Slab s;
    std::memcpy(&s, from, sizeof s);
    return s;
  }
  KNEAD_INLINE static Slab all(T value) {
    Slab s;
    for (int p = 0; p < pieces; ++p) s.v[p] = value - Vector{};
    return s;
  }
  KNEAD_INLINE void store(T* to) const { std::memcpy(to, this, sizeof *this); }

  template <class F>
  KNEAD_INLINE static Slab map(F&& f) {
    Slab s;
    for (int p = 0; p < pieces; ++p) s.v[p] = f(p);
    return s;
  }
  friend KNEAD_INLINE Slab operator+(const Slab& a, const Slab& b) {
    return map([&](int p) KNEAD_INLINED { return a.v[p] + b.v[p]; });
  }
  friend KNEAD_INLINE Slab operator-(const Slab& a, const Slab& b) {
    return map([&](int p) KNEAD_INLINED { return a.v[p] - b.v[p]; });
  }
  friend KNEAD_INLINE Slab operator*(const Slab& a, const Slab& b) {
    return map([&](int p) KNEAD_INLINED { return a.v[p] * b.v[p]; });
  }
  friend KNEAD_INLINE Slab operator*(T a, const Slab& b) {
    return map([&](int p) KNEAD_INLINED { return a * b.v[p]; });
  }
  friend KNEAD_INLINE Slab max(const Slab& a, const Slab& b) {
    return map([&](int p) KNEAD_INLINED { return a.v[p] > b.v[p] ? a.v[p] : b.v[p]; });
  }
  friend KNEAD_INLINE Slab abs(const Slab& a) {
    return map([&](int p) KNEAD_INLINED { return a.v[p] < 0 ? -a.v[p] : a.v[p]; });
  }
  // a where c > 0, else 0
  friend KNEAD_INLINE Slab where_positive(const Slab& c, const Slab& a) {
    return map([&](int p) KNEAD_INLINED { return c.v[p] > 0 ? a.v[p] : Vector{}; });
  }
  // a / c where c > 0, else `otherwise`
  friend KNEAD_INLINE Slab quotient_where_positive(const Slab& a, const Slab& c, T otherwise) {
    return map([&](int p) KNEAD_INLINED { return c.v[p] > 0 ? a.v[p] / c.v[p] : otherwise - Vector{}; });
  }
  // In a fixed order.
  KNEAD_INLINE T sum() const {
    return fold([](T a, T b) KNEAD_INLINED { return a + b; });
  }
  KNEAD_INLINE T largest() const {
    return fold([](T a, T b) KNEAD_INLINED { return a < b ? b : a; });
  }

 private:
  template <class F>
  KNEAD_INLINE T fold(F&& f) const {
    alignas(64) T lane[cells];
    store(lane);
    for (int half = cells / 2; half > 0; half /= 2)
      for (int i = 0; i < half; ++i) lane[i] = f(lane[i], lane[i + half]);
    return lane[0];
  }
};

KNEAD_INLINE Slab<double> widened(const Slab<float>& a) {
  const auto low = __builtin_shufflevector(a.v[0], a.v[0], 0, 1, 2, 3, 4, 5, 6, 7);
  const auto high = __builtin_shufflevector(a.v[0], a.v[0], 8, 9, 10, 11, 12, 13, 14, 15);
  using Vector = Slab<double>::Vector;
  return {{__builtin_convertvector(low, Vector), __builtin_convertvector(high, Vector)}};
}

namespace slab_detail {

// Where the neighbour of a slab's cell is found: 0 to 15 in the slab itself, from 16 on in the other one that it meets.
template <int D, int axis, bool up>
struct Way {
  static constexpr int side = BlockLayout<D>::side;
  static constexpr int stride() {
    int s = 1;
    for (int a = axis + 1; a < D; ++a) s *= side;
    return s;
  }
  static constexpr bool through_slabs = stride() * side > 16;  // the other one is the next of this block, if there is
  static constexpr int source(int cell) {
    const int wrap = through_slabs ? 16 : stride() * side, at = cell % wrap;
    if (up) return at + stride() < wrap ? cell + stride() : 16 + cell + stride() - wrap;
    return at >= stride() ? cell - stride() : 16 + cell - stride() + wrap;
  }
};

// Piece p of the slab whose cells are at Way::source: it is made of at most two pieces.
template <class T, class Way, int p, int... lane>
KNEAD_INLINE typename Slab<T>::Vector piece(const Slab<T>& own, const Slab<T>& other,
                                            std::integer_sequence<int, lane...>) {
  constexpr int width = Slab<T>::width;
  constexpr int first = Way::source(p * width) / width, last = Way::source(p * width + width - 1) / width;
  static_assert(
      ((Way::source(p * width + lane) / width == first || Way::source(p * width + lane) / width == last) && ...));
  const auto& a = first < Slab<T>::pieces ? own.v[first % Slab<T>::pieces] : other.v[first % Slab<T>::pieces];
  const auto& b = last < Slab<T>::pieces ? own.v[last % Slab<T>::pieces] : other.v[last % Slab<T>::pieces];
  return __builtin_shufflevector(
      a, b, (Way::source(p * width + lane) % width + (Way::source(p * width + lane) / width == first ? 0 : width))...);
}

}  // namespace slab_detail

// The values of the next cells along an axis, upwards or downwards, of those in slab k of a block; `beside` is the
// block on that side.
template <int D, int axis, bool up, class T>
KNEAD_INLINE Slab<T> neighbour(const T* block, const T* beside, int k) {
  using Way = slab_detail::Way<D, axis, up>;
  const T* other = beside + 16 * k;
  if constexpr (Way::through_slabs) {
    const int next = up ? k + 1 : k - 1;
    other = next >= 0 && next < 4 ? block + 16 * next : beside + 16 * (next & 3);
  }
  const Slab<T> own = Slab<T>::load(block + 16 * k), far = Slab<T>::load(other);
  constexpr auto lanes = std::make_integer_sequence<int, Slab<T>::width>();
  Slab<T> s;
  s.v[0] = slab_detail::piece<T, Way, 0>(own, far, lanes);
  if constexpr (Slab<T>::pieces == 2) s.v[1] = slab_detail::piece<T, Way, 1>(own, far, lanes);
  return s;
}

// f(axis, up) for every face of a cell, both as constants.
template <int D, class F>
KNEAD_INLINE void for_each_side(F&& f) {
  f(std::integral_constant<int, 0>(), std::false_type());
  f(std::integral_constant<int, 0>(), std::true_type());
  f(std::integral_constant<int, 1>(), std::false_type());
  f(std::integral_constant<int, 1>(), std::true_type());
  if constexpr (D == 3) {
    f(std::integral_constant<int, 2>(), std::false_type());
    f(std::integral_constant<int, 2>(), std::true_type());
  }
}
// f(k) for the four slabs of a block, likewise.
template <class F>
KNEAD_INLINE void for_each_slab(F&& f) {
  f(std::integral_constant<int, 0>());
  f(std::integral_constant<int, 1>());
  f(std::integral_constant<int, 2>());
  f(std::integral_constant<int, 3>());
}

}  // namespace knead
