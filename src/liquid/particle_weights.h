// A particle's weights on the nodes it reaches, as rows of four along the last axis (the fourth is always zero).
#pragma once

#include "base/mat.h"
#include "grid/lane.h"
#include "liquid/staggered.h"

namespace knead {

template <int D>
inline Vec<double, D> cast_cells(const Vec<int, D>& cell) {
  Vec<double, D> v{};
  for (int a = 0; a < D; ++a) v[a] = cell[a];
  return v;
}

// f(number of the row, i, j) for each row of a set of nodes: faces of axis `set`, or centres (set = D); i and j count
// along the first axes.
template <int D, int set, class F>
KNEAD_INLINE void for_each_row(F&& f) {
  constexpr int ni = set == 0 ? 3 : 2, nj = D == 2 ? 1 : set == 1 ? 3 : 2;
#pragma GCC unroll 3
  for (int i = 0; i < ni; ++i)
#pragma GCC unroll 3
    for (int j = 0; j < nj; ++j) f(i * nj + j, i, j);
}

template <class T, int D>
struct ParticleWeights {
  AxisWeights<T> axis[D];
  Vec<T, D> t;  // cells behind the first centre in reach

  // `origin` is the first cell of the home block, `offset` the particle's first centre from there.
  KNEAD_INLINE ParticleWeights(const Vec<T, D>& x, T inverse_h, const Vec<double, D>& origin,
                               const Vec<int, D>& offset) {
    for (int a = 0; a < D; ++a) {
      t[a] = std::clamp(x[a] * inverse_h - T(0.5) - T(origin[a] + offset[a]), T(0), T(1));
      axis[a] = AxisWeights<T>(t[a]);
    }
  }
  // Along the last axis.
  template <int set>
  KNEAD_INLINE Lane<T> lanes() const {
    const AxisWeights<T>& z = axis[D - 1];
    if constexpr (set == D - 1)
      return Lane<T>{z.face[0], z.face[1], z.face[2], T(0)};
    else
      return Lane<T>{z.center[0], z.center[1], T(0), T(0)};
  }
  // Along the others.
  template <int set>
  KNEAD_INLINE T row(int i, int j) const {
    const T first = set == 0 ? axis[0].face[i] : axis[0].center[i];
    if constexpr (D == 2)
      return first;
    else
      return first * (set == 1 ? axis[1].face[j] : axis[1].center[j]);
  }
  // v_a + C_a (x_f - x) at the faces of a row, for APIC (Jiang 2015).
  template <int a>
  KNEAD_INLINE Lane<T> affine_velocity(T v, const Mat<T, D>& C, T h, int i, int j) const {
    const auto away = [&](int b, int k) { return (T(k) - t[b] - (a == b ? T(0.5) : T(0))) * h; };
    T start = v + C(a, 0) * away(0, i);
    if constexpr (D == 3) start += C(a, 1) * away(1, j);
    const T slope = C(a, D - 1);
    return Lane<T>{away(D - 1, 0), away(D - 1, 1), away(D - 1, 2), T(0)} * slope + start;
  }
  // The derivative of the weights along one axis, 1/cells, for APIC. At t = 1/2 that of faces has a kink.
  KNEAD_INLINE static void slopes(T t, T (&center)[3], T (&face)[3]) {
    center[0] = T(-1), center[1] = T(1), center[2] = T(0);
    const bool low = t < T(0.5);
    face[0] = low ? T(-1) : T(0), face[1] = low ? T(1) : T(-1), face[2] = low ? T(0) : T(1);
  }
};

}  // namespace knead
