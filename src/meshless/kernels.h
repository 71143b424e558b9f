// Radial kernels of support h in 2D and 3D, all zero from h on and of integral 1 (Mueller 2004, Eq. 9; Mueller 2003;
// Desbrun 1996). d is a distance, in m; a W is in 1/m^D.
#pragma once

#include "base/math.h"

#include <cmath>
#include <numbers>

namespace knead {

namespace kernel_detail {
inline constexpr double pi = std::numbers::pi;
// From the integral over the ball: 2 pi (4 pi) times that of d^(D-1) W.
template <int D>
inline constexpr double poly6 = D == 2 ? 4 / pi : 315 / (64 * pi);
template <int D>
inline constexpr double spiky = D == 2 ? 10 / pi : 15 / pi;

template <int N, class T>
KNEAD_INLINE T power(T a) {
  T r = a;
  for (int i = 1; i < N; ++i) r *= a;
  return r;
}
}  // namespace kernel_detail

// The shape of poly6 without its factor: (1 - d^2/h^2)^3, of the square of d/h. Weights of least squares may differ by
// a factor, so that this is all they need.
template <class T>
KNEAD_INLINE T poly6_shape(T square_ratio) {
  const T left = max(T(1) - square_ratio, T(0));
  return left * left * left;
}

// Smooth: densities.
template <int D>
struct Poly6 {
  template <class T>
  static T value(T d, T h) {
    return T(kernel_detail::poly6<D>) / kernel_detail::power<D>(h) * poly6_shape(d * d / (h * h));
  }
};

// Steep at the centre, so that its gradient keeps particles apart: pressure.
template <int D>
struct Spiky {
  template <class T>
  static T value(T d, T h) {
    const T left = max(T(1) - d / h, T(0));
    return T(kernel_detail::spiky<D>) / kernel_detail::power<D>(h) * left * left * left;
  }
  template <class T>
  static T slope(T d, T h) {
    const T left = max(T(1) - d / h, T(0));
    return T(-3 * kernel_detail::spiky<D>) / kernel_detail::power<D + 1>(h) * left * left;
  }
};

// The Laplacian of the viscosity kernel, positive everywhere: 45/(pi h^6) (h - d) in 3D, 40/(pi h^5) (h - d) in 2D.
template <int D, class T>
T viscosity_laplacian(T d, T h) {
  return T(D == 2 ? 40 / kernel_detail::pi : 45 / kernel_detail::pi) / kernel_detail::power<D + 2>(h) *
         max(T(1) - d / h, T(0));
}

}  // namespace knead
