// Fixed corotated elasticity: quadratic in the stretches, finite for flat and inverted matter. Finite means weak too:
// at total collapse along one axis it holds mu + lambda/2, half the density times the square of the wave speed, and no
// more.
//
//   psi = mu sum (sigma_i - 1)^2 + lambda/2 (J - 1)^2,  J = product of sigma      (Stomakhin 2012, fixed corotated)
#pragma once

#include "material/elastic.h"
#include "material/flow_none.h"

namespace knead {

struct FixedCorotated : ElasticModuli {
  template <class T, int D>
  KNEAD_HD T energy(const Vec<T, D>& sigma) const {
    const T volume = product(sigma) - T(1);
    T shape = square(sigma[0] - T(1));
    for (int i = 1; i < D; ++i) shape = shape + square(sigma[i] - T(1));
    return T(mu()) * shape + T(lambda() / 2) * square(volume);
  }

  template <class T, int D>
  KNEAD_HD Vec<T, D> kirchhoff(const Vec<T, D>& sigma) const {
    const T J = product(sigma);
    const T pressure = T(lambda()) * (J - T(1)) * J;
    Vec<T, D> tau{};
    for (int i = 0; i < D; ++i) tau[i] = T(2 * mu()) * (sigma[i] - T(1)) * sigma[i] + pressure;
    return tau;
  }

  // tau = 2 mu (B - S) + lambda (J - 1) J I with B = F F^T and S = sqrt(B), of which Cayley and Hamilton's theorem
  // gives, with s_1, s_2 and J its invariants,
  //
  //   2D  S = (B + J I) / s_1
  //   3D  S = (s_1 J I + (s_1^2 - s_2) B - B^2) / (s_1 s_2 - J)                   (Ting 1985)
  //
  // s_1 is the largest root of (x^2 - tr B)^2 = 4 (second invariant of B) + 8 J x, reached by Newton's iteration from
  // above. Good while no stretch is below a tenth of the others, or so: there in float it is right to 2e-6 of the
  // stress that a unit strain makes.
  template <class T, int D>
  KNEAD_INLINE auto direct_stress(const Mat<T, D>& F, Sym<T, D>& tau) const {
    const Sym<T, D> B = left_cauchy_green(F);
    const T J = fused_determinant(F), mu2 = T(2 * mu());
    const T pressure = T(lambda()) * fma(J, J, -J);
    if constexpr (D == 2) {
      const T x = F(0, 0) + F(1, 1), y = F(1, 0) - F(0, 1), trace = sqrt(fma(x, x, y * y));
      const auto good = trace > T(1e-3);
      const T inverse = mu2 / trace, own = mu2 - inverse, rest = fma(-inverse, J, pressure);
      tau = {fma(own, B[0], rest), fma(own, B[1], rest), own * B[2]};
      return good;
    } else {
      const T I1 = B[0] + B[1] + B[2], off = fma(B[3], B[3], fma(B[4], B[4], B[5] * B[5]));
      const T I2 = fma(B[0], B[1], fma(B[1], B[2], fma(B[0], B[2], -off)));
      const T c0 = fma(I1, I1, T(-4) * I2), J8 = T(8) * J;
      T x = sqrt(T(3) * I1);
      const auto good = J > T(0.03) * I1 * x;
      for (int i = 0; i < newton_steps<T>; ++i) {
        const T x2 = x * x, value = fma(x2, x2 - T(2) * I1, fma(-J8, x, c0)), slope = fma(T(4) * x, x2 - I1, -J8);
        x = x - value / slope;
      }
      // B - S without the modulus, so that it is nothing at rest to the last bit.
      const T s2 = T(0.5) * fma(x, x, -I1), inverse = T(1) / fma(x, s2, -J);
      const T own = fma(-inverse, fma(x, x, -s2), T(1)), rest = -(inverse * (x * J));
      const Sym<T, 3> B2 = sym_square<3>(B);
      for (int i = 0; i < 3; ++i) tau[i] = fma(mu2, fma(own, B[i], fma(inverse, B2[i], rest)), pressure);
      for (int i = 3; i < 6; ++i) tau[i] = mu2 * fma(own, B[i], inverse * B2[i]);
      return good;
    }
  }

  template <class T, int D>
  KNEAD_HD Mat<T, D> hessian(const Vec<T, D>& sigma) const {
    const T J = product(sigma);
    const Vec<T, D> others = products_of_others(sigma);
    Mat<T, D> H{};
    for (int i = 0; i < D; ++i)
      for (int j = 0; j < D; ++j)
        H(i, j) = i == j ? T(2 * mu()) + T(lambda()) * square(others[i])
                         : T(lambda()) * (T(2) * J - T(1)) * product_without(sigma, i, j);
    return H;
  }

  // The polar rotation has no slope where two stretches are opposite: their sum is kept off zero by 1e-4.
  template <class T, int D>
  KNEAD_HD PairSlopes<T, D> pair_slopes(const Vec<T, D>& sigma) const {
    const T pressure = T(lambda()) * (product(sigma) - T(1));
    PairSlopes<T, D> s{};
    for (int i = 0, pair = 0; i < D; ++i)
      for (int j = i + 1; j < D; ++j, ++pair) {
        const T volume = pressure * product_without(sigma, i, j), sum = sigma[i] + sigma[j];
        s.minus[pair] = T(2 * mu()) - volume;
        s.plus[pair] = T(2 * mu()) * (T(1) - T(2) / copysign(max(abs(sum), T(1e-4)), sum)) + volume;
      }
    return s;
  }

 private:
  template <class T>
  static constexpr int newton_steps = sizeof(Real<T>) == 4 ? 4 : 6;
};

struct FixedCorotatedModel {
  static constexpr const char* name = "fixed-corotated";
  static constexpr const char* doc =
      "Elastic, for jelly and rubber: recovers from being inside out. An impact faster than "
      "its wave speed can flatten it for good; neo-hookean withstands that.";
  static constexpr double density = 1000;
  static constexpr FixedCorotated elastic{};
  static constexpr NoFlow flow{};
};

}  // namespace knead
