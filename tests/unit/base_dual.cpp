// Dual numbers carry exact derivatives.
#include "base/dual.h"

#include <gtest/gtest.h>

namespace knead {
namespace {

template <class T>
T sample(const T& x) {
  return exp(x) * log(x + T(2)) / sqrt(x * x + T(1)) - abs(x - T(3)) + max(x, T(0.5)) * min(x, T(4)) - rsqrt(x);
}

TEST(Dual, slope_agrees_with_central_differences) {
  for (const double x : {0.1, 0.3, 0.7, 1.5, 2.9, 3.1, 4.5}) {
    // Cubic error of the difference 1e-10, rounding 1e-16 / 1e-5.
    const double step = 1e-5, difference = (sample(x + step) - sample(x - step)) / (2 * step);
    EXPECT_NEAR(sample(Dual<double>{x, 1}).slope, difference, 1e-7);
    EXPECT_DOUBLE_EQ(sample(Dual<double>{x, 1}).value, sample(x));
  }
}

TEST(Dual, of_duals_gives_second_derivatives) {
  using D = Dual<double>;
  const Dual<D> x{D{0.7, 1}, D{1, 0}};
  EXPECT_NEAR((x * x * x).slope.slope, 6 * 0.7, 1e-14);
  EXPECT_NEAR(log(x).slope.slope, -1 / (0.7 * 0.7), 1e-14);
  EXPECT_NEAR(exp(x).slope.slope, std::exp(0.7), 1e-14);
}

TEST(Dual, copysign_turns_the_slope_with_the_value) {
  const Dual<double> a = copysign(Dual<double>{2, 3}, Dual<double>{-1, 0});
  EXPECT_EQ(a.value, -2);
  EXPECT_EQ(a.slope, -3);
}

}  // namespace
}  // namespace knead
