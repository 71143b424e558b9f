// What a particle reads from the grid, one particle at a time: the plain form, and the judge of the packs
// (mpm/gather_packs.h) in tests (Wang 2020, Eqs. 3.18-3.20; Fumoto, Eqs. 12 and 16).
#pragma once

#include "mpm/particles_to_grid.h"

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
  constexpr bool affine = is_affine(transfer), mls = transfer == Transfer::mls;
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

}  // namespace knead
