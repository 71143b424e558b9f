// Small strains: floats keep what doubles keep.
#include "support/small_scene.h"

#include <gtest/gtest.h>

namespace knead::test {
namespace {

// A free beam that bends to and fro with strains of 1e-4 and less, which thousands of steps a period change by less
// than a float near 1 can tell: how much of its energy is left after two periods.
double energy_left(const char* precision, double dx, double speed, const std::string& body = "", double middle = 0,
                   const std::string& solver = "") {
  Simulation s(one_body(2, std::string("precision = \"") + precision + "\"\ndx = " + std::to_string(dx) + "\n" + solver,
                        "model = \"neo-hookean\"\nyoung = 1e6\npoisson = 0.3\ndensity = 1000",
                        "shape = { type = \"box\", size = [1, 0.1], center = [" + std::to_string(middle) +
                            ", 0] }\nvelocity = [0, \"" + std::to_string(speed) + "*cos(6.283185307*x)\"]\n" + body,
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

// Where the cells of a mesh bear, their strain is that of places, of which a float keeps less the farther it is. So
// slow a motion needs a small error of implicit solves.
TEST(SmallStrain, a_beam_of_cells_keeps_the_same_energy_in_float_as_in_double) {
  for (const char* solver :
       {"", "advect = \"particle\"", "integrator = \"implicit\"\ndt_max = 1e-3\nnewton_tolerance = 1e-8",
        "integrator = \"semi-implicit\"\ndt_max = 1e-3\nnewton_tolerance = 1e-8"}) {
    const double wide = energy_left("double", 0.025, 2e-3, "cells = \"delaunay\"", 0, solver);
    for (const double middle : {0, 10})
      for (const double speed : {2e-2, 2e-4})
        EXPECT_NEAR(energy_left("float", 0.025, speed, "cells = \"delaunay\"", middle, solver), wide, 0.01)
            << speed << " m/s, at " << middle << " m\n"
            << solver;
  }
}

}  // namespace
}  // namespace knead::test
