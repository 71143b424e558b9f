// Four neighbouring nodes of four scalars each as one value: a single register of 16 floats where there is one, several
// narrower ones elsewhere. And the weights of a row of nodes, as polynomials in the particle's place.
#pragma once

#include "base/pack.h"
#include "base/sym.h"
#include "grid/block_grid.h"
#include "grid/lane.h"

#include <array>
#include <utility>

namespace knead {

template <class T>
struct NodeRow {
  static constexpr int lanes = 16;
  using P = Pack<T, std::min(lanes, native_width<T>)>;
  static constexpr int parts = lanes / P::width;
  P part[parts];

  NodeRow() = default;
  // Register by register: the compiler's own copy goes by 16 bytes, which a wider load must then wait for.
  KNEAD_INLINE NodeRow(const NodeRow& other) { *this = other; }
  // NOLINTNEXTLINE(bugprone-unhandled-self-assignment): a part that is written over itself stays what it is
  KNEAD_INLINE NodeRow& operator=(const NodeRow& other) {
    each([&](auto i) { part[i] = other.part[i]; });
    return *this;
  }
  KNEAD_INLINE explicit NodeRow(T all) {
    const P same(all);
    each([&](auto i) { part[i] = same; });
  }
  KNEAD_INLINE static NodeRow load(const T* from) {
    return make([&](auto i) { return P::load(from + i * P::width); });
  }
  KNEAD_INLINE void store(T* to) const {
    each([&](auto i) { part[i].store(to + i * P::width); });
  }
  // The same four scalars in every node.
  KNEAD_INLINE static NodeRow repeat(const Lane<T>& four) {
    NodeRow r;
    typedef T Register __attribute__((vector_size(P::width * sizeof(T))));
    using Simd = typename P::Simd;
#if defined(__AVX512F__)
    if constexpr (P::width == 16) {
      r.part[0] = std::bit_cast<Simd>(_mm512_maskz_broadcast_f32x4(0xffff, std::bit_cast<__m128>(four)));
      return r;
    }
#endif
    if constexpr (P::width == 8) {
      const P both = std::bit_cast<Simd>(Register(__builtin_shufflevector(four, four, 0, 1, 2, 3, 0, 1, 2, 3)));
      each([&](auto i) { r.part[i] = both; });
    } else if constexpr (P::width == 4) {
      each([&](auto i) { r.part[i] = std::bit_cast<Simd>(Register(four)); });
    } else {
      for (int i = 0; i < parts; ++i)
        for (int k = 0; k < P::width; ++k) r.part[i].set(k, four[(i * P::width + k) % 4]);
    }
    return r;
  }

  // Lane k is from[index[k]], or 0 where the index is -1. Whole registers are read, up to 16 scalars from the first.
  template <std::array<int, lanes> index>
  KNEAD_INLINE static NodeRow pick(const T* from) {
    NodeRow r;
    pick_parts<index>(from, r, std::make_integer_sequence<int, parts>{});
    return r;
  }
  // The four scalars of node k in every node.
  template <int k>
  KNEAD_INLINE NodeRow repeat_node() const {
    NodeRow r;
    if constexpr (P::width >= 4) {
      constexpr auto same = [] {
        std::array<int, lanes> index{};
        for (int j = 0; j < lanes; ++j) index[static_cast<std::size_t>(j)] = (4 * k + j % 4) % P::width;
        return index;
      }();
      const P all = shuffled<same, 0, 0>(part[4 * k / P::width]);
      each([&](auto i) { r.part[i] = all; });
    } else {
      each([&](auto i) { r.part[i] = part[4 / P::width * k + i % (4 / P::width)]; });
    }
    return r;
  }

  friend KNEAD_INLINE NodeRow operator+(const NodeRow& a, const NodeRow& b) {
    return make([&](auto i) { return a.part[i] + b.part[i]; });
  }
  friend KNEAD_INLINE NodeRow operator-(const NodeRow& a, const NodeRow& b) {
    return make([&](auto i) { return a.part[i] - b.part[i]; });
  }
  friend KNEAD_INLINE NodeRow operator*(const NodeRow& a, const NodeRow& b) {
    return make([&](auto i) { return a.part[i] * b.part[i]; });
  }
  // a * b + c
  friend KNEAD_INLINE NodeRow fma(const NodeRow& a, const NodeRow& b, const NodeRow& c) {
    return make([&](auto i) { return fma(a.part[i], b.part[i], c.part[i]); });
  }

 private:
  // f(i) for every part. Not a loop: the compiler would keep in memory what it unrolls late.
  template <class F>
  KNEAD_INLINE static void each(F&& f) {
    [&]<int... i>(std::integer_sequence<int, i...>) __attribute__((always_inline)) {
      (f(std::integral_constant<int, i>{}), ...);
    }
    (std::make_integer_sequence<int, parts>{});
  }
  template <class F>
  KNEAD_INLINE static NodeRow make(F&& f) {
    NodeRow r;
    each([&](auto i) { r.part[i] = f(i); });
    return r;
  }

  // Lane k of the result is lane index[begin + k] - offset of a.
  template <std::array<int, lanes> index, std::size_t begin, int offset>
  KNEAD_INLINE static P shuffled(const P& a) {
    typedef T Register __attribute__((vector_size(P::width * sizeof(T))));
    const auto from = std::bit_cast<Register>(a.v);
    return [&]<std::size_t... k>(std::index_sequence<k...>) __attribute__((always_inline)) {
      return P(std::bit_cast<typename P::Simd>(
          Register(__builtin_shufflevector(from, from, (index[begin + k] - offset)...))));
    }
    (std::make_index_sequence<P::width>{});
  }
  template <std::array<int, lanes> index, int part_number>
  KNEAD_INLINE static P pick_part(const T* from) {
    constexpr std::size_t begin = part_number * P::width, end = begin + P::width;
    constexpr auto ends = [] {
      int least = lanes, most = 0;
      bool all = true;
      for (std::size_t k = begin; k < end; ++k) {
        const int i = index[k];
        if (i < 0) all = false;
        if (i >= 0) least = std::min(least, i), most = std::max(most, i);
      }
      return std::array<int, 3>{least, most, all};
    }();
    constexpr int least = ends[0], most = ends[1];
    if constexpr (least > most) {
      return P(T(0));
    } else if constexpr (most - least < P::width) {
      constexpr auto sound = [] {
        std::array<int, lanes> i = index;
        for (int& k : i) k = k < 0 ? least : k;
        return i;
      }();
      const P picked = shuffled<sound, begin, least>(P::load(from + least));
      return ends[2] ? picked : only<index, begin>(picked);
    } else {
      T lane_values[P::width];
      for (std::size_t k = 0; k < P::width; ++k) {
        const int i = index[begin + k];
        lane_values[k] = i < 0 ? T(0) : from[i];
      }
      return P::load(lane_values);
    }
  }
  // 0 in the lanes whose index is -1.
  template <std::array<int, lanes> index, std::size_t begin>
  KNEAD_INLINE static P only(const P& a) {
    using Integer = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
    typedef Integer Bits __attribute__((vector_size(P::width * sizeof(T))));
    Bits keep;
    for (std::size_t k = 0; k < P::width; ++k) keep[k] = index[begin + k] < 0 ? 0 : -1;
    return std::bit_cast<typename P::Simd>(std::bit_cast<Bits>(a.v) & keep);
  }
  template <std::array<int, lanes> index, int... i>
  KNEAD_INLINE static void pick_parts(const T* from, NodeRow& r, std::integer_sequence<int, i...>) {
    ((r.part[i] = pick_part<index, i>(from)), ...);
  }
};

// The lanes of a matrix as memory holds it: node k gets column k, and 0 where there is no such entry.
template <int D>
inline constexpr std::array<int, 16> matrix_lanes = [] {
  std::array<int, 16> index{};
  for (int k = 0; k < 16; ++k) index[static_cast<std::size_t>(k)] = k % 4 < D && k / 4 < D ? k % 4 * D + k / 4 : -1;
  return index;
}();
template <int D>
inline constexpr std::array<int, 16> sym_lanes = [] {
  std::array<int, 16> index{};
  for (int k = 0; k < 16; ++k)
    index[static_cast<std::size_t>(k)] = k % 4 < D && k / 4 < D ? sym_index<D>(k % 4, k / 4) : -1;
  return index;
}();

// A B-spline's weights on the nodes of a row, each over the four scalars of its node, as polynomials in the particle's
// offset g from the middle of its cell, -1/2 <= g < 1/2: small coefficients, so that little is lost by cancellation.
// Nodes that a spline does not reach have the weight 0.
template <class T, int degree>
class RowWeights {
 public:
  static constexpr T middle = T(degree) / T(2);  // of the cell, in cells from the stencil's first node

  RowWeights() {
    constexpr auto c = coefficients();
    for (int n = 0; n <= degree; ++n) {
      T lanes[16];
      for (int k = 0; k < 16; ++k) lanes[k] = T(c[static_cast<std::size_t>(n)][static_cast<std::size_t>(k / 4)]);
      c_[n] = NodeRow<T>::load(lanes);
    }
  }
  KNEAD_INLINE NodeRow<T> w(const NodeRow<T>& g) const {
    NodeRow<T> r = c_[degree];
#pragma GCC unroll 4
    for (int n = degree - 1; n >= 0; --n) r = fma(r, g, c_[n]);
    return r;
  }
  // The derivative.
  KNEAD_INLINE NodeRow<T> dw(const NodeRow<T>& g) const {
    NodeRow<T> r = c_[degree] * NodeRow<T>(T(degree));
#pragma GCC unroll 4
    for (int n = degree - 1; n >= 1; --n) r = fma(r, g, c_[n] * NodeRow<T>(T(n)));
    return r;
  }

 private:
  // Of g^n for node k: (BSpline1 expanded about the middle of the cell.)
  static constexpr std::array<std::array<double, 4>, 4> coefficients() {
    if constexpr (degree == 1)
      return {{{0.5, 0.5, 0, 0}, {-1, 1, 0, 0}, {}, {}}};
    else if constexpr (degree == 2)
      return {{{0.125, 0.75, 0.125, 0}, {-0.5, 0, 0.5, 0}, {0.5, -1, 0.5, 0}, {}}};
    else
      return {{{1. / 48, 23. / 48, 23. / 48, 1. / 48},
               {-0.125, -0.625, 0.625, 0.125},
               {0.25, -0.25, -0.25, 0.25},
               {-1. / 6, 0.5, -0.5, 1. / 6}}};
  }
  NodeRow<T> c_[degree + 1];
};

}  // namespace knead
