// Points at random are unevenly loaded, points of a lattice are not: what seeds cracks in matter of even strength.
#include "support/small_scene.h"

#include <gtest/gtest.h>

namespace knead::test {
namespace {

struct Spread {
  double deviation, most;  // over the mean
};

// Of the stress in the middle of a bar that has been stretched by 5 % and is at rest, where it should be uniform.
Spread stress_of(const std::string& body) {
  const auto grip = [](const char* name, const char* sign) {
    return fmt::format(
        "[[grip]]\nname = \"{0}\"\nshape = {{ type = \"box\", center = [{1}0.7, 0, 0], size = [0.4, 1, 1] }}\n"
        "motion = {{ keyframes = [{{ time = 0 }}, {{ time = 0.5, translate = [{1}0.025, 0, 0] }}] }}\n",
        name, sign);
  };
  Simulation s(
      one_body(3, "dx = 0.1", "model = \"neo-hookean\"\nyoung = 1e5\npoisson = 0",
               body + "\nshape = { type = \"box\", size = [1.4, 0.4, 0.4] }\nvelocity = [\"0.1*x\", 0, 0]",
               "gravity = [0, 0, 0]\nbody_force = [\"-30*(vx - 0.1*x*step(0.5 - t))\", \"-30*vy\", \"-30*vz\"]",
               grip("left", "-") + grip("right", "")));
  EXPECT_TRUE(s.run_until(0.8));
  const Column &tau = *s.world.particles.find("tau"), &x = *s.world.particles.find("x");
  double sum = 0, square_sum = 0, count = 0, most = 0;
  for (std::size_t i = 0; i < x.count(); ++i) {
    if (std::abs(x.value(i, 0)) > 0.2) continue;
    const double stress = tau.value(i, 0);
    sum += stress, square_sum += stress * stress, count += 1, most = std::max(most, stress);
  }
  const double mean = sum / count;
  return {std::sqrt(square_sum / count - mean * mean) / mean, most / mean};
}

TEST(Sampling, poisson_points_are_unevenly_loaded_and_a_lattice_evenly) {
  const Spread lattice = stress_of("particles_per_cell = 8"),
               poisson = stress_of("sampling = \"poisson\"\nparticles_per_cell = 6"),
               vertices = stress_of("cells = \"delaunay\"\ncells_bear = false\nparticles_per_cell = 6");
  EXPECT_LT(lattice.deviation, 0.02);
  EXPECT_LT(lattice.most, 1.05);
  for (const Spread& random : {poisson, vertices}) {
    EXPECT_GT(random.deviation, 0.03);
    EXPECT_GT(random.most, 1.1);
  }
}

}  // namespace
}  // namespace knead::test
