// The elementary functions in plain double arithmetic, so that every processor gives the same bits. Those of the C
// library choose code with or without fused multiply-adds when the program starts, and their last bit depends on it.
// Within 0.6 units in the last place of the exact values over the whole range, 0.76 where the result is below the
// normal numbers, with the limits and special values of C99, Annex F. The code that simulates calls these, and no std::
// function of their names (tests/docs/test_sources.py); floats go through double.
#pragma once

#include <concepts>

namespace knead::elementary {

double exp(double x);
double exp2(double x);
double log(double x);
double log2(double x);
double log10(double x);
double pow(double x, double y);

double sin(double x);
double cos(double x);
double tan(double x);
double asin(double x);
double acos(double x);
double atan(double x);
double atan2(double y, double x);

double sinh(double x);
double cosh(double x);
double tanh(double x);

double cbrt(double x);
double hypot(double x, double y);

// x^n by repeated multiplication.
template <std::floating_point T>
constexpr T power(T x, int n) {
  if (n < 0) return T(1) / power(x, -n);
  T r(1);
  for (; n > 0; n /= 2, x *= x)
    if (n % 2) r *= x;
  return r;
}

}  // namespace knead::elementary
