// Grid to particles: velocity, affine velocity, velocity gradient, trial strain and motion (Wang 2020, Eqs. 3.18-3.21;
// Fumoto, Eqs. 12, 16, 17).
#pragma once

#include "mpm/particles_to_grid.h"

#include <cmath>

namespace knead {

// What a particle reads from the grid.
template <class T, int D>
struct Gathered {
  Vec<T, D> v;         // sum w v_i
  Vec<T, D> old_v;     // sum w v_i^n, for FLIP
  Mat<T, D> C;         // sum w v_i dx_i^T / D, for APIC and MLS
  Mat<T, D> gradient;  // sum v_i grad w^T; for MLS the same as C
};

template <Transfer transfer, class T, int D, int degree>
Gathered<T, D> gather(const Arena<T, D, degree>& arena, const OldArena<transfer, T, D, degree>& old,
                      const Stencil<T, D, degree>& s, T dx) {
  constexpr bool affine = is_affine<transfer>, mls = transfer == Transfer::mls;
  constexpr int last = D - 1;
  const BSpline1<degree, T>& z = s.axis[last];
  Lane<T> v{}, old_v{}, moment[D]{}, gradient[D]{};
  s.for_each_row([&](int row, int i, int j) {
    const T wi = s.axis[0].w[i], wj = D == 3 ? s.axis[1].w[j] : T(1), w = wi * wj;
    // Sums along the row: of the velocity, of its first moment, of its slope.
    Lane<T> sum{}, first{}, slope{};
#pragma GCC unroll 4
    for (int k = 0; k <= degree; ++k) {
      const Lane<T>& node = reinterpret_cast<const Lane<T>&>(arena.node[row + k]);
      const Lane<T> weighted = node * z.w[k];
      sum += weighted;
      if constexpr (affine) first += weighted * (T(k) - s.f[last]);
      if constexpr (!mls) slope += node * z.dw[k];
    }
    v += sum * w;
    if constexpr (affine) {
      moment[0] += sum * (w * (T(i) - s.f[0]));
      if constexpr (D == 3) moment[1] += sum * (w * (T(j) - s.f[1]));
      moment[last] += first * w;
    }
    if constexpr (!mls) {
      gradient[0] += sum * (s.axis[0].dw[i] * wj);
      if constexpr (D == 3) gradient[1] += sum * (wi * s.axis[1].dw[j]);
      gradient[last] += slope * w;
    }
    if constexpr (transfer == Transfer::flip)
      for (int k = 0; k <= degree; ++k) old_v += reinterpret_cast<const Lane<T>&>(old.node[row + k]) * (w * z.w[k]);
  });
  Gathered<T, D> g{};
  g.v = vector_of<T, D>(v);
  if constexpr (transfer == Transfer::flip) g.old_v = vector_of<T, D>(old_v);
  if constexpr (affine) g.C = matrix_of<T, D>(moment) * (T(1) / (second_moment<T, degree> * dx));
  if constexpr (mls)
    g.gradient = g.C;
  else
    g.gradient = matrix_of<T, D>(gradient) * (T(1) / dx);
  return g;
}

struct Extremes {
  double speed = 0;     // m/s, largest component of a particle velocity
  double gradient = 0;  // 1/s, largest Frobenius norm of a velocity gradient
};

// Updates v, C, F (to its trial value) and, where particles move with the grid, x. `blend` is FLIP's share or RPIC's
// damping.
template <Transfer transfer, int degree, class T, int D>
Extremes grid_to_particles(Columns<T, D>& p, const BlockSort<D>& sort, const BlockGrid<T, D>& grid, T dx, T dt, T blend,
                           bool move, std::vector<Extremes>& partial) {
  const T inverse_dx = T(1) / dx;
  partial.assign(sort.keys().size(), Extremes{});
  parallel_for(sort.keys().size(), 1, [&](std::size_t home) {
    Arena<T, D, degree> arena;
    OldArena<transfer, T, D, degree> old;
    arena.take_from(grid.nodes, grid.neighbours(static_cast<int>(home)));
    if constexpr (transfer == Transfer::flip) old.take_from(grid.old, grid.neighbours(static_cast<int>(home)));
    const Vec<int, D> origin = BlockGrid<T, D>::first_node_of(sort.keys()[home]);
    T speed = 0, steepest = 0;
    for (const Segment& segment : sort.segments(static_cast<int>(home)))
      for (int at = segment.begin; at < segment.end; ++at) {
        const int i = sort.order()[at];
        const Stencil<T, D, degree> stencil(p.x[i], inverse_dx, origin);
        const Gathered<T, D> g = gather<transfer>(arena, old, stencil, dx);
        // Velocity: PIC, or blended with FLIP (Fumoto, Eq. 16); affine part with RPIC damping (Wang 2020, Eq. 3.21).
        if constexpr (transfer == Transfer::flip)
          p.v[i] = g.v + (p.v[i] - g.old_v) * blend;
        else
          p.v[i] = g.v;
        if constexpr (is_affine<transfer>) p.C[i] = g.C * (T(1) - T(0.5) * blend) - transpose(g.C) * (T(0.5) * blend);
        // Trial strain (Wang 2020, Eq. 3.23) and motion.
        p.F[i] = p.F[i] + (g.gradient * dt) * p.F[i];
        if (move) p.x[i] += g.v * dt;
        for (int a = 0; a < D; ++a) speed = std::max(speed, std::abs(p.v[i][a]));
        steepest = std::max(steepest, norm2(g.gradient));
      }
    partial[home] = {double(speed), std::sqrt(double(steepest))};
  });
  Extremes most;
  for (const Extremes& e : partial) most = {std::max(most.speed, e.speed), std::max(most.gradient, e.gradient)};
  return most;
}

}  // namespace knead
