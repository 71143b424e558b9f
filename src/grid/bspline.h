// B-spline weights of a particle on the grid: tensor products of 1D linear, quadratic or cubic splines (Wang 2020, Eq.
// 3.13; Fumoto, Eqs. 1-2 and 9 with the factor 1/dx that its gradient lacks).
#pragma once

#include "base/vec.h"

#include <cmath>

namespace knead {

// The spline of one axis at distance f = x/dx - base from its first node, and its derivative with respect to x/dx. No
// branches, so a particle that sits exactly on a node is nothing special.
template <int degree, class T>
struct BSpline1 {
  T w[degree + 1];
  T dw[degree + 1];

  BSpline1() = default;
  explicit BSpline1(T f) {
    if constexpr (degree == 1) {
      w[0] = T(1) - f, w[1] = f;
      dw[0] = T(-1), dw[1] = T(1);
    } else if constexpr (degree == 2) {
      const T a = T(1.5) - f, b = f - T(1), c = f - T(0.5);
      w[0] = T(0.5) * a * a, w[1] = T(0.75) - b * b, w[2] = T(0.5) * c * c;
      dw[0] = -a, dw[1] = T(-2) * b, dw[2] = c;
    } else {
      static_assert(degree == 3, "linear, quadratic and cubic splines are offered");
      const T a = f - T(1), g = T(1) - a;  // a in [0, 1): the offset from the second node
      const T a2 = a * a, g2 = g * g, sixth = T(1) / T(6);
      w[0] = sixth * g2 * g, w[3] = sixth * a2 * a;
      w[1] = T(2) / T(3) + a2 * (T(0.5) * a - T(1)), w[2] = T(2) / T(3) + g2 * (T(0.5) * g - T(1));
      dw[0] = T(-0.5) * g2, dw[3] = T(0.5) * a2;
      dw[1] = a * (T(1.5) * a - T(2)), dw[2] = -g * (T(1.5) * g - T(2));
    }
  }
};

// The first node of the stencil along one axis, as a number without fraction: floor(x/dx) for linear, floor(x/dx - 1/2)
// for quadratic, floor(x/dx) - 1 for cubic splines.
template <int degree, class T>
T first_node(const T& x_in_cells) {
  using std::floor;
  if constexpr (degree == 2) return floor(x_in_cells - T(0.5));
  constexpr int before = degree / 2;
  return floor(x_in_cells) - T(before);
}
template <int degree, class T>
int stencil_base(T x_in_cells) {
  return static_cast<int>(first_node<degree>(x_in_cells));
}

template <int degree, class T, int D>
Vec<int, D> stencil_base(const Vec<T, D>& x, T inverse_dx) {
  Vec<int, D> base{};
  for (int a = 0; a < D; ++a) base[a] = stencil_base<degree>(x[a] * inverse_dx);
  return base;
}

// The second moment of the weights is this times dx^2 times the identity: 1/4 for quadratic, 1/3 for cubic (Wang 2020,
// Eq. 3.20). That of linear splines depends on the place: f (1 - f) dx^2 along each axis, nothing on a node.
template <class T, int degree>
requires(degree > 1) inline constexpr T second_moment = T(degree + 1) / T(12);

}  // namespace knead
