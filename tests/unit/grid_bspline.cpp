// Identities that every kernel must satisfy, at random points and exactly on nodes.
#include "grid/bspline.h"

#include <gtest/gtest.h>

#include <random>

namespace knead {
namespace {

template <class S>
class BSplineTest : public testing::Test {};
template <int n>
struct Degree {
  static constexpr int value = n;
};
using Degrees = testing::Types<Degree<1>, Degree<2>, Degree<3>>;
TYPED_TEST_SUITE(BSplineTest, Degrees);

// Calls f(x) for random places and for places exactly on nodes and on cell faces.
template <class F>
void for_many_places(F&& f) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> place(-20, 20);
  for (int i = 0; i < 2000; ++i) f(place(random));
  for (int i = -6; i <= 6; ++i) f(0.5 * i);
}

TYPED_TEST(BSplineTest, weights_sum_to_one_and_reproduce_position_and_second_moment) {
  constexpr int degree = TypeParam::value;
  for_many_places([](double x) {
    const int base = stencil_base<degree>(x);
    const BSpline1<degree, double> s(x - base);
    double one = 0, first = 0, second = 0, slope = 0, slope_first = 0;
    for (int k = 0; k <= degree; ++k) {
      const double r = base + k - x;
      EXPECT_GE(s.w[k], -1e-15);
      one += s.w[k], first += s.w[k] * r, second += s.w[k] * r * r;
      slope += s.dw[k], slope_first += s.dw[k] * r;
    }
    EXPECT_NEAR(one, 1, 1e-13);
    EXPECT_NEAR(first, 0, 1e-13);
    if constexpr (degree == 1)
      EXPECT_NEAR(second, (x - base) * (base + 1 - x), 1e-13);
    else
      EXPECT_NEAR(second, (second_moment<double, degree>), 1e-13);
    EXPECT_NEAR(slope, 0, 1e-13);
    EXPECT_NEAR(slope_first, 1, 1e-12);
  });
}

TYPED_TEST(BSplineTest, derivative_matches_differences_also_on_nodes) {
  constexpr int degree = TypeParam::value;
  const double h = 1e-6;
  for_many_places([h](double x) {
    const int base = stencil_base<degree>(x);
    const BSpline1<degree, double> s(x - base), up(x + h - base), down(x - h - base);
    for (int k = 0; k <= degree; ++k) {
      ASSERT_TRUE(std::isfinite(s.dw[k]));
      // One polynomial piece on either side: away from the piece's ends the stencil's own formula holds on both.
      EXPECT_NEAR(s.dw[k], (up.w[k] - down.w[k]) / (2 * h), 1e-5);
    }
  });
}

TEST(BSpline, stencil_is_centred_on_the_particle) {
  for_many_places([](double x) {
    const int b1 = stencil_base<1>(x), b2 = stencil_base<2>(x), b3 = stencil_base<3>(x);
    EXPECT_GE(x - b1, 0);
    EXPECT_LT(x - b1, 1);
    EXPECT_GE(x - b2, 0.5 - 1e-12);
    EXPECT_LT(x - b2, 1.5 + 1e-12);
    EXPECT_GE(x - b3, 1.0 - 1e-12);
    EXPECT_LT(x - b3, 2.0 + 1e-12);
  });
}

}  // namespace
}  // namespace knead
