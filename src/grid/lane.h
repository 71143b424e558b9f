// Four scalars in one SIMD register: a grid node's velocity and mass, read and written at once.
#pragma once

#include "base/mat.h"

namespace knead {

template <class T>
struct LaneType {
  typedef T type __attribute__((vector_size(4 * sizeof(T)), may_alias));
};
template <class T>
using Lane = typename LaneType<T>::type;

template <class T, int D>
Lane<T> lane(const Vec<T, D>& v, T last) {
  if constexpr (D == 2)
    return Lane<T>{v[0], v[1], last, T(0)};
  else
    return Lane<T>{v[0], v[1], v[2], last};
}
template <class T, int D>
Vec<T, D> vector_of(const Lane<T>& l) {
  if constexpr (D == 2)
    return {l[0], l[1]};
  else
    return {l[0], l[1], l[2]};
}
// The matrix whose columns are the first D entries of the lanes.
template <class T, int D>
Mat<T, D> matrix_of(const Lane<T> (&columns)[D]) {
  Mat<T, D> m{};
  for (int r = 0; r < D; ++r)
    for (int c = 0; c < D; ++c) m(r, c) = columns[c][r];
  return m;
}

}  // namespace knead
