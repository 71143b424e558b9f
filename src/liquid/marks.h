// Sets of cells as bits, 64 a block, and their neighbours by shifts.
#pragma once

#include "liquid/staggered.h"

#include <vector>

namespace knead {

using Marks = std::vector<std::uint64_t>;

// The cells of a block at its lower, or upper, end along each axis.
template <int D>
struct EndCells {
  std::uint64_t of[D][2]{};
  constexpr EndCells() {
    for (int axis = 0; axis < D; ++axis)
      for (int c = 0; c < 64; ++c) {
        const int along = CellPlace<D>::along(c, axis);
        if (along == 0) of[axis][0] |= std::uint64_t(1) << c;
        if (along == BlockLayout<D>::side - 1) of[axis][1] |= std::uint64_t(1) << c;
      }
  }
};
template <int D>
inline constexpr EndCells<D> end_cells{};

// The cells of a block whose neighbour along an axis, upwards or downwards, is in the set.
template <int D>
std::uint64_t cells_beside(const BlockSet<D>& blocks, const Marks& set, std::size_t block, int axis, bool up) {
  const std::uint64_t end = end_cells<D>.of[axis][up], other_end = end_cells<D>.of[axis][!up];
  const int stride = CellPlace<D>::stride(axis), across = stride * (BlockLayout<D>::side - 1);
  const int other = blocks.beside(block, axis, up);
  const std::uint64_t here = set[block] & ~other_end,
                      there = other < 0 ? 0 : set[static_cast<std::size_t>(other)] & other_end;
  return up ? here >> stride | (there << across & end) : here << stride | (there >> across & end);
}

// Those with any neighbour in it.
template <int D>
std::uint64_t cells_around(const BlockSet<D>& blocks, const Marks& set, std::size_t block) {
  std::uint64_t around = 0;
  for (int a = 0; a < D; ++a)
    around |= cells_beside(blocks, set, block, a, false) | cells_beside(blocks, set, block, a, true);
  return around;
}

// f(cell) for each cell of a block's part of a set.
template <class F>
KNEAD_INLINE void for_each_mark(std::uint64_t cells, F&& f) {
  for (; cells; cells &= cells - 1) f(std::countr_zero(cells));
}

}  // namespace knead
