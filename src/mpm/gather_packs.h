// What particles read from the grid, a pack of particles at a time (Wang 2020, Eqs. 3.18-3.20; Fumoto, Eqs. 12 and 16).
//
// The particles of a block stand by cell (grid/block_sort.h). Those of a few neighbouring cells, a slab, read the same
// few rows of nodes: along each row offset of the stencil, the nodes that any of them wants lie side by side, so a
// component of these is loaded once and every lane picks its own by permutation (base/lookup.h).
#pragma once

#include "base/lookup.h"
#include "mpm/gather.h"

namespace knead {

// Cells of a slab, in the order of the block: as many as a lookup reaches. A quarter of the block where that is 32 nodes
// (in 3D one layer of 4 x 4 cells across the first axis, in 2D two rows of 8 cells), or four cells of a row.
template <class T>
inline constexpr int slab_cells = Lookup<T>::reach == 4 ? 4 : 16;

// The velocities of an arena by component: rows along the last axis, `pitch` apart.
template <class T, int D, int degree>
struct VelocityRows {
  using Layout = BlockLayout<D>;
  static constexpr int side = Layout::side + degree, rows = D == 2 ? side : side * side;
  static constexpr int pitch = D == 2 ? 16 : 8;  // room for the nodes of a row
  static_assert(side <= pitch);
  alignas(64) T component[D][rows * pitch];

  // Where the node at this offset is kept.
  static constexpr int place(const Vec<int, D>& offset) {
    return D == 2 ? offset[0] * pitch + offset[1] : (offset[0] * side + offset[1]) * pitch + offset[D - 1];
  }

  void take_from(const std::vector<Node<T, D>>& nodes, const typename BlockGrid<T, D>::Neighbours& blocks) {
    for (int r = 0; r < rows; ++r) {
      const ArenaRow<D, degree> at(r);
      const auto row_in = [&](int block) {
        return nodes.data() + std::size_t(blocks[block]) * Layout::nodes + at.in_block;
      };
      const Node<T, D>*first = row_in(at.block), *second = row_in(at.block + 1);
      for (int c = 0; c < D; ++c) {
        T* row = component[c] + r * pitch;
        for (int k = 0; k < Layout::side; ++k) row[k] = first[k].v[c];
        for (int k = 0; k < degree; ++k) row[Layout::side + k] = second[k].v[c];
        for (int k = side; k < pitch; ++k) row[k] = T(0);
      }
    }
  }
};

template <Transfer transfer, class T, int D, int degree>
using OldVelocityRows = std::conditional_t<transfer == Transfer::flip, VelocityRows<T, D, degree>, NoArena>;

// The stencils of a pack of particles in the arena of their block.
template <class T, int D, int degree>
struct PackStencil {
  using P = Pack<T>;
  BSpline1<degree, P> axis[D];
  Vec<P, D> f;          // positions in cells, counted from each stencil's first node
  P slab;               // which of the block's slabs
  PackIndex<T> corner;  // the first node, counted from that of the slab's first cell

  KNEAD_INLINE PackStencil(const Vec<P, D>& x, T inverse_dx, const Vec<int, D>& arena_origin) {
    Vec<P, D> offset;
    for (int a = 0; a < D; ++a) {
      // As in grid/stencil.h: rounding does not take a particle out of the block that the sort put it in.
      const P cells = x[a] * P(inverse_dx), origin = P(T(arena_origin[a]));
      offset[a] = clamp(first_node<degree>(cells) - origin, P(0), P(BlockLayout<D>::side - 1));
      f[a] = cells - (origin + offset[a]);
      axis[a] = BSpline1<degree, P>(f[a]);
    }
    constexpr int side = BlockLayout<D>::side, pitch = VelocityRows<T, D, degree>::pitch;
    P row = offset[0];  // of cells
    if constexpr (D == 3) row = row * P(side) + offset[1];
    slab = floor((row * P(side) + offset[D - 1]) * P(T(1) / slab_cells<T>));
    const P first_cell = slab * P(slab_cells<T>), first_row = floor(first_cell * P(T(1) / side));
    corner = to_index((row - first_row) * P(pitch) + (offset[D - 1] - (first_cell - first_row * P(side))));
  }
};

// Sums over the nodes of the stencil along its last N axes; arrays have at least one entry.
template <class P, int N>
struct StencilSums {
  P value;                          // sum w a
  Vec<P, (N == 0 ? 1 : N)> moment;  // sum w a times the node's place along each axis, counted from the stencil's middle
  Vec<P, (N == 0 ? 1 : N)> slope;   // sum a grad w
};

// The sums along one axis more: `rows` are those over the other axes at each node of this one.
template <bool moments, bool slopes, int degree, class P, int N>
KNEAD_INLINE StencilSums<P, N + 1> sum_along(const BSpline1<degree, P>& axis,
                                             const StencilSums<P, N> (&rows)[degree + 1]) {
  const auto weighted = [&](const P(&w)[degree + 1], auto&& entry) {
    P sum = w[0] * entry(0);
    for (int k = 1; k <= degree; ++k) sum = fma(w[k], entry(k), sum);
    return sum;
  };
  const auto value = [&](int k) { return rows[k].value; };
  StencilSums<P, N + 1> sums;
  if constexpr (!moments) {
    sums.value = weighted(axis.w, value);
  } else if constexpr (degree == 2) {
    const P below = axis.w[0] * rows[0].value, above = axis.w[2] * rows[2].value;
    sums.value = fma(axis.w[1], rows[1].value, below + above);
    sums.moment[0] = above - below;
  } else {
    const P below = axis.w[1] * rows[1].value, above = axis.w[2] * rows[2].value;
    const P lowest = axis.w[0] * rows[0].value, highest = axis.w[3] * rows[3].value;
    sums.value = (below + above) + (lowest + highest);
    sums.moment[0] = fma(P(1.5), highest - lowest, P(0.5) * (above - below));
  }
  if constexpr (moments)
    for (int a = 0; a < N; ++a) sums.moment[a + 1] = weighted(axis.w, [&](int k) { return rows[k].moment[a]; });
  if constexpr (slopes) {
    sums.slope[0] = weighted(axis.dw, value);
    for (int a = 0; a < N; ++a) sums.slope[a + 1] = weighted(axis.w, [&](int k) { return rows[k].slope[a]; });
  }
  return sums;
}

// The sums of one component over the stencils of the lanes that are in the slab; the other lanes hold nothing of use.
template <bool moments, bool slopes, class T, int D, int degree>
KNEAD_INLINE StencilSums<Pack<T>, D> sum_in_slab(const T* component, int slab, const PackStencil<T, D, degree>& s) {
  using P = Pack<T>;
  using Rows = VelocityRows<T, D, degree>;
  constexpr int side = Rows::side, pitch = Rows::pitch;
  const auto along_last = [&](const T* row) {
    const Lookup<T> nodes(row);
    StencilSums<P, 0> values[degree + 1];
    values[0].value = nodes.template at<0>(s.corner);
    values[1].value = nodes.template at<1>(s.corner);
    if constexpr (degree >= 2) values[2].value = nodes.template at<2>(s.corner);
    if constexpr (degree >= 3) values[3].value = nodes.template at<3>(s.corner);
    return sum_along<moments, slopes>(s.axis[D - 1], values);
  };
  const T* first = component + Rows::place(BlockLayout<D>::node_offset(slab * slab_cells<T>));
  StencilSums<P, D - 1> layers[degree + 1];
#pragma GCC unroll 4
  for (int i = 0; i <= degree; ++i)
    if constexpr (D == 2) {
      layers[i] = along_last(first + i * pitch);
    } else {
      StencilSums<P, 1> rows[degree + 1];
#pragma GCC unroll 4
      for (int j = 0; j <= degree; ++j) rows[j] = along_last(first + (i * side + j) * pitch);
      layers[i] = sum_along<moments, slopes>(s.axis[1], rows);
    }
  return sum_along<moments, slopes>(s.axis[0], layers);
}

// A pack's velocities and gradients. Lanes of several slabs take a pass for each; in the order of the sort most packs
// need one.
template <Transfer transfer, class T, int D, int degree>
KNEAD_INLINE Gathered<Pack<T>, D> gather(const VelocityRows<T, D, degree>& rows,
                                         const OldVelocityRows<transfer, T, D, degree>& old,
                                         const PackStencil<T, D, degree>& s, T dx) {
  using P = Pack<T>;
  constexpr bool affine = is_affine(transfer), mls = transfer == Transfer::mls;
  const P inverse_dx(T(1) / dx);
  Gathered<P, D> all;
  typename P::Mask left(true);
  do {
    const T slab = s.slab[std::experimental::find_first_set(left)];
    const typename P::Mask here = s.slab == P(slab);
    const auto put = [&](P& to, const P& from) { to = select(here, from, to); };
    for (int c = 0; c < D; ++c) {
      const auto sums = sum_in_slab<affine, !mls>(rows.component[c], static_cast<int>(slab), s);
      put(all.v[c], sums.value);
      if constexpr (affine) {
        const P scale(T(1) / (second_moment<T, degree> * dx));
        for (int a = 0; a < D; ++a)
          put(all.C(c, a), (sums.moment[a] - (s.f[a] - P(T(0.5) * degree)) * sums.value) * scale);
      }
      if constexpr (!mls)
        for (int a = 0; a < D; ++a) put(all.gradient(c, a), sums.slope[a] * inverse_dx);
      if constexpr (transfer == Transfer::flip)
        put(all.old_v[c], sum_in_slab<false, false>(old.component[c], static_cast<int>(slab), s).value);
    }
    left = left && !here;
  } while (any(left));
  if constexpr (mls) all.gradient = all.C;
  return all;
}

}  // namespace knead
