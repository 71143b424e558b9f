// A particle's stencil inside the arena of its home block: where it starts, its weights along each axis, and the
// particle's place in it.
#pragma once

#include "grid/block_grid.h"
#include "grid/lane.h"

namespace knead {

template <class T, int D, int degree>
struct Stencil {
  static constexpr int width = degree + 1;
  static constexpr int rows = D == 2 ? width : width * width;  // runs of nodes along the last axis

  BSpline1<degree, T> axis[D];
  Vec<T, D> f;  // the particle's position in cells, counted from the stencil's first node
  int corner;   // arena index of the first node

  Stencil() = default;
  Stencil(const Vec<T, D>& x, T inverse_dx, const Vec<int, D>& arena_origin) {
    Vec<int, D> offset{};
    for (int a = 0; a < D; ++a) {
      const T cells = x[a] * inverse_dx;
      // The sort put the particle into this block, but a compiler may round x/dx differently here and there: a particle
      // within a rounding error of the block's face stays in the block, where the splines are continuous.
      offset[a] = std::clamp(stencil_base<degree>(cells) - arena_origin[a], 0, BlockLayout<D>::side - 1);
      f[a] = cells - T(arena_origin[a] + offset[a]);
      axis[a] = BSpline1<degree, T>(f[a]);
    }
    corner = Arena<T, D, degree>::index(offset);
  }

  // f(arena index of the row's first node, i, j): the row's place along the first axes (j is 0 in 2D).
  template <class F>
  void for_each_row(F&& row) const {
    constexpr int side = Arena<T, D, degree>::side;
    if constexpr (D == 2) {
#pragma GCC unroll 4
      for (int i = 0; i < width; ++i) row(corner + i * side, i, 0);
    } else {
#pragma GCC unroll 4
      for (int i = 0; i < width; ++i)
#pragma GCC unroll 4
        for (int j = 0; j < width; ++j) row(corner + (i * side + j) * side, i, j);
    }
  }
};

}  // namespace knead
