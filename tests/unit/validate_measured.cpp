#include "validate/measured.h"

#include <gtest/gtest.h>

#include <limits>

namespace knead {
namespace {

TEST(Measured, passes_within_the_tolerance_of_its_reference_and_not_beyond) {
  EXPECT_TRUE(relative("a", "", 10.1, 10, 0.0101).pass());
  EXPECT_FALSE(relative("a", "", 10.1, 10, 0.0099).pass());
  EXPECT_TRUE(relative("a", "", -10.1, -10, 0.0101).pass());
  EXPECT_TRUE(between("a", "", 0.5, 0.4, 0.6).pass());
  EXPECT_FALSE(between("a", "", 0.61, 0.4, 0.6).pass());
}

TEST(Measured, one_sided_gates_let_the_other_side_pass) {
  EXPECT_TRUE(at_most("a", "", 1, 1).pass());
  EXPECT_TRUE(at_most("a", "", -5, 1).pass());
  EXPECT_FALSE(at_most("a", "", 1.01, 1).pass());
  EXPECT_TRUE(at_least("order", "", 1.8, 2, 1.8).pass());
  EXPECT_TRUE(at_least("order", "", 3, 2, 1.8).pass());
  EXPECT_FALSE(at_least("order", "", 1.79, 2, 1.8).pass());
}

TEST(Measured, what_is_no_number_never_passes) {
  const double none = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(within("a", "", none, 0, 1e300).pass());
  EXPECT_FALSE(at_most("a", "", none, 1e300).pass());
  EXPECT_FALSE(at_least("a", "", none, 0, -1e300).pass());
  EXPECT_FALSE(does_not_grow("a", 1, none, 1).pass());
}

TEST(Measured, an_error_that_grows_by_more_than_a_tenth_fails_unless_it_is_far_below_what_is_allowed) {
  EXPECT_TRUE(does_not_grow("a", 1, 1.09, 2).pass());
  EXPECT_FALSE(does_not_grow("a", 1, 1.11, 2).pass());
  EXPECT_TRUE(does_not_grow("a", 1e-6, 1e-3, 1).pass());
}

TEST(Measured, straightness_is_the_share_that_a_line_explains) {
  const std::vector<double> time{0, 1, 2, 3};
  EXPECT_NEAR(straightness(time, {5, 3, 1, -1}), 1, 1e-15);
  EXPECT_NEAR(straightness(time, {0, 1, 1, 0}), 0, 1e-15);
  EXPECT_NEAR(straightness(time, {0, 1, 4, 9}), 45.0 / 49, 1e-15) << "slope 3, sums of squares 4 of 49";
}

TEST(Measured, a_wrong_input_must_trip_a_gate_and_not_only_break_the_run) {
  const std::vector<Measured> good = {at_most("a", "", 1, 2), at_most("b", "", 1, 2)},
                              bad = {at_most("a", "", 1, 2), at_most("b", "", 3, 2)};
  EXPECT_TRUE(went_as_it_should(good, false, false));
  EXPECT_FALSE(went_as_it_should(bad, false, false));
  EXPECT_FALSE(went_as_it_should(good, false, true));
  EXPECT_TRUE(went_as_it_should(bad, false, true));
  EXPECT_FALSE(went_as_it_should({}, true, false));
  EXPECT_FALSE(went_as_it_should({}, true, true)) << "nothing was judged";
}

}  // namespace
}  // namespace knead
