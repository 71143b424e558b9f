// A mirror wall does to matter exactly what the matter's mirror image would do.
#include "mpm/columns.h"
#include "support/small_scene.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace knead::test {
namespace {

// Half of a block between mirrors, or the whole block without them, set swinging by a field that is mirror-symmetric.
template <int D>
std::vector<std::array<double, 2 * D>> swung(bool whole, const char* transfer, const char* kernel,
                                             const std::string& solver) {
  const std::string size = whole ? "[1.2, 1.2, 1.2]" : "[0.6, 0.6, 1.2]",
                    center = (whole ? "[0, 0, " : "[0.3, 0.3, ") + std::string(D == 3 ? "0.6]" : "0]");
  const auto mirror = [](const char* normal) {
    return std::string("[[collider]]\ncontact = \"symmetry\"\nshape = { type = \"plane\", normal = ") + normal + " }\n";
  };
  Simulation s(one_body(D,
                        std::string("precision = \"double\"\nflip = 1\ndx = 0.1\ntransfer = \"") + transfer +
                            "\"\nkernel = \"" + kernel + "\"\n" + solver,
                        "model = \"neo-hookean\"\nyoung = 1e4\npoisson = 0.3",
                        "shape = { type = \"box\", center = " + center + ", size = " + size + " }",
                        D == 3 ? "gravity = [0, 0, -5]" : "gravity = [0, 0]",
                        whole ? "" : mirror("[1, 0, 0]") + mirror("[0, 1, 0]")));
  auto x = s.world.particles.get<Vec<double, D>>("x"), v = s.world.particles.get<Vec<double, D>>("v");
  for (std::size_t i = 0; i < x.size(); ++i)
    v[i][0] = std::sin(3 * x[i][0]) * std::cos(2 * x[i][1]), v[i][1] = -std::sin(2 * x[i][1]) * (1 + x[i][0] * x[i][0]);
  EXPECT_TRUE(s.run_steps(solver.empty() ? 60 : 12, solver.empty() ? 2e-3 : 1e-2));
  x = s.world.particles.get<Vec<double, D>>("x"), v = s.world.particles.get<Vec<double, D>>("v");
  std::vector<std::array<double, 2 * D>> quarter;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (x[i][0] < 0 || x[i][1] < 0) continue;
    std::array<double, 2 * D> row{};
    for (int a = 0; a < D; ++a) row[a] = x[i][a], row[D + a] = v[i][a];
    quarter.push_back(row);
  }
  // Both in one order: by place, rounded so that rounding does not shuffle them.
  std::sort(quarter.begin(), quarter.end(), [](const auto& a, const auto& b) {
    for (int k = 0; k < D; ++k)
      if (std::abs(a[k] - b[k]) > 1e-6) return a[k] < b[k];
    return false;
  });
  return quarter;
}

template <int D>
void expect_the_same(const char* transfer, const char* kernel, const std::string& solver = "",
                     double tolerance = 1e-10) {
  const auto whole = swung<D>(true, transfer, kernel, solver), half = swung<D>(false, transfer, kernel, solver);
  ASSERT_EQ(whole.size(), half.size());
  double worst = 0;
  for (std::size_t i = 0; i < half.size(); ++i)
    for (std::size_t k = 0; k < half[i].size(); ++k) worst = std::max(worst, std::abs(half[i][k] - whole[i][k]));
  EXPECT_LE(worst, tolerance) << transfer << " " << kernel << " " << D << "D " << solver;
}

// To rounding, grown over 60 steps.
TEST(SymmetryWall, does_what_the_mirror_image_would) {
  for (const char* transfer : {"pic", "flip", "apic", "mls"}) expect_the_same<2>(transfer, "quadratic");
  expect_the_same<2>("flip", "linear");
  expect_the_same<2>("apic", "cubic");
  expect_the_same<3>("mls", "quadratic");
}

// Implicit steps solve to 1e-9 cells a step here, 12 times; velocities by 1/dt more.
TEST(SymmetryWall, does_so_in_implicit_steps) {
  for (const char* integrator : {"implicit", "semi-implicit"}) {
    const std::string solver = std::string("newton_tolerance = 1e-9\nintegrator = \"") + integrator + "\"";
    for (const char* transfer : {"flip", "apic", "mls"}) expect_the_same<2>(transfer, "quadratic", solver, 1e-7);
    expect_the_same<3>("apic", "quadratic", solver, 1e-7);
  }
}

// Gravity towards the wall: a column that lies on it in equilibrium between mirrors stays there, and the floor feels
// its weight. Stresses are right from the first step on; what swings is what the grid leaves of the equilibrium.
TEST(SymmetryWall, carries_weight_and_feels_it) {
  for (const char* integrator : {"explicit", "implicit", "semi-implicit"}) {
    Simulation s(one_body(2, std::string("precision = \"double\"\ndx = 0.05\nintegrator = \"") + integrator + "\"",
                          "model = \"neo-hookean\"\nyoung = 1e6\npoisson = 0",
                          "shape = { type = \"box\", center = [0.5, 0.5], size = [1, 1] }", "gravity = [0, -10]",
                          "[[collider]]\nname = \"floor\"\ncontact = \"symmetry\"\nshape = { type = \"plane\" }\n"
                          "[[collider]]\nname = \"wall\"\ncontact = \"symmetry\"\nshape = { type = \"plane\", normal "
                          "= [1, 0, 0] }\n[[probe]]\nname = \"f\"\ntype = \"force\"\non = \"floor\"\n"
                          "[[probe]]\nname = \"w\"\ntype = \"force\"\non = \"wall\"\n"));
    // Stretches of the equilibrium, F_yy = 1 - rho g (H - y) / E.
    Columns<double, 2> p(s.world.particles);
    for (std::size_t i = 0; i < p.x.size(); ++i) p.H[i](1, 1) = -1e4 * (1 - p.x[i][1]) / 1e6;
    const double before = s.ledger().momentum[1];
    EXPECT_TRUE(s.run_until(0.2, std::string(integrator) == "explicit" ? 0 : 2e-3));
    EXPECT_LE(s.ledger().max_speed, 0.05) << integrator;
    EXPECT_GE(s.ledger().min[1], 0) << integrator;
    // The balance of momentum closes; and over 1.6 periods of the column, 4 H / c, the force is near the weight.
    const double weight = s.ledger().mass * 10 * 0.2, felt = -s.world.reactions[0].impulse[1];
    EXPECT_NEAR(felt, weight + s.ledger().momentum[1] - before, 1e-5 * weight) << integrator;
    EXPECT_NEAR(felt, weight, 0.02 * weight) << integrator;
    EXPECT_LE(std::abs(s.world.reactions[1].impulse[0]), 0.01 * weight) << integrator;
  }
}

// What a probe on the wall tells is what the matter's momentum lacks.
TEST(SymmetryWall, gives_the_force_that_momentum_tells) {
  for (const char* transfer : {"pic", "apic", "mls"}) {
    Simulation s(one_body(2, std::string("precision = \"double\"\ndx = 0.05\ntransfer = \"") + transfer + "\"",
                          "model = \"neo-hookean\"\nyoung = 1e5\npoisson = 0.3",
                          "velocity = [0, -1]\nshape = { type = \"box\", center = [0.5, 0.3], size = [0.6, 0.6] }",
                          "gravity = [0, -10]",
                          "[[collider]]\nname = \"floor\"\ncontact = \"symmetry\"\nshape = { type = \"plane\" }\n"
                          "[[probe]]\nname = \"floor\"\ntype = \"force\"\non = \"floor\""));
    const Ledger before = s.ledger();
    ASSERT_TRUE(s.run_until(0.05));
    const double gained = s.ledger().momentum[1] - before.momentum[1] + before.mass * 10 * 0.05;
    EXPECT_GT(gained, 0.2 * before.mass) << "the block was to be stopped";
    EXPECT_NEAR(-s.world.reactions[0].impulse[1], gained, 1e-10 * before.mass) << transfer;
  }
}

}  // namespace
}  // namespace knead::test
