// What the levels of multigrid do to a block of 64 cells at a time: joining it with its neighbours into a coarser one,
// and sums over faces. Internal to multigrid.cpp.
#pragma once

#include "base/pack.h"
#include "liquid/block_field.h"
#include "liquid/slab.h"

#include <cstring>

namespace knead {

using Floats = Slab<float>;

// Cells are joined in pairs along each axis, so a block becomes a part of the parent's block: 2^D-th of its cells, in
// runs along the last axis.
template <int D>
struct Join {
  static constexpr int side = BlockLayout<D>::side, run = side / 2, cells = 64 >> D, runs = cells / run;
  static constexpr int offset(int octant, int j) {
    Vec<int, D> first{};
    for (int a = 0; a < D; ++a) first[a] = (octant >> (D - 1 - a) & 1) * run;
    for (int a = D - 2, rest = j; a >= 0; --a, rest /= run) first[a] += rest % run;
    return BlockLayout<D>::node_index(first);
  }
  KNEAD_INLINE static void store(const Floats& part, float* parent, int octant) {
    alignas(64) float values[16];
    part.store(values);
    for (int j = 0; j < runs; ++j) std::memcpy(parent + offset(octant, j), values + run * j, run * sizeof(float));
  }
  KNEAD_INLINE static Floats load(const float* parent, int octant) {
    alignas(64) float values[16] = {};
    for (int j = 0; j < runs; ++j) std::memcpy(values + run * j, parent + offset(octant, j), run * sizeof(float));
    return Floats::load(values);
  }
  // The sums over the joined cells of a block, in the first lanes, and the largest values.
  KNEAD_INLINE static Floats sum(const Floats (&s)[4]) {
    return fold(s, [](const auto& a, const auto& b) KNEAD_INLINED { return a + b; });
  }
  KNEAD_INLINE static Floats largest(const Floats (&s)[4]) {
    return fold(s, [](const auto& a, const auto& b) KNEAD_INLINED { return a > b ? a : b; });
  }
  // The values of the joined cells at the cells of slab k.
  template <int k>
  KNEAD_INLINE static Floats copy(const Floats& p) {
    const auto v = p.v[0];
    if constexpr (D == 3) {
      constexpr int o = k / 2 * 4;
      return {{__builtin_shufflevector(v, v, o, o, o + 1, o + 1, o, o, o + 1, o + 1, o + 2, o + 2, o + 3, o + 3, o + 2,
                                       o + 2, o + 3, o + 3)}};
    } else {
      constexpr int o = k * 4;
      return {{__builtin_shufflevector(v, v, o, o, o + 1, o + 1, o + 2, o + 2, o + 3, o + 3, o, o, o + 1, o + 1, o + 2,
                                       o + 2, o + 3, o + 3)}};
    }
  }

 private:
  template <class Both>
  KNEAD_INLINE static Floats fold(const Floats (&s)[4], Both&& both) {
    if constexpr (D == 3) {
      const auto a = both(s[0].v[0], s[1].v[0]), b = both(s[2].v[0], s[3].v[0]);
      const auto pairs = both(__builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30),
                              __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31));
      return {{both(__builtin_shufflevector(pairs, pairs, 0, 1, 4, 5, 8, 9, 12, 13, 0, 1, 4, 5, 8, 9, 12, 13),
                    __builtin_shufflevector(pairs, pairs, 2, 3, 6, 7, 10, 11, 14, 15, 2, 3, 6, 7, 10, 11, 14, 15))}};
    } else {
      const auto rows = [&](const Floats& a, const Floats& b) KNEAD_INLINED {
        return both(
            __builtin_shufflevector(a.v[0], b.v[0], 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23),
            __builtin_shufflevector(a.v[0], b.v[0], 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31));
      };
      const auto a = rows(s[0], s[1]), b = rows(s[2], s[3]);
      return {{both(__builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30),
                    __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31))}};
    }
  }
};

// 1 where a cell's coordinate is odd: its lower face lies within the joined cell.
template <int D>
struct Odd {
  alignas(64) float at[D][64];
  constexpr Odd() : at() {
    for (int a = 0; a < D; ++a)
      for (int c = 0; c < 64; ++c) at[a][c] = static_cast<float>(BlockLayout<D>::node_offset(c)[a] & 1);
  }
};
template <int D>
constexpr Odd<D> odd{};
// 1 in the first layer of a block along an axis.
template <int D>
struct FirstLayer {
  alignas(64) float at[D][64];
  constexpr FirstLayer() : at() {
    for (int a = 0; a < D; ++a)
      for (int c = 0; c < 64; ++c) at[a][c] = BlockLayout<D>::node_offset(c)[a] == 0 ? 1.0f : 0.0f;
  }
};
template <int D>
constexpr FirstLayer<D> first_layer{};

// The bits of slab k as numbers 0 and 1.
KNEAD_INLINE Floats ones_of(std::uint64_t bits, int k) {
  typedef int Ints __attribute__((vector_size(64)));
  constexpr Ints lane = {1 << 0, 1 << 1, 1 << 2,  1 << 3,  1 << 4,  1 << 5,  1 << 6,  1 << 7,
                         1 << 8, 1 << 9, 1 << 10, 1 << 11, 1 << 12, 1 << 13, 1 << 14, 1 << 15};
  const Ints set = (static_cast<int>(bits >> (16 * k) & 0xffff) - Ints{}) & lane;
  return {{set != 0 ? 1 - Floats::Vector{} : Floats::Vector{}}};
}
// a^-1/2, 0 where a is not positive.
KNEAD_INLINE Floats root_of_inverse(const Floats& a) {
  alignas(64) float values[16];
  max(a, Floats::all(1e-30f)).store(values);
  (Pack<float, 16>(1) / sqrt(Pack<float, 16>::load(values))).store(values);
  return where_positive(a, Floats::load(values));
}

// Sum over the faces of c_f times the value beyond, for slab k of a block: A^ x = x - around(x).
template <int D, bool even, class Level>
KNEAD_INLINE Floats around(const Level& level, std::size_t b, const BlockField<float>& x, int k) {
  const auto& beside = level.beside[b];
  Floats sum = Floats::all(0);
  for_each_side<D>([&](auto axis, auto up) KNEAD_INLINED {
    const std::size_t there = beside[2 * axis() + up()];
    const Floats value = neighbour<D, axis(), up()>(x.block(b), x.block(there), k);
    if constexpr (even) {
      sum = sum + value;
    } else {
      const BlockField<float>& c = level.couple[axis()];
      if constexpr (up())
        sum = sum + neighbour<D, axis(), true>(c.block(b), c.block(there), k) * value;
      else
        sum = sum + Floats::load(c.block(b) + 16 * k) * value;
    }
  });
  if constexpr (even) return (1.0f / (2 * D)) * sum;
  return sum;
}
// use(k, around) for the slabs of a block.
template <int D, class Level, class Use>
KNEAD_INLINE void for_around(const Level& level, std::size_t b, const BlockField<float>& x, Use&& use) {
  if (level.even[b])
    for_each_slab([&](auto k) KNEAD_INLINED { use(k, around<D, true>(level, b, x, k)); });
  else
    for_each_slab([&](auto k) KNEAD_INLINED { use(k, around<D, false>(level, b, x, k)); });
}

}  // namespace knead
