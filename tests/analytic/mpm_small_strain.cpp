// Small strains: floats keep what doubles keep.
#include "support/small_scene.h"

#include <gtest/gtest.h>

namespace knead::test {
namespace {

// A free beam that bends to and fro with strains of 1e-4 and less, which thousands of steps a period change by less
// than a float near 1 can tell: how much of its energy is left after two periods.
double energy_left(const char* precision, double dx, double speed) {
  Simulation s(one_body(
      2, std::string("precision = \"") + precision + "\"\ndx = " + std::to_string(dx),
      "model = \"neo-hookean\"\nyoung = 1e6\npoisson = 0.3\ndensity = 1000",
      "shape = { type = \"box\", size = [1, 0.1] }\nvelocity = [0, \"" + std::to_string(speed) + "*cos(6.2831853*x)\"]",
      "gravity = [0, 0]"));
  const auto energy = [&] { return s.ledger().kinetic + s.ledger().elastic; };
  const double before = energy();
  EXPECT_TRUE(s.run_until(0.6));
  return energy() / before;
}

TEST(SmallStrain, a_beam_keeps_the_same_energy_in_float_as_in_double) {
  for (const double dx : {0.025, 0.0125}) {
    const double wide = energy_left("double", dx, 2e-3);  // the same at all speeds: it is linear
    for (const double speed : {2e-3, 2e-4})
      EXPECT_NEAR(energy_left("float", dx, speed), wide, 0.01) << speed << " m/s, dx " << dx;
  }
}

}  // namespace
}  // namespace knead::test
