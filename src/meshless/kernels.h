// Radial kernels of support h in 2D and 3D, all zero from h on and of integral 1 (Mueller 2004, Eq. 9; Mueller 2003;
// Desbrun 1996; Gerszewski 2014, Eqs. 4.12 and 4.13). d is a distance, in m; a W is in 1/m^D.
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

// Times 1/h^(D+1), the factor of the cosine kernel's slope.
template <int D>
inline constexpr double cosine = D == 2 ? 1 / (2 - 16 / (pi * pi))
                                        : 1 / (8 * (1.0 / 3 - 8 / (pi * pi) + 16 / (pi * pi * pi)));

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

// Smooth: weights of least squares, densities of melts.
template <int D>
struct Poly6 {
  template <class T>
  static T value(T d, T h) {
    return T(kernel_detail::poly6<D>) / kernel_detail::power<D>(h) * poly6_shape(d * d / (h * h));
  }
};

// Steep at the centre, so that its gradient keeps particles apart: pressure, and the density that it goes by where its
// force is to be the slope of an energy.
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

// cos(pi/2 d/h) / (d/h) of the square of d/h up to 1, 0 beyond: the gradient of the cosine kernel,
// W = c 2h/pi (1 - sin(pi/2 d/h)), is -c/h times it times the vector. Its slope, unlike that of poly6, does not vanish
// at the centre.
template <class T>
KNEAD_INLINE T cosine_shape(T square_ratio) {
  constexpr double x = kernel_detail::pi * kernel_detail::pi / 4;
  const T inside = min(square_ratio, T(1)), far = T(x) * inside;
  T cosine(1);
  for (int k = 9; k > 0; --k) cosine = T(1) - far * cosine * T(1.0 / (2 * k * (2 * k - 1)));
  return max(cosine, T(0)) / sqrt(max(inside, T(1e-12)));
}

// The Laplacian of the viscosity kernel, positive everywhere: 45/(pi h^6) (h - d) in 3D, 40/(pi h^5) (h - d) in 2D.
template <int D, class T>
KNEAD_INLINE T viscosity_laplacian(T d, T h) {
  return T(D == 2 ? 40 / kernel_detail::pi : 45 / kernel_detail::pi) / kernel_detail::power<D + 2>(h) *
         max(T(1) - d / h, T(0));
}

}  // namespace knead
