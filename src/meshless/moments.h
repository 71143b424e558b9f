// Gradients by moving least squares. With rest vectors q and weights w, F = (sum w x q^T) A^-1 and A = sum w q q^T
// minimise sum w |F q - x|^2 (Mueller 2004, Eqs. 13 and 14; Ward 2012, Eq. 3.12). Where the neighbours lie in a plane
// or on a line A has no inverse: F is then completed by a rotation, so that a sheet or a thread may turn without
// strain.
#pragma once

#include "base/eigen_sym.h"
#include "base/svd.h"

#include <algorithm>

namespace knead {

// The determinant of a moment over that of a ball of the same trace: 1 for a full neighbourhood, 0 for a flat one.
template <class T, int D>
T roundness(const Mat<T, D>& moment) {
  const T mean = trace(moment) / T(D);
  return determinant(moment) / (D == 2 ? mean * mean : mean * mean * mean);
}

// The inverse of a moment matrix on the space that its neighbours span.
template <class T, int D>
struct MomentInverse {
  Mat<T, D> inverse;  // 1/m^2, for weights without unit
  Vec<T, D> axis{};   // the missing direction for rank D - 1, the only one for rank 1 in 3D
  int rank = D;
};

// Eigenvalues below this share of the largest count as none: they are squared lengths, so that a sheet may be a
// thirtieth as thick as it is wide.
inline constexpr double thinnest_moment = 1e-3;

template <class T, int D>
MomentInverse<T, D> inverse_of_moment(const Mat<T, D>& A) {
  const EigenSym<T, D> e = eigen_sym<D>(to_sym(A));
  T largest = 0;
  for (int k = 0; k < D; ++k) largest = std::max(largest, e.values[k]);
  MomentInverse<T, D> m{Mat<T, D>::zero()};
  m.rank = 0;
  int top = 0, low = 0;
  for (int k = 0; k < D; ++k) {
    if (e.values[k] > e.values[top]) top = k;
    if (e.values[k] < e.values[low]) low = k;
    if (!(e.values[k] > T(thinnest_moment) * largest)) continue;
    const Vec<T, D> t = e.Q.column(k);
    m.inverse += outer(t, t) * (T(1) / e.values[k]);
    ++m.rank;
  }
  if (m.rank == D) m.inverse = inverse(A);
  if (m.rank == D - 1) m.axis = e.Q.column(low);
  if (D == 3 && m.rank == 1) m.axis = e.Q.column(top);
  return m;
}

// The part of F that the neighbours do not see.
template <class T, int D>
void complete(Mat<T, D>& F, const MomentInverse<T, D>& m) {
  if (m.rank == D) return;
  if (m.rank == 0) {
    F = Mat<T, D>::identity();
  } else if (m.rank == D - 1) {
    // F t1 x F t2 of the plane's axes; a normal that turns with it.
    const Vec<T, D> normal = cofactor(F + outer(m.axis, m.axis) * T(0)) * m.axis;
    if constexpr (D == 2) {
      const Vec<T, D> along{m.axis[1], -m.axis[0]}, turned = F * along;
      F += outer(Vec<T, D>{-turned[1], turned[0]} / std::max(length(turned), T(1e-30)), m.axis);
    } else {
      F += outer(normal / std::max(length(normal), T(1e-30)), m.axis);
    }
  } else if constexpr (D == 3) {
    // The least rotation of the line.
    const Vec<T, D> t = m.axis, turned = F * t, a = turned / std::max(length(turned), T(1e-30));
    const T c = dot(t, a);
    const Mat<T, D> K = cross_matrix(cross(t, a));
    // Turned right round, any perpendicular axis does.
    const Mat<T, D> R = c > T(-0.999) ? Mat<T, D>::identity() + K + K * K * (T(1) / (T(1) + c))
                                      : outer(t, t) * T(-2) + Mat<T, D>::identity();
    F += R * (Mat<T, D>::identity() - outer(t, t));
  }
}

// One of the matrices of a pack of them.
template <class P, int D>
Mat<typename P::Scalar, D> lane_of(const Mat<P, D>& m, int lane) {
  Mat<typename P::Scalar, D> one;
  for (int e = 0; e < D * D; ++e) one.e[e] = m.e[e][lane];
  return one;
}

// The rotation in M, the identity where M is nothing; of one matrix or a pack of them.
template <class T, int D>
Mat<T, D> rotation_of(const Mat<T, D>& M) {
  Mat<T, D> R = Mat<T, D>::identity();
  const auto something = norm2(M) > T(0);
  if (!any(something)) return R;
  const Svd<T, D> d = svd(M);
  const Mat<T, D> turned = d.U * transpose(d.V);
  for (int e = 0; e < D * D; ++e) R.e[e] = select(something, turned.e[e], R.e[e]);
  return R;
}

}  // namespace knead
