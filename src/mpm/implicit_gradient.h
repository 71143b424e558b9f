// The pair of transfers that implicit steps live on: the velocity gradient at a particle, and its transpose, the
// impulse of a particle's stress on the nodes. With g_i = grad w_i, or w_i (x_i - x_p) / D for MLS (Hu 2018, Eq. 18),
//
//   gather   G = sum_i v_i g_i^T            scatter   f_i += Q g_i
#pragma once

#include "grid/stencil.h"

namespace knead {

// What g_i is measured in.
template <bool mls, int degree, class T>
T gradient_scale(T inverse_dx) {
  if constexpr (mls) return inverse_dx / second_moment<T, degree>;
  return inverse_dx;
}

template <bool mls, class T, int D, int degree>
Mat<T, D> gather_gradient(const Arena<T, D, degree>& arena, const Stencil<T, D, degree>& s, T inverse_dx) {
  constexpr int last = D - 1;
  const BSpline1<degree, T>& z = s.axis[last];
  Lane<T> columns[D]{};
  s.for_each_row([&](int row, int i, int j) {
    const T wi = s.axis[0].w[i], wj = D == 3 ? s.axis[1].w[j] : T(1), w = wi * wj;
    // Sums along the row: of the velocity, and of its slope or first moment.
    Lane<T> sum{}, slope{};
#pragma GCC unroll 4
    for (int k = 0; k <= degree; ++k) {
      const Lane<T>& node = reinterpret_cast<const Lane<T>&>(arena.node[row + k]);
      sum += node * z.w[k];
      slope += node * (mls ? z.w[k] * (T(k) - s.f[last]) : z.dw[k]);
    }
    columns[0] += sum * (mls ? w * (T(i) - s.f[0]) : s.axis[0].dw[i] * wj);
    if constexpr (D == 3) columns[1] += sum * (mls ? w * (T(j) - s.f[1]) : wi * s.axis[1].dw[j]);
    columns[last] += slope * w;
  });
  return matrix_of<T, D>(columns) * gradient_scale<mls, degree>(inverse_dx);
}

template <bool mls, class T, int D, int degree>
void scatter_gradient(Arena<T, D, degree>& arena, const Stencil<T, D, degree>& s, T inverse_dx, const Mat<T, D>& Q) {
  constexpr int last = D - 1;
  const BSpline1<degree, T>& z = s.axis[last];
  const T scale = gradient_scale<mls, degree>(inverse_dx);
  Lane<T> columns[D];
  for (int a = 0; a < D; ++a) columns[a] = lane<T, D>(Q.column(a) * scale, T(0));
  s.for_each_row([&](int row, int i, int j) {
    const T wi = s.axis[0].w[i], wj = D == 3 ? s.axis[1].w[j] : T(1), w = wi * wj;
    Lane<T> start = columns[0] * (mls ? w * (T(i) - s.f[0]) : s.axis[0].dw[i] * wj);
    if constexpr (D == 3) start += columns[1] * (mls ? w * (T(j) - s.f[1]) : wi * s.axis[1].dw[j]);
    const Lane<T> slope = columns[last] * w;
#pragma GCC unroll 4
    for (int k = 0; k <= degree; ++k)
      reinterpret_cast<Lane<T>&>(arena.node[row + k]) +=
          start * z.w[k] + slope * (mls ? z.w[k] * (T(k) - s.f[last]) : z.dw[k]);
  });
}

// f(arena index, g_i) for every node of the stencil.
template <bool mls, class T, int D, int degree, class F>
void for_each_gradient(const Stencil<T, D, degree>& s, T inverse_dx, F&& f) {
  constexpr int last = D - 1;
  const BSpline1<degree, T>& z = s.axis[last];
  const T scale = gradient_scale<mls, degree>(inverse_dx);
  s.for_each_row([&](int row, int i, int j) {
    const T wi = s.axis[0].w[i], wj = D == 3 ? s.axis[1].w[j] : T(1);
    for (int k = 0; k <= degree; ++k) {
      Vec<T, D> g{};
      if constexpr (mls) {
        const T w = wi * wj * z.w[k] * scale;
        g[0] = w * (T(i) - s.f[0]);
        if constexpr (D == 3) g[1] = w * (T(j) - s.f[1]);
        g[last] = w * (T(k) - s.f[last]);
      } else {
        g[0] = scale * s.axis[0].dw[i] * wj * z.w[k];
        if constexpr (D == 3) g[1] = scale * wi * s.axis[1].dw[j] * z.w[k];
        g[last] = scale * wi * wj * z.dw[k];
      }
      f(row + k, g);
    }
  });
}

}  // namespace knead
