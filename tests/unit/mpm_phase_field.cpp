// The phase field on the grid against fields that are known, for all kernels and dimensions.
#include "support/small_scene.h"

#include <gtest/gtest.h>

#include <random>

namespace knead::test {
namespace {

constexpr double fracture_energy = 4, crack_length = 0.1;
const char* const brittle = "model = \"phase-field\"\nfracture_energy = 4\ncrack_length = 0.1";

std::string block(int dimension, const std::string& kernel, double dx, const std::string& more = "") {
  return one_body(
      dimension, "transfer = \"flip\"\nprecision = \"double\"\nkernel = \"" + kernel + "\"\ndx = " + std::to_string(dx),
      brittle, "sampling = \"jittered\"\nshape = { type = \"box\", size = [1, 0.5, 0.3] }", "gravity = [0, 0, 0]",
      more);
}

// Even energy makes an even field, d = 2 H / (G_c / l + 2 H), to the tolerance of the solve: on any particles.
TEST(PhaseField, is_even_where_the_energy_is) {
  for (const int dimension : {2, 3})
    for (const char* kernel : {"linear", "quadratic", "cubic"})
      for (const double held : {1e-3, 7.0, 1e3}) {
        Simulation s(block(dimension, kernel, 0.06));
        for (double& H : s.world.particles.get<double>("tensile_energy")) H = held;
        s.world.tally.cracking = 1;  // something has changed
        ASSERT_TRUE(s.run_steps(1, 1e-9));
        const double expected = 2 * held / (fracture_energy / crack_length + 2 * held);
        const auto damage = s.world.particles.get<double>("damage");
        double squares = 0;
        for (const double d : damage) {
          EXPECT_NEAR(d, expected, 2e-2 * expected) << dimension << "D, " << kernel;
          squares += square(d / expected - 1);
        }
        EXPECT_LT(std::sqrt(squares / double(damage.size())), 4e-3) << dimension << "D, " << kernel;
      }
}

// Around matter that is broken along a plane that lies across the grid the field falls as exp(-distance / l).
template <int D>
void expect_profile(const char* kernel) {
  Simulation s(block(D, kernel, crack_length / 4));
  Vec<double, D> normal = Vec<double, D>::filled(0.3);
  normal[0] = 1;
  normal *= 1 / length(normal);
  const auto x = s.world.particles.get<Vec<double, D>>("x");
  const auto held = s.world.particles.get<double>("tensile_energy");
  for (std::size_t i = 0; i < x.size(); ++i)
    if (std::abs(dot(x[i], normal)) < 0.25 * crack_length / 4) held[i] = 1e3 * fracture_energy / crack_length;
  s.world.tally.cracking = 1;  // something has changed
  ASSERT_TRUE(s.run_steps(1, 1e-9));
  const auto after = s.world.particles.get<Vec<double, D>>("x");
  const auto damage = s.world.particles.get<double>("damage");
  double squares = 0;
  int count = 0;
  for (std::size_t i = 0; i < after.size(); ++i) {
    // Away from the surface, which the plane meets askew.
    bool inside = true;
    for (int a = 1; a < D; ++a) inside = inside && std::abs(after[i][a]) < 0.1;
    const double distance = std::abs(dot(after[i], normal));
    if (!inside || distance > 2.5 * crack_length) continue;
    squares += square(damage[i] - std::exp(-distance / crack_length)), ++count;
  }
  EXPECT_GT(count, 50);
  EXPECT_LT(std::sqrt(squares / count), 0.05) << D << "D, " << kernel;
}
TEST(PhaseField, falls_off_beside_a_crack_across_the_grid) {
  for (const char* kernel : {"linear", "quadratic", "cubic"}) {
    expect_profile<2>(kernel);
    expect_profile<3>(kernel);
  }
}

// Bodies of two materials beside each other: each has its own strength, and what does not crack takes no part.
TEST(PhaseField, knows_the_material_of_each_particle) {
  Simulation s(
      "format = 1\n[scene]\nname = \"two\"\ndimension = 2\ngravity = [0, 0]\n"
      "[solver]\nmethod = \"mpm\"\ndx = 0.05\nprecision = \"double\"\n"
      "[materials.weak]\nmodel = \"phase-field\"\nfracture_energy = 1\ncrack_length = 0.1\n"
      "[materials.strong]\nmodel = \"phase-field\"\nfracture_energy = 5\ncrack_length = 0.2\n"
      "[materials.jelly]\nmodel = \"hencky\"\n"
      "[[body]]\nname = \"a\"\nmaterial = \"weak\"\nshape = { type = \"box\", size = [0.4, 0.4] }\n"
      "[[body]]\nname = \"b\"\nmaterial = \"strong\"\nshape = { type = \"box\", center = [2, 0], size = [0.4, 0.4] }\n"
      "[[body]]\nname = \"c\"\nmaterial = \"jelly\"\nshape = { type = \"box\", center = [0.4, 0], size = [0.4, 0.4] "
      "}\n");
  for (double& H : s.world.particles.get<double>("tensile_energy")) H = 10;
  s.world.tally.cracking = 1;  // something has changed
  ASSERT_TRUE(s.run_steps(1, 1e-9));
  const auto body = s.world.particles.get<std::int32_t>("body");
  const auto damage = s.world.particles.get<double>("damage");
  for (std::size_t i = 0; i < damage.size(); ++i)
    EXPECT_NEAR(damage[i], body[i] == 0 ? 20 / 30. : body[i] == 1 ? 20 / 45. : 0, 1e-3);
}

// A block flies apart until it is damaged: damage stays, and all energy is accounted for, but for what implicit steps
// take.
TEST(PhaseField, does_not_heal_and_keeps_its_ledger) {
  for (const char* integrator : {"explicit", "implicit"}) {
    const auto kept = [&](const char* cost, bool breaks) {
      Simulation s(
          one_body(2,
                   std::string("dx = 0.05\nprecision = \"double\"\nnewton_tolerance = 1e-7\nintegrator = \"") +
                       integrator + "\"",
                   std::string("model = \"phase-field\"\nyoung = 1e5\ncrack_length = 0.1\nfracture_energy = ") + cost,
                   "velocity = [\"0.8 * x\", 0]\nshape = { type = \"box\", size = [0.6, 0.3] }", "gravity = [0, 0]"));
      const double start = s.ledger().kinetic;
      double most = 0;
      for (int i = 0; i < 30; ++i) {
        EXPECT_TRUE(s.run_until(s.world.clock.time + 0.002, integrator[0] == 'i' ? 2e-4 : 0));
        const auto damage = s.world.particles.get<double>("damage");
        const double now = *std::max_element(damage.begin(), damage.end());
        EXPECT_GE(now, most - 0.02) << integrator;
        most = std::max(most, now);
      }
      const Ledger l = s.ledger();
      if (breaks) {
        EXPECT_GT(most, 0.2) << integrator;
        EXPECT_GT(l.dissipated, 0.02 * (l.kinetic + l.elastic)) << integrator;
      }
      return (l.kinetic + l.elastic + l.dissipated) / start;
    };
    const double least = integrator[0] == 'i' ? 0.7 : 0.9;
    for (const double share : {kept("1e9", false), kept("0.05", true)}) {
      EXPECT_GT(share, least) << integrator;
      EXPECT_LT(share, 1.04) << integrator;
    }
  }
}

}  // namespace
}  // namespace knead::test
