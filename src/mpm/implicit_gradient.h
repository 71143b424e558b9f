// The pair of transfers that implicit steps live on: the velocity gradient at a particle, and its transpose, the
// impulse of a particle's stress on the nodes. With g_i = grad w_i, or w_i (x_i - x_p) / D for MLS (Hu 2018, Eq. 18),
//
//   gather   G = sum_i v_i g_i^T            scatter   f_i += Q g_i
//
// Corners of meshes are moved by the values themselves, sum_i w_i v_i.
//
// Either g_i is a product over the axes: weights, and along one axis what the stencil has as slopes.
#pragma once

#include "grid/stencil.h"

namespace knead {

// Makes the slopes of a stencil those of MLS.
template <class T, int D, int degree>
void use_moments_as_slopes(Stencil<T, D, degree>& s) {
  for (int a = 0; a < D; ++a)
    for (int k = 0; k <= degree; ++k)
      s.axis[a].dw[k] = s.axis[a].w[k] * (T(k) - s.f[a]) * (T(1) / second_moment<T, degree>);
}

template <class T, int D, int degree>
Mat<T, D> gather_gradient(const Arena<T, D, degree>& arena, const Stencil<T, D, degree>& s, T inverse_dx) {
  constexpr int last = D - 1;
  const BSpline1<degree, T>& z = s.axis[last];
  Lane<T> columns[D]{};
  s.for_each_row([&](int row, int i, int j) {
    const T wi = s.axis[0].w[i], wj = D == 3 ? s.axis[1].w[j] : T(1);
    // Sums along the row: of the velocity and of its slope.
    Lane<T> sum{}, slope{};
#pragma GCC unroll 4
    for (int k = 0; k <= degree; ++k) {
      const Lane<T>& node = reinterpret_cast<const Lane<T>&>(arena.node[row + k]);
      sum += node * z.w[k];
      slope += node * z.dw[k];
    }
    columns[0] += sum * (s.axis[0].dw[i] * wj);
    if constexpr (D == 3) columns[1] += sum * (wi * s.axis[1].dw[j]);
    columns[last] += slope * (wi * wj);
  });
  return matrix_of<T, D>(columns) * inverse_dx;
}

template <class T, int D, int degree>
void scatter_gradient(Arena<T, D, degree>& arena, const Stencil<T, D, degree>& s, T inverse_dx, const Mat<T, D>& Q) {
  constexpr int last = D - 1;
  const BSpline1<degree, T>& z = s.axis[last];
  Lane<T> columns[D];
  for (int a = 0; a < D; ++a) columns[a] = lane<T, D>(Q.column(a) * inverse_dx, T(0));
  s.for_each_row([&](int row, int i, int j) {
    const T wi = s.axis[0].w[i], wj = D == 3 ? s.axis[1].w[j] : T(1);
    Lane<T> start = columns[0] * (s.axis[0].dw[i] * wj);
    if constexpr (D == 3) start += columns[1] * (wi * s.axis[1].dw[j]);
    const Lane<T> slope = columns[last] * (wi * wj);
#pragma GCC unroll 4
    for (int k = 0; k <= degree; ++k)
      reinterpret_cast<Lane<T>&>(arena.node[row + k]) += start * z.w[k] + slope * z.dw[k];
  });
}

// f(arena index, g_i) for every node of the stencil.
template <class T, int D, int degree, class F>
void for_each_gradient(const Stencil<T, D, degree>& s, T inverse_dx, F&& f) {
  constexpr int last = D - 1;
  const BSpline1<degree, T>& z = s.axis[last];
  s.for_each_row([&](int row, int i, int j) {
    const T wi = s.axis[0].w[i], wj = D == 3 ? s.axis[1].w[j] : T(1);
    for (int k = 0; k <= degree; ++k) {
      Vec<T, D> g{};
      g[0] = inverse_dx * s.axis[0].dw[i] * wj * z.w[k];
      if constexpr (D == 3) g[1] = inverse_dx * wi * s.axis[1].dw[j] * z.w[k];
      g[last] = inverse_dx * wi * wj * z.dw[k];
      f(row + k, g);
    }
  });
}

// f(arena index, w_i) for every node of the stencil.
template <class T, int D, int degree, class F>
void for_each_weight(const Stencil<T, D, degree>& s, F&& f) {
  s.for_each_row([&](int row, int i, int j) {
    const T w = s.axis[0].w[i] * (D == 3 ? s.axis[1].w[j] : T(1));
    for (int k = 0; k <= degree; ++k) f(row + k, w * s.axis[D - 1].w[k]);
  });
}

}  // namespace knead
