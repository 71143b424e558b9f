// Logarithm and exponential of symmetric 3 x 3 matrices that are not far from a multiple of the unit matrix, without
// eigenvectors, in float. With X free of trace Cayley and Hamilton's theorem reads
//
//   X^3 = j_2 X + j_3 I,   j_2 = |X|^2 / 2,   j_3 = det X
//
// so that a function of X is p I + q X + r X^2, and a quotient of polynomials one of two such matrices.
#pragma once

#include "material/elastic.h"

namespace knead {

template <class T>
struct Traceless {
  Sym<T, 3> X, square;
  T j2, j3;

  KNEAD_INLINE explicit Traceless(const Sym<T, 3>& x) : X(x), square(sym_square<3>(x)) {
    j2 = T(0.5) * (square[0] + square[1] + square[2]);
    const T off = fma(X[3], square[3], fma(X[4], square[4], X[5] * square[5]));
    j3 = fma(T(2), off, fma(X[0], square[0], fma(X[1], square[1], X[2] * square[2]))) * T(1.0 / 3);
  }
  // p I + q X + r X^2
  KNEAD_INLINE Sym<T, 3> polynomial(const T& p, const T& q, const T& r) const {
    Sym<T, 3> s{};
    for (int i = 0; i < 6; ++i) s[i] = i < 3 ? fma(q, X[i], fma(r, square[i], p)) : fma(q, X[i], r * square[i]);
    return s;
  }
};

// A B for symmetric matrices that commute.
template <class T>
KNEAD_INLINE Sym<T, 3> commuting_product(const Sym<T, 3>& a, const Sym<T, 3>& b) {
  Sym<T, 3> s{};
  for (int r = 0; r < 3; ++r)
    for (int c = r; c < 3; ++c) {
      T sum = a[sym_index<3>(r, 0)] * b[sym_index<3>(0, c)];
      for (int k = 1; k < 3; ++k) sum = fma(a[sym_index<3>(r, k)], b[sym_index<3>(k, c)], sum);
      s[sym_index<3>(r, c)] = sum;
    }
  return s;
}
// det(A) A^-1
template <class T>
KNEAD_INLINE Sym<T, 3> adjugate(const Sym<T, 3>& a) {
  const auto minor = [](const T& x, const T& y, const T& z, const T& w) { return fma(x, y, -(z * w)); };
  return {minor(a[1], a[2], a[5], a[5]), minor(a[0], a[2], a[4], a[4]), minor(a[0], a[1], a[3], a[3]),
          minor(a[4], a[5], a[3], a[2]), minor(a[3], a[5], a[4], a[1]), minor(a[3], a[4], a[0], a[5])};
}

// The deviator of ln(B) / 2, from B = s (I + X) by the [4/4] Pade form of the logarithm,
//
//   ln(1 + x) = (420 x + 630 x^2 + 260 x^3 + 25 x^4) / (420 + 840 x + 540 x^2 + 120 x^3 + 6 x^4).
//
// Gives the mask of where it is good: no eigenvalue of X is beyond 0.35, where the form is right to 1.2e-8.
template <class T>
KNEAD_INLINE auto half_log_deviator(const Sym<T, 3>& B, Sym<T, 3>& deviator) {
  const T inverse_mean = T(3) / (B[0] + B[1] + B[2]);
  Sym<T, 3> x{};
  for (int i = 0; i < 6; ++i) x[i] = i < 3 ? fma(B[i], inverse_mean, T(-1)) : B[i] * inverse_mean;
  const Traceless<T> X(x);
  const Sym<T, 3> over =
      X.polynomial(T(260) * X.j3, fma(T(260), X.j2, fma(T(25), X.j3, T(420))), fma(T(25), X.j2, T(630)));
  const Sym<T, 3> under =
      X.polynomial(fma(T(120), X.j3, T(420)), fma(T(120), X.j2, fma(T(6), X.j3, T(840))), fma(T(6), X.j2, T(540)));
  const Sym<T, 3> inverse = adjugate(under);
  const T half = T(0.5) / fma(under[0], inverse[0], fma(under[3], inverse[3], under[4] * inverse[4]));
  deviator = commuting_product(over, inverse);
  const T mean = (deviator[0] + deviator[1] + deviator[2]) * T(1.0 / 3);
  for (int i = 0; i < 6; ++i) deviator[i] = half * (i < 3 ? deviator[i] - mean : deviator[i]);
  // Of numbers without sum the largest is at most sqrt(2/3) of their norm.
  return X.j2 < T(0.5 * 1.5 * 0.35 * 0.35);
}

// e exp(k X) - I for |k X| < 0.3, by its series to the sixth power.
template <class T>
KNEAD_INLINE Sym<T, 3> scaled_exp_minus_one(const Traceless<T>& X, const T& k, const T& e) {
  const T k2 = k * k, j2 = k2 * X.j2, j3 = k2 * k * X.j3;
  const T p = j3 * fma(j2, T(1.0 / 120), T(1.0 / 6));
  const T q = fma(j2, fma(j2, T(1.0 / 120), fma(j3, T(1.0 / 360), T(1.0 / 6))), fma(j3, T(1.0 / 24), T(1)));
  const T r = fma(j2, fma(j2, T(1.0 / 720), T(1.0 / 24)), fma(j3, T(1.0 / 120), T(0.5)));
  return X.polynomial(fma(e, p, e - T(1)), e * q * k, e * r * k2);
}

}  // namespace knead
