// Composed matter under tension at its default settings: with too few neighbours, particles pair up along the pull, and
// matter that should hang, be pulled or fly apart after an impact comes apart or gains energy.
#include "support/small_scene.h"

#include <gtest/gtest.h>

namespace knead::test {
namespace {

using V = Vec<double, 3>;

// The mean height of the particles that started at one, by where they all started.
double height_of(const Simulation& s, const std::vector<V>& start, double at) {
  const auto x = s.world.particles.get<V>("x");
  double sum = 0;
  int count = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    if (std::abs(start[i][1] - at) < 0.01) sum += x[i][1], ++count;
  return sum / count;
}

// Below a layer at height b hangs a bar of that length; between it and one at a it is longer by rho g (b^2 - a^2) / 2E,
// whatever the grip does to the matter near it. The largest strain is 1 or 3 %.
TEST(MeshlessTension, a_composed_bar_hangs_as_long_as_its_weight_says) {
  for (const double strain : {0.01, 0.03}) {
    const double weight = 1000 * 9.81, young = weight * 1.8 / strain;
    Simulation s(
        "format = 1\n[scene]\nname = \"test\"\ngravity = [0, -9.81, 0]\nbody_force = [\"-20*vx\", \"-20*vy\", "
        "\"-20*vz\"]\n[solver]\nmethod = \"composed\"\ndx = 0.1\nprecision = \"double\"\n[materials.m]\nmodel = "
        "\"yield-flow\"\npoisson = 0\nyield_stress = 1e9\n[[body]]\nname = \"bar\"\nmaterial = \"m\"\nshape = { type "
        "= \"box\", center = [0, 1, 0], size = [0.6, 2, 0.6] }\n[[grip]]\nname = \"high\"\nshape = { type = \"box\", "
        "center = [0, 2, 0], size = [3, 0.4, 3] }\n",
        {"materials.m.young=" + std::to_string(young)});
    const auto x = s.world.particles.get<V>("x");
    const std::vector<V> start(x.begin(), x.end());
    ASSERT_TRUE(s.run_until(0.6)) << strain;
    const double high = 1.45, low = 0.05, longer = weight * (high * high - low * low) / (2 * young);
    const double length = height_of(s, start, high) - height_of(s, start, low);
    EXPECT_NEAR((length - (high - low)) / longer, 1, 0.15) << strain;
  }
}

// Two discs without viscosity that meet, two thirds of the speed of their waves fast together.
TEST(MeshlessTension, composed_bodies_that_collide_gain_no_energy) {
  for (const char* precision : {"float", "double"}) {
    Simulation s(
        "format = 1\n[scene]\nname = \"test\"\ndimension = 2\ngravity = [0, 0]\n[solver]\nmethod = \"composed\"\ndx = "
        "0.04\n[materials.m]\nmodel = \"yield-flow\"\nyoung = 1e5\nyield_stress = 1e9\n[[body]]\nname = "
        "\"disc\"\nmaterial = \"m\"\nvelocity = [3, 0]\nshape = { type = \"disc\", center = [-0.8, 0.05], radius = 0.3 "
        "}\n[[body]]\nname = \"block\"\nmaterial = \"m\"\nvelocity = [-3, 0]\nshape = { type = \"box\", center = "
        "[0.4, 0], size = [0.6, 0.8] }\n",
        {std::string("solver.precision=\"") + precision + '"'});
    const double start = s.ledger().kinetic;
    for (int k = 1; k <= 30; ++k) {
      ASSERT_TRUE(s.run_until(k / 30.0)) << precision << ' ' << k;
      const Ledger now = s.ledger();
      ASSERT_LT(now.kinetic + now.elastic + now.dissipated, 1.01 * start) << precision << ' ' << k;
    }
    EXPECT_GT(s.ledger().kinetic + s.ledger().elastic + s.ledger().dissipated, 0.97 * start) << precision;
  }
}

}  // namespace
}  // namespace knead::test
