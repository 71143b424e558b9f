#include "geometry/rotation.h"

#include "base/elementary.h"

#include <algorithm>
#include <numbers>

namespace knead {

Mat3d rotation_matrix(const Vec3d& w) {
  const double angle = length(w);
  const Mat3d k = cross_matrix(w);
  // sin(a)/a and (1 - cos(a))/a^2, by their series where the angle is small.
  const double a2 = angle * angle;
  const double s = angle > 1e-4 ? elementary::sin(angle) / angle : 1 - a2 / 6;
  const double half = elementary::sin(angle / 2);
  const double c = angle > 1e-4 ? 2 * half * half / a2 : 0.5 - a2 / 24;
  return Mat3d::identity() + s * k + c * (k * k);
}

Vec3d rotation_vector(const Mat3d& r) {
  // The skew part is sin(a) times the axis, the trace 1 + 2 cos(a).
  const Vec3d skew = Vec3d{r(2, 1) - r(1, 2), r(0, 2) - r(2, 0), r(1, 0) - r(0, 1)} * 0.5;
  const double s = length(skew), c = (trace(r) - 1) / 2;
  const double angle = elementary::atan2(s, c);
  if (s > 1e-6) return skew * (angle / s);
  if (c > 0) return skew;
  // Near a half turn the axis is the largest column of n n^T, found from the symmetric part c + (1 - c) n n^T, with the
  // sign that the skew part asks for.
  const Mat3d n = (r + transpose(r)) * 0.5 - c * Mat3d::identity();
  int k = 0;
  for (int i = 1; i < 3; ++i)
    if (n(i, i) > n(k, k)) k = i;
  const Vec3d axis = normalized(n.column(k));
  return axis * (dot(axis, skew) < 0 ? -angle : angle);
}

}  // namespace knead
