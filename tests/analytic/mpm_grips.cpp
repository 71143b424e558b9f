// Bars between grips of the material point method: a grip holds grid nodes, so the stress beside it depends on how deep
// it reaches into the matter, and on where the nodes are.
#include "support/small_scene.h"

#include <gtest/gtest.h>

namespace knead::test {
namespace {

// Where a bar of 0.4 m by twice `end` ends between nodes 0.1 m apart, how deep its grips reach into it, and how far
// beyond it.
struct Held {
  double end, deep, beyond;
};
const double ends[] = {1, 1.025, 1.05, 1.075};

Simulation pulled(const Held& held, const std::string& material, double rate, double until) {
  const auto grip = [&](const char* name, double side) {
    return fmt::format(
        "[[grip]]\nname = \"{}\"\nshape = {{ type = \"box\", center = [{}, 0], size = [{}, 2] }}\n"
        "motion = {{ keyframes = [{{ time = 0 }}, {{ time = {}, translate = [{}, 0] }}] }}\n",
        name, side * (held.end + (held.beyond - held.deep) / 2), held.deep + held.beyond, until, side * rate * until);
  };
  return Simulation(one_body(
      2, "dx = 0.1\nprecision = \"double\"", "young = 1e5\npoisson = 0\n" + material,
      fmt::format("shape = {{ type = \"box\", size = [{}, 0.4] }}\nvelocity = [\"{}*x\", 0]", 2 * held.end, rate),
      // As fast as it is stretched, then at rest.
      fmt::format("gravity = [0, 0]\nbody_force = [\"-30*(vx - {}*x*step({} - t))\", \"-30*vy\"]", rate, until),
      grip("left", -1) + grip("right", 1)));
}

struct Stress {
  double middle = 0, most = 0;
};
Stress along(const World& world) {
  const Column& tau = *world.particles.find("tau");
  const auto x = world.particles.get<Vec2d>("x");
  Stress s;
  double count = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    s.most = std::max(s.most, tau.value(i, 0));
    if (std::abs(x[i][0]) < 0.3) s.middle += tau.value(i, 0), count += 1;
  }
  s.middle /= count;
  return s;
}

// The largest stress over that in the middle, at rest after 1 %. Without lateral contraction it is uniform: 1.
double unevenness(const Held& held) {
  Simulation s = pulled(held, "model = \"neo-hookean\"", 0.02, 0.5);
  EXPECT_TRUE(s.run_until(1.5));
  const Stress stress = along(s.world);
  return stress.most / stress.middle;
}

// The largest stress in the middle of a bar that is pulled apart, over its strength.
double share_of_strength(const Held& held) {
  Simulation s = pulled(held, "model = \"rankine\"\ntensile_strength = 1e3\nfracture_energy = 0.1", 0.02, 0.8);
  double most = 0;
  while (s.world.clock.time < 0.8) {
    EXPECT_TRUE(s.run_steps(5));
    most = std::max(most, along(s.world).middle);
  }
  return most / 1e3;
}

TEST(Grips, two_cells_deep_strain_matter_evenly_wherever_nodes_are) {
  for (const double end : ends)
    for (const double beyond : {0.0, 1.0}) {
      EXPECT_LT(unevenness({end, 0.2, beyond}), 1.25) << end << ' ' << beyond;
      EXPECT_GT(share_of_strength({end, 0.2, beyond}), 0.9) << end << ' ' << beyond;
    }
}

// One that ends with the matter and is a cell deep may hold a single column of nodes once it moves, one half a cell
// deep none.
TEST(Grips, a_cell_deep_or_less_strain_it_unevenly_or_lose_it) {
  EXPECT_GT(unevenness({1, 0.1, 0}), 1.8);
  EXPECT_LT(share_of_strength({1, 0.1, 0}), 0.7);
  EXPECT_GT(unevenness({1.05, 0.05, 1}), 1.8);
  EXPECT_LT(share_of_strength({1.05, 0.05, 1}), 0.7);
  EXPECT_LT(share_of_strength({1.05, 0.05, 0}), 0.4);
}

}  // namespace
}  // namespace knead::test
