// Grips of the methods without a grid hold particles: how deep they should reach, and the work that they do.
#include "support/small_scene.h"

#include <gtest/gtest.h>

namespace knead::test {
namespace {

struct Way {
  const char *name, *solver, *material;
};
const Way ways[] = {
    {"mls", "method = \"mls\"\n", "model = \"yield-flow\"\nyield_stress = 1e9\n"},
    {"embedded", "method = \"embedded\"\n", "model = \"yield-flow\"\nyield_stress = 1e9\n"},
    {"composed", "method = \"composed\"\n", "model = \"yield-flow\"\nyield_stress = 1e9\n"},
    {"implicit mls", "method = \"mls\"\nintegrator = \"implicit\"\ndt = 0.002\n", "model = \"strain-yield\"\n"},
};
constexpr double h = 0.1;  // m, the spacing

// A bar of four by four particles below y = 0, and as many layers above it as its grip holds.
std::string bar(int dimension, const Way& way, double young, double length, int layers, const std::string& general,
                const std::string& grips) {
  const double deep = layers * h;
  return fmt::format(
      "format = 1\n[scene]\nname = \"test\"\ndimension = {}\n{}\n[solver]\ndx = {}\nprecision = \"double\"\n{}"
      "[materials.m]\nyoung = {}\npoisson = 0.3\n{}"
      "[[body]]\nname = \"bar\"\nmaterial = \"m\"\nvelocity = [0, \"0.1*min(0, max(-1, y))\", 0]\n"
      "shape = {{ type = \"box\", center = [0, {}, 0], size = [{}, {}, {}] }}\n{}",
      dimension, general, h, way.solver, young, way.material, (deep - length) / 2, 4 * h, length + deep, 4 * h, grips);
}

// How far the end of a bar that hangs at rest is from its grip's edge, over what a bar would be that is held there:
// rho g (L z - z^2 / 2) / E, in 2D of E / (1 - nu^2). Less than 0.2 % of strain, and a drag that brings it to rest.
double hangs(int dimension, const Way& way, int layers) {
  const double L = 2, young = dimension == 2 ? 1e6 * (1 - 0.3 * 0.3) : 1e6;
  Simulation s(bar(dimension, way, young, L, layers,
                   fmt::format("gravity = [0, -0.981, 0]\nbody_force = [\"-25*vx\", \"-25*vy\", {}]",
                               dimension == 3 ? "\"-25*vz\"" : "0"),
                   "[[grip]]\nname = \"hold\"\nshape = { type = \"box\", center = [0, 0.5, 0], size = [3, 1, 3] }\n"),
               {"body.bar.velocity=[0, 0, 0]"});
  const auto end = [&] {
    const Column& x = *s.world.particles.find("x");
    double sum = 0, count = 0;
    for (std::size_t i = 0; i < x.count(); ++i)
      if (x.value(i, 1) < s.ledger().min[1] + 0.3 * h) sum += x.value(i, 1), count += 1;
    return sum / count;
  };
  const double z = -end();
  EXPECT_TRUE(s.run_until(1.2)) << way.name;
  return (-end() - z) / (981 / 1e6 * (L * z - z * z / 2));
}

// The linear fit itself says by how many spacings a bar seems longer at its grip: 0.4, 0.7 and 1.6 where that holds
// one, two and four layers. The strain is largest there, so each spacing is worth 2 h / L.
TEST(MeshlessGrips, two_layers_hold_a_bar_as_if_it_were_a_spacing_longer_at_most) {
  constexpr double spacing = 2 * h / 2;
  for (const Way& way : {ways[0], ways[1]})
    for (const int dimension : {2, 3}) {
      const double one = hangs(dimension, way, 1), two = hangs(dimension, way, 2), four = hangs(dimension, way, 4);
      EXPECT_NEAR(two, 1 + 0.7 * spacing, 0.4 * spacing) << way.name << dimension;
      EXPECT_NEAR(four, 1 + 1.6 * spacing, 0.7 * spacing) << way.name << dimension;
      if (dimension == 3)
        EXPECT_NEAR(one, 1 + 0.4 * spacing, 0.2 * spacing) << way.name;
      else
        EXPECT_GT(one, 1 + 1.2 * spacing) << way.name << ": in 2D a single layer does not hold";
    }
}

// A bar whose lower end is led down by 3 % of its length.
constexpr double pull_speed = 0.1, pull_time = 0.3;
Simulation pulled_bar(const Way& way, const std::vector<std::string>& sets = {}) {
  return Simulation(bar(3, way, 1e5, 1.2, 2, "gravity = [0, 0, 0]",
                        fmt::format("[[grip]]\nname = \"top\"\n"
                                    "shape = {{ type = \"box\", center = [0, 0.5, 0], size = [3, 1, 3] }}\n"
                                    "[[grip]]\nname = \"low\"\n"
                                    "shape = {{ type = \"box\", center = [0, -1.5, 0], size = [3, 1, 3] }}\n"
                                    "motion = {{ velocity = [0, {}, 0] }}\n"
                                    "[[probe]]\nname = \"f\"\ntype = \"force\"\non = \"low\"\n",
                                    -pull_speed)),
                    sets);
}
double gained(const Ledger& start, const Ledger& end) {
  return end.kinetic + end.elastic + end.dissipated - start.kinetic - start.elastic;
}

// What a grip does to a bar that it pulls is its force times its way, and the bar gains it. Implicit steps lose some,
// which nothing counts. In `elastic` the strain is that before the step: hence a percent, and half as much again with
// composed, whose steps are that much longer.
TEST(MeshlessGrips, work_is_force_times_way_and_what_the_matter_gains) {
  for (const Way& way : ways) {
    Simulation s = pulled_bar(way);
    const Ledger start = s.ledger();
    ASSERT_TRUE(s.run_until(pull_time)) << way.name;
    const Ledger end = s.ledger();
    const double work = s.world.reactions[0].impulse[1] * pull_speed;
    EXPECT_NEAR(end.contact_work, work, 1e-9 * std::abs(work)) << way.name;
    EXPECT_GT(end.elastic, 4) << way.name << ": E strain^2 / 2 is 45 J/m^3, of 0.16 m^3";
    if (std::string_view(way.name).starts_with("implicit")) {
      EXPECT_LT(gained(start, end), work) << way.name;
      EXPECT_GT(gained(start, end), 0.96 * work) << way.name;
    } else {
      EXPECT_NEAR(gained(start, end) / work, 1, 0.018) << way.name;
    }
  }
}

// However viscous the matter is that they hold: viscosity takes energy in every step, as much as the work of the grips
// is more than the matter gains. Tolerances are about those without viscosity.
TEST(MeshlessGrips, viscosity_takes_energy_in_every_step_and_closes_the_ledger) {
  for (const Way& way : ways)
    for (const char* viscosity : {"50", "2000"}) {
      Simulation s = pulled_bar(way, {std::string("solver.meshless.viscosity=") + viscosity});
      const Ledger start = s.ledger();
      double least = std::numeric_limits<double>::max();
      while (s.world.clock.time < pull_time) {
        const double before = s.world.tally.dissipated;
        ASSERT_TRUE(s.run_steps(1)) << way.name << viscosity;
        least = std::min(least, s.world.tally.dissipated - before);
      }
      const Ledger end = s.ledger();
      EXPECT_GE(least, 0) << way.name << viscosity;
      const bool implicit = std::string_view(way.name).starts_with("implicit");
      EXPECT_NEAR(gained(start, end) / end.contact_work, 1, implicit ? 0.04 : 0.02) << way.name << viscosity;
    }
}

}  // namespace
}  // namespace knead::test
