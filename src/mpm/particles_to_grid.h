// Particles to grid: mass, momentum and the impulse of the internal forces (Wang 2020, Eqs. 3.13-3.17; Fumoto, Eqs. 3,
// 4, 7).
#pragma once

#include "mpm/scatter_rows.h"

namespace knead {

// FLIP has a second arena, for the velocities before the forces; the other transfers have nothing there.
struct NoArena {};
template <Transfer transfer, class T, int D, int degree>
using OldArena = std::conditional_t<transfer == Transfer::flip, Arena<T, D, degree>, NoArena>;

// Adds one particle to its arena, as plainly as it can be said; RowScatter does the same at speed, and tests compare
// them. With dx_i = x_i - x_p the node i gets
//   APIC  w m (v + C dx_i) - dt V tau grad w,       PIC, FLIP  the same with C = 0,
//   MLS   w [m v + (m C - dt V tau / D) dx_i],      D = (degree + 1)/12 dx^2   (Hu 2018, Eq. 18)
// and the mass w m. FLIP also keeps the momentum without the impulse in `old`.
template <Transfer transfer, class T, int D, int degree>
void scatter(Arena<T, D, degree>& arena, OldArena<transfer, T, D, degree>& old, const Stencil<T, D, degree>& s, T dx,
             T dt, T mass, T volume, const Vec<T, D>& v, const Mat<T, D>* C, const Mat<T, D>& tau) {
  constexpr bool affine = is_affine(transfer), mls = transfer == Transfer::mls, keep_old = transfer == Transfer::flip;
  // Lanes: the value at the particle, its growth a cell along each axis, the impulse a unit of gradient along each
  // axis.
  const Lane<T> value = lane<T, D>(v * mass, mass);
  Lane<T> growth[D], impulse[D];
  const T stress_scale = -dt * volume / dx;
  for (int a = 0; a < D; ++a) {
    impulse[a] = lane<T, D>(tau.column(a) * stress_scale, T(0));
    if constexpr (affine) growth[a] = lane<T, D>(C->column(a) * (mass * dx), T(0));
    if constexpr (mls) growth[a] += impulse[a] * (T(1) / second_moment<T, degree>);
  }
  constexpr int last = D - 1;
  const BSpline1<degree, T>& z = s.axis[last];
  s.for_each_row([&](int row, int i, int j) {
    const T wi = s.axis[0].w[i], wj = D == 3 ? s.axis[1].w[j] : T(1), w = wi * wj;
    Lane<T> start = value;
    if constexpr (affine) {
      start += growth[0] * (T(i) - s.f[0]) - growth[last] * s.f[last];
      if constexpr (D == 3) start += growth[1] * (T(j) - s.f[1]);
    }
    start *= w;
    Lane<T> step{}, slope{};
    if constexpr (affine) step = growth[last] * w;
    if constexpr (keep_old)
      for (int k = 0; k <= degree; ++k) reinterpret_cast<Lane<T>&>(old.node[row + k]) += z.w[k] * start;
    if constexpr (!mls) {
      start += impulse[0] * (s.axis[0].dw[i] * wj);
      if constexpr (D == 3) start += impulse[1] * (wi * s.axis[1].dw[j]);
      slope = impulse[last] * w;
    }
#pragma GCC unroll 4
    for (int k = 0; k <= degree; ++k) {
      Lane<T> node = start;
      if constexpr (affine) node += step * T(k);
      node *= z.w[k];
      if constexpr (!mls) node += slope * z.dw[k];
      reinterpret_cast<Lane<T>&>(arena.node[row + k]) += node;
    }
  });
}

template <Transfer transfer>
inline constexpr Terms terms_of = transfer == Transfer::mls    ? Terms::affine_with_stress
                                  : transfer == Transfer::apic ? Terms::affine_and_impulse
                                                               : Terms::impulse;

// Scatters all particles, block by block in the order of memory, each block into an arena of its own; then these are
// added up. So no two threads write to one node, and every node sums in a fixed order.
template <Transfer transfer, int degree, class T, int D>
void particles_to_grid(const Columns<T, D>& p, const BlockSort<D>& sort, T dx, T dt, BlockGrid<T, D>& grid) {
  using Sum = Arena<T, D, degree>;
  grid.arenas.resize(sort.keys().size() * (sizeof(Sum) / sizeof(Node<T, D>)));
  Sum* const arenas = reinterpret_cast<Sum*>(grid.arenas.data());
  const auto scatter_all = [&](const auto& rows, std::vector<Node<T, D>>& nodes) {
    parallel_for(sort.keys().size(), 1, [&](std::size_t home) {
      arenas[home].clear();
      const Vec<int, D> origin = BlockGrid<T, D>::first_node_of(sort.keys()[home]);
      for (const Segment& segment : sort.segments(static_cast<int>(home))) rows.add(segment, origin, arenas[home]);
    });
    add_up(grid, arenas, nodes);
  };
  scatter_all(RowScatter<T, D, degree, terms_of<transfer>>(p, sort, dx, dt), grid.nodes);
  // The momentum before the forces; without forces it is the same.
  if (grid.old.empty()) return;
  if (dt == T(0))
    std::copy(grid.nodes.begin(), grid.nodes.end(), grid.old.begin());
  else if constexpr (transfer == Transfer::flip)
    scatter_all(RowScatter<T, D, degree, Terms::momentum>(p, sort, dx, dt), grid.old);
  else
    scatter_all(RowScatter<T, D, degree, terms_of<transfer>>(p, sort, dx, T(0)), grid.old);
}

}  // namespace knead
