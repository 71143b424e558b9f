// The staggered grid on blocks of 64 cells: cell i has its centre at (i + 1/2) h, and face a of it, the lower one along
// axis a, at i h along that axis and in the middle of the others. A particle in reach of cell b and the two behind it
// along each axis has two weights on centres and three, one of them zero, on faces:
//
//   T(r) = prod max(0, 1 - |r_a| / h)                               Gerszewski 2014, Eqs. 3.10 to 3.12
//
// whose sums over all centres, and over all faces of an axis, are one.
#pragma once

#include "base/pack.h"
#include "grid/block_set.h"
#include "grid/bspline.h"

namespace knead {

template <int D>
struct CellPlace {
  using Layout = BlockLayout<D>;
  static constexpr int stride(int axis) {
    int s = 1;
    for (int a = axis + 1; a < D; ++a) s <<= Layout::shift;
    return s;
  }
  static constexpr int along(int cell, int axis) { return cell / stride(axis) & (Layout::side - 1); }
};

// The cell next to cell `cell` of block `block`, as block times 64 and place; -1 where its block is missing.
template <int D>
KNEAD_INLINE std::int64_t cell_beside(const BlockSet<D>& blocks, std::size_t block, int cell, int axis, bool up) {
  using Place = CellPlace<D>;
  constexpr int last = BlockLayout<D>::side - 1;
  const int at = Place::along(cell, axis), step = up ? Place::stride(axis) : -Place::stride(axis);
  if (at != (up ? last : 0)) return static_cast<std::int64_t>(block) * 64 + cell + step;
  const int other = blocks.beside(block, axis, up);
  return other < 0 ? -1 : static_cast<std::int64_t>(other) * 64 + cell - step * last;
}

// The weights of a particle along one axis, t cells behind the first centre in reach.
template <class T>
struct AxisWeights {
  T center[2];
  T face[3];
  AxisWeights() = default;
  KNEAD_INLINE explicit AxisWeights(T t) {
    center[0] = T(1) - t, center[1] = t;
    face[0] = std::max(T(0), T(0.5) - t), face[2] = std::max(T(0), t - T(0.5));
    face[1] = T(1) - face[0] - face[2];
  }
};

// The cells that the particles of one home block reach, as dense arrays: `side` and two more along each axis.
template <int D>
struct Reach {
  using Layout = BlockLayout<D>;
  static constexpr int side = Layout::side + 2;
  static constexpr int row = D == 3 ? 8 : 12;  // along the last axis, with room for four behind any place
  static constexpr int size = (D == 2 ? side : side * side) * row + 4;
  // Steps in memory along the axes.
  static constexpr int stride(int axis) {
    int s = axis == D - 1 ? 1 : row;
    for (int a = axis + 1; a < D - 1; ++a) s *= side;
    return s;
  }
  static constexpr int place(const Vec<int, D>& cell) {
    int at = 0;
    for (int a = 0; a < D; ++a) at += cell[a] * stride(a);
    return at;
  }
  // f(place here, which block around the home block, its place in it, how many) for each run of cells.
  template <class F>
  KNEAD_INLINE static void for_each_run(F&& f) {
    constexpr int lines = D == 2 ? side : side * side;
    for (int line = 0; line < lines; ++line) {
      Vec<int, D> cell{};
      if constexpr (D == 3) cell[0] = line / side, cell[1] = line % side;
      if constexpr (D == 2) cell[0] = line;
      for (const int first : {0, Layout::side}) {
        cell[D - 1] = first;
        Vec<int, D> block{};
        for (int a = 0; a < D; ++a) block[a] = cell[a] >> Layout::shift;
        f(place(cell), BlockSet<D>::place(block), Layout::node_index(cell), first == 0 ? Layout::side : 2);
      }
    }
  }
};

}  // namespace knead
