// Bodies that start strained or stressed, grips that lead matter by formulas, and sums over chosen matter.
#include "mpm/columns.h"
#include "run/probes.h"
#include "support/small_scene.h"

#include <gtest/gtest.h>

#include <numbers>

namespace knead::test {
namespace {

double probe_value(const Simulation& s, const std::string& name) {
  for (const ProbeCell& c : probe_cells(s.scene(), &s.world, s.solver.get()))
    if (c.name == name) return c.value;
  ADD_FAILURE() << "no column " << name;
  return 0;
}

// A bar pulled into its first mode, a sin(pi X), and let go: it holds E a^2 pi^2 / 4 times its section, and is
// stretched again after the period 2 L / c.
TEST(StartStrain, a_bar_displaced_into_its_mode_swings_in_it) {
  const double a = 1e-3, young = 1e6, c = std::sqrt(young / 1000);
  Simulation s(one_body(
      2, "dx = 0.025\nprecision = \"double\"", "model = \"neo-hookean\"\nyoung = 1e6\npoisson = 0\ndensity = 1000",
      "shape = { type = \"box\", size = [1, 0.2] }\ndisplacement = [\"0.001*sin(3.14159265358979*X)\", 0]",
      "gravity = [0, 0]"));
  const double expected = young * a * a * std::numbers::pi * std::numbers::pi / 4 * 0.2;
  EXPECT_NEAR(s.ledger().elastic, expected, 0.01 * expected);
  EXPECT_EQ(s.ledger().kinetic, 0);
  const double half = 1 / c;
  EXPECT_TRUE(s.run_until(half / 2));
  EXPECT_NEAR(s.ledger().kinetic, expected, 0.03 * expected) << "a quarter of a period: all of it moves";
  EXPECT_TRUE(s.run_until(half));
  EXPECT_NEAR(s.ledger().elastic, expected, 0.05 * expected) << "half a period: squeezed";
  EXPECT_LT(s.ledger().max[0], 0.5 - 0.0125 * 0.5) << "and shorter";
}

// Whatever the law and its way to the stress.
TEST(StartStress, every_law_starts_with_the_stress_that_is_asked_for) {
  for (const char* material :
       {"model = \"neo-hookean\"\nyoung = 1e6\npoisson = 0.3",
        "model = \"fixed-corotated\"\nyoung = 1e6\npoisson = 0.3", "model = \"hencky\"\nyoung = 1e6\npoisson = 0.3",
        "model = \"von-mises\"\nyoung = 1e6\npoisson = 0.3\nyield_stress = 1e6"})
    for (const int dimension : {2, 3}) {
      const std::string shear = dimension == 3 ? "[\"2e4*X\", 3000, \"1e4*Z\"]" : "[\"2e4*X\", 0]";
      Simulation s(one_body(dimension, "dx = 0.1\nprecision = \"double\"", material,
                            "shape = { type = \"box\", size = [0.4, 0.4, 0.4] }\nstress = { normal = [\"1e5*(1 + Y)\", "
                            "-2e5" +
                                std::string(dimension == 3 ? ", 3e4" : "") + "], shear = " + shear + " }"));
      const auto check = [&]<int D>(std::integral_constant<int, D>) {
        const Columns<double, D> p(s.world.particles);
        for (std::size_t i = 0; i < p.x.size(); ++i) {
          const double J = determinant(p.F(i));
          EXPECT_NEAR(p.tau[i][0] / J, 1e5 * (1 + p.x[i][1]), 1) << material;
          EXPECT_NEAR(p.tau[i][1] / J, -2e5, 1) << material;
          EXPECT_NEAR(p.tau[i][D] / J, 2e4 * p.x[i][0], 1) << material;
          const double last = D == 3 ? 1e4 * p.x[i][D - 1] : 2e4 * p.x[i][0];
          EXPECT_NEAR(p.tau[i][D * (D + 1) / 2 - 1] / J, last, 1) << material;
        }
      };
      dimension == 2 ? check(std::integral_constant<int, 2>{}) : check(std::integral_constant<int, 3>{});
    }
  Simulation water(
      one_body(2, "dx = 0.1", "model = \"fluid\"\nsound_speed = 10",
               "shape = { type = \"box\", size = [1, 1] }\nstress = { normal = [\"-1e4*(0.5 - Y)\", \"-1e4*(0.5 "
               "- Y)\"] }"));
  const Columns<float, 2> p(water.world.particles);
  for (std::size_t i = 0; i < p.x.size(); ++i)
    EXPECT_NEAR(p.tau[i][1] / determinant(p.F(i)), -1e4 * (0.5 - p.x[i][1]), 20);
}

// The mean stress in a square that is led to 2.5 % of stretch, where its strength is reached at 1 %.
double strength_of(const std::string& damage) {
  Simulation s(one_body(2, "dx = 0.1\nprecision = \"double\"\ntransfer = \"apic\"",
                        "model = \"rankine\"\nyoung = 1e6\npoisson = 0\ndensity = 1000\ntensile_strength = 1e4",
                        "shape = { type = \"box\", size = [1, 1] }\nvelocity = [\"0.05*x\", 0]\n" + damage,
                        "gravity = [0, 0]\nduration = 0.5",
                        "[[grip]]\nshape = { type = \"box\", size = [4, 4] }\ndisplacement = [\"0.05*t*X\", 0]\n"
                        "[[probe]]\nname = \"s\"\ntype = \"mean\"\ncolumn = \"stress_xx\""));
  EXPECT_TRUE(s.run_until(0.5));
  return probe_value(s, "s_mean");
}

TEST(StartDamage, is_missing_from_the_strength) {
  // Kirchhoff's stress is the strength; Cauchy's is that over the volume.
  constexpr double volume = 1.025;
  EXPECT_NEAR(strength_of(""), 1e4 / volume, 1);
  EXPECT_NEAR(strength_of("damage = \"0.25\""), 7500 / volume, 1);
  EXPECT_NEAR(strength_of("damage = \"0.5*(X > 0)\""), 7500 / volume, 1);
  EXPECT_EQ(strength_of("damage = \"1\""), 0) << "broken from the start";
}

template <int D>
void check_cells_start_with_the_damage_in_their_middle() {
  const Simulation s(one_body(D, "dx = 0.1", "model = \"rankine-von-mises\"\ntensile_strength = 1e4",
                              "shape = { type = \"box\", size = [0.8, 0.8, 0.4] }\ncells = \"delaunay\"\n"
                              "damage = \"0.5 + 0.5*X + 0.1*Y\""));
  std::vector<Vec<float, D>> place(s.world.particles.count());
  for (std::size_t i = 0; i < place.size(); ++i)
    place[static_cast<std::size_t>(s.world.particles.get<std::int32_t>("id")[i])] =
        s.world.particles.get<Vec<float, D>>("x")[i];
  const Particles& cells = s.world.mesh.cells;
  const auto lost = cells.get<float>("damage"), sheared = cells.get<float>("shear_damage");
  const auto corners = cells.get<Vec<std::int32_t, D + 1>>("corners");
  ASSERT_GT(lost.size(), 100u);
  for (std::size_t i = 0; i < lost.size(); ++i) {
    Vec<float, D> middle{};
    for (int k = 0; k <= D; ++k) middle += place[static_cast<std::size_t>(corners[i][k])] / (D + 1);
    EXPECT_NEAR(lost[i], 0.5f + 0.5f * middle[0] + 0.1f * middle[1], 1e-6);
    EXPECT_EQ(sheared[i], lost[i]);
  }
}

TEST(StartDamage, is_missing_from_cells_as_well) {
  check_cells_start_with_the_damage_in_their_middle<2>();
  check_cells_start_with_the_damage_in_their_middle<3>();
}

TEST(StartDamage, beyond_all_of_the_strength_is_refused) {
  EXPECT_THROW(Simulation(one_body(2, "dx = 0.1", "model = \"rankine\"",
                                   "shape = { type = \"box\", size = [1, 1] }\ndamage = \"2*X\"")),
               Failure);
}

TEST(StartStress, what_a_material_does_not_bear_is_refused) {
  EXPECT_THROW(Simulation(one_body(2, "dx = 0.1", "model = \"von-mises\"\nyoung = 1e6\nyield_stress = 1e4",
                                   "shape = { type = \"box\", size = [1, 1] }\nstress = { normal = [1e5, -1e5] }")),
               Failure);
  EXPECT_THROW(
      Simulation(one_body(2, "dx = 0.1", "model = \"fluid\"",
                          "shape = { type = \"box\", size = [1, 1] }\nstress = { normal = [0, 0], shear = [100, "
                          "0] }")),
      Failure);
}

// A grip that leads matter by a formula: what lay in it follows, and is strained by it.
TEST(LedMatter, follows_the_formula_of_its_grip) {
  for (const char* integrator : {"explicit", "implicit"}) {
    Simulation s(one_body(2, std::string("dx = 0.05\nprecision = \"double\"\nintegrator = \"") + integrator + "\"",
                          "model = \"neo-hookean\"\nyoung = 1e5\npoisson = 0.3",
                          "shape = { type = \"box\", size = [1, 0.4] }", "gravity = [0, 0]",
                          "[[grip]]\nname = \"all\"\nshape = { type = \"box\", size = [2, 2] }\n"
                          "displacement = [\"0.5*t + 0.4*t*Y\", \"0.3*t*X\"]\n"
                          "[[probe]]\nname = \"f\"\ntype = \"mean\"\ncolumn = \"x\"\nwhere = \"X > 0.3\"\n"));
    EXPECT_TRUE(s.run_until(0.5, std::string(integrator) == "explicit" ? 0 : 5e-3));
    const auto X = s.world.particles.get<Vec2d>("X");
    const Columns<double, 2> p(s.world.particles);
    for (std::size_t i = 0; i < X.size(); ++i) {
      const Vec2d led{X[i][0] + 0.25 + 0.2 * X[i][1], X[i][1] + 0.15 * X[i][0]};
      EXPECT_LE(length(p.x[i] - led), 2e-3) << integrator;
      EXPECT_NEAR(p.F(i)(0, 1), 0.2, 0.01) << integrator;
      EXPECT_NEAR(p.F(i)(1, 0), 0.15, 0.01) << integrator;
    }
  }
}

// Only what lay in the region at the start, wherever it is led.
TEST(LedMatter, is_what_lay_in_the_region_at_the_start) {
  Simulation s(one_body(2, "dx = 0.05", "model = \"neo-hookean\"\nyoung = 1e5\npoisson = 0.3",
                        "shape = { type = \"box\", size = [1, 0.4] }", "gravity = [0, 0]",
                        "[[grip]]\nname = \"end\"\nshape = { type = \"box\", center = [0.5, 0], size = [0.3, 1] }\n"
                        "displacement = [\"0.3*t\", \"0.6*t\"]\n"
                        "[[probe]]\nname = \"led\"\ntype = \"sums\"\nwhere = \"X > 0.4\"\n"
                        "[[probe]]\nname = \"rest\"\ntype = \"sums\"\nwhere = \"X <= 0.4\"\n"));
  EXPECT_TRUE(s.run_until(1));
  EXPECT_NEAR(probe_value(s, "led_center_x"), 0.45 + 0.3, 0.01);
  EXPECT_NEAR(probe_value(s, "led_center_y"), 0.6, 0.01);
  EXPECT_NEAR(probe_value(s, "led_momentum_y"), 0.6 * probe_value(s, "led_mass"), 0.02 * probe_value(s, "led_mass"));
  const Ledger all = s.ledger();
  EXPECT_NEAR(probe_value(s, "led_mass"), 0.1 * all.mass, 1e-5 * all.mass);
  for (const char* sum : {"kinetic", "elastic", "gravitational"}) {
    const double expected = sum == std::string("kinetic")   ? all.kinetic
                            : sum == std::string("elastic") ? all.elastic
                                                            : 0;
    EXPECT_NEAR(probe_value(s, std::string("led_") + sum) + probe_value(s, std::string("rest_") + sum), expected,
                1e-9 * (all.kinetic + all.elastic));
  }
}

}  // namespace
}  // namespace knead::test
