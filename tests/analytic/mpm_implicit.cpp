// Implicit steps on motions whose outcome is known: far beyond the explicit bound they stay sound, and towards small
// steps they agree with the explicit ones.
#include "support/small_scene.h"

#include <gtest/gtest.h>

#include <numbers>

namespace knead::test {
namespace {

const std::string implicit = "integrator = \"implicit\"\n", semi_implicit = "integrator = \"semi-implicit\"\n";

// The explicit elastic bound of the first material, s.
double explicit_bound(const Simulation& s) {
  return s.scene().solver.elastic_cfl_number() * s.scene().solver.dx / s.world.tally.max_wave_speed;
}

// A bar in the first longitudinal mode, held at one end.
std::string bar(const std::string& solver, const char* model, int dimension = 2) {
  return one_body(
      dimension, "precision = \"double\"\ndx = 1\n" + solver,
      std::string("model = \"") + model + "\"\nyoung = 100\npoisson = 0\ndensity = 1",
      std::string("shape = { type = \"box\", center = [10, 1") + (dimension == 3 ? ", 1" : "") +
          "], size = [20, 2, 2] }",
      "gravity = [0, 0, 0]",
      "[[collider]]\nname = \"clamp\"\ncontact = \"sticky\"\nshape = { type = \"plane\", point = [0, 0, 0], "
      "normal = [1, 0, 0] }\n");
}
template <int D>
void pull(Simulation& s, double speed) {
  const auto x = s.world.particles.get<Vec<double, D>>("x");
  const auto v = s.world.particles.get<Vec<double, D>>("v");
  for (std::size_t i = 0; i < x.size(); ++i) v[i][0] = speed * std::sin(std::numbers::pi * x[i][0] / 40);
}

// M15, with every law, in 2D and 3D.
TEST(Implicit, a_bar_at_ten_times_the_explicit_step_converges_and_gains_no_energy) {
  for (const char* model : {"fixed-corotated", "neo-hookean", "hencky"})
    for (int dimension : {2, 3}) {
      Simulation s(bar(implicit, model, dimension));
      dimension == 2 ? pull<2>(s, 2) : pull<3>(s, 2);
      const double dt = 10 * explicit_bound(s);
      double energy = s.ledger().kinetic + s.ledger().elastic;
      for (int i = 0; i < 20; ++i) {
        s.world.tally.start_frame();
        ASSERT_TRUE(s.run_steps(1, dt)) << model;
        EXPECT_LE(s.world.tally.frame_newton, 10) << model;
        const Ledger l = s.ledger();
        EXPECT_LE(l.kinetic + l.elastic, energy * (1 + 1e-9)) << model << ", step " << i;
        energy = l.kinetic + l.elastic;
      }
    }
}

// The same bar at the same step: explicit steps gain energy without end, or are refused.
TEST(Implicit, ten_times_the_explicit_step_is_beyond_explicit_steps) {
  Simulation s(bar("", "fixed-corotated"));
  pull<2>(s, 2);
  const double energy = s.ledger().kinetic + s.ledger().elastic;
  const bool refused = !s.run_steps(20, 10 * explicit_bound(s));
  EXPECT_TRUE(refused || s.ledger().kinetic + s.ledger().elastic > 100 * energy);
}

// At equal dt the schemes differ by the error of either, of first order: halving dt halves the distance.
TEST(Implicit, agrees_with_explicit_steps_as_dt_goes_to_zero) {
  for (const std::string& scheme : {implicit, semi_implicit}) {
    const auto distance = [&](double dt) {
      Simulation a(bar("", "neo-hookean")), b(bar(scheme + "newton_tolerance = 1e-9", "neo-hookean"));
      pull<2>(a, 1), pull<2>(b, 1);
      EXPECT_TRUE(a.run_until(0.4, dt) && b.run_until(0.4, dt));
      const auto x = a.world.particles.get<Vec2d>("x"), y = b.world.particles.get<Vec2d>("x");
      const auto ia = a.world.particles.get<std::int32_t>("id"), ib = b.world.particles.get<std::int32_t>("id");
      std::vector<Vec2d> place(x.size());
      for (std::size_t i = 0; i < x.size(); ++i) place[static_cast<std::size_t>(ia[i])] = x[i];
      double sum = 0;
      for (std::size_t i = 0; i < x.size(); ++i) {
        const Vec2d d = y[i] - place[static_cast<std::size_t>(ib[i])];
        sum += dot(d, d);
      }
      return std::sqrt(sum / double(x.size()));
    };
    const double coarse = distance(0.01), fine = distance(0.005);
    EXPECT_LT(coarse, 0.01) << scheme;
    EXPECT_NEAR(coarse / fine, 2, 0.3) << scheme;
  }
}

// Without boundaries momentum is kept to the solver's tolerance: an error of 1e-9 cells a step here.
TEST(Implicit, keeps_momentum_to_the_solvers_tolerance) {
  for (const std::string& scheme : {implicit, semi_implicit})
    for (const char* transfer : {"apic", "mls", "flip"}) {
      Simulation s(one_body(
          3, "dx = 0.1\nprecision = \"double\"\nnewton_tolerance = 1e-9\n" + scheme + "transfer = \"" + transfer + "\"",
          "model = \"fixed-corotated\"\nyoung = 1e7\npoisson = 0.4",
          "velocity = [1, 2, 3]\nspin = [0, 0, 2]\nshape = { type = \"box\", size = [0.4, 0.3, 0.2] }",
          "gravity = [0, 0, 0]"));
      const double dt = 10 * explicit_bound(s);
      const Ledger before = s.ledger();
      ASSERT_TRUE(s.run_steps(10, dt));
      EXPECT_LE(length(s.ledger().momentum - before.momentum), 10 * 1e-9 * 0.1 / dt * before.mass) << transfer;
    }
}

// Rigid fall crosses cells without stress: the solve must not see the motion. Backward Euler falls like symplectic
// Euler, y = y0 - g dt^2 n(n+1)/2.
TEST(Implicit, falls_freely_in_float) {
  Simulation s(one_body(3, implicit + "dx = 0.1", "model = \"fixed-corotated\"\nyoung = 1e9",
                        "shape = { type = \"box\", center = [0, 10, 0], size = [0.3, 0.3, 0.3] }"));
  const double y = s.ledger().center[1];
  const int n = 100;
  ASSERT_TRUE(s.run_steps(n, 2e-3));
  EXPECT_NEAR(s.ledger().center[1], y - 9.81 * 4e-6 * n * (n + 1) / 2, 1e-5);
  EXPECT_LE(s.world.tally.frame_newton, 2 * n);  // no more than rounding of the strain asks for
}

// Mean velocity along the slope of a block on an incline at `times` the explicit step (gravity is tilted instead).
double slide_speed(const std::string& scheme, int dimension, double friction, double degrees, double time,
                   double times) {
  const double a = degrees * std::numbers::pi / 180, g = 9.81;
  Simulation s(one_body(
      dimension, "dx = 0.05\n" + scheme, "model = \"fixed-corotated\"\nyoung = 1e7\ndensity = 1000",
      "shape = { type = \"box\", center = [0, 0.1, 0], size = [0.4, 0.2, 0.2] }",
      "gravity = [" + std::to_string(g * std::sin(a)) + ", " + std::to_string(-g * std::cos(a)) + ", 0]",
      "[[collider]]\nname = \"floor\"\nfriction = " + std::to_string(friction) + "\nshape = { type = \"plane\" }"));
  EXPECT_TRUE(s.run_until(time, times * explicit_bound(s)));
  return s.ledger().momentum[0] / s.ledger().mass;
}

// M21 at ten times the explicit step, by backward Euler and semi-implicitly: 5 % below the limit the block slides as
// Coulomb says, 5 % above it stays. What it has gained before its weight is on the slope is below 1e-4 m/s after 0.5 s.
TEST(Implicit, a_block_on_an_incline_slides_as_coulomb_says) {
  const double slope = std::tan(std::numbers::pi / 6), normal = 9.81 * std::cos(std::numbers::pi / 6);
  for (const std::string& scheme : {implicit, semi_implicit}) {
    for (const double friction : {0.3, 0.95 * slope}) {
      const auto speed_at = [&](double time) { return slide_speed(scheme, 2, friction, 30, time, 10); };
      const double expected = normal * (slope - friction);
      EXPECT_NEAR((speed_at(0.5) - speed_at(0.1)) / 0.4, expected, 0.03 * expected) << scheme << friction;
    }
    EXPECT_NEAR(slide_speed(scheme, 2, slope * 1.05, 30, 0.5, 10), 0, 1e-4) << scheme;
  }
  EXPECT_NEAR(slide_speed(implicit, 3, slope * 1.05, 30, 0.2, 10), 0, 1e-4);
  EXPECT_GE(slide_speed(implicit, 3, slope * 0.95, 30, 0.2, 10), 0.8 * 0.05 * slope * normal * 0.2);
}

// Dropped on a floor with friction at ten times the explicit step: nothing explodes, nothing falls through, and the
// energy never grows.
TEST(Implicit, stiff_blocks_land_at_ten_times_the_explicit_step) {
  for (const std::string& scheme : {implicit, semi_implicit})
    for (const char* material :
         {"model = \"snow\"\nyoung = 1e7", "model = \"neo-hookean\"\nyoung = 1e7",
          "model = \"fixed-corotated\"\nyoung = 1e7", "model = \"von-mises\"\nyoung = 1e7\nyield_stress = 1e5"})
      for (int dimension : {2, 3}) {
        SCOPED_TRACE(scheme + material + ", " + std::to_string(dimension) + "D");
        Simulation s(one_body(dimension, "dx = 0.05\n" + scheme, material,
                              "velocity = [1, -1, 0]\nshape = { type = \"box\", center = [0, 0.21, 0], size = [0.25, "
                              "0.3, 0.15] }",
                              "", "[[collider]]\nname = \"floor\"\nfriction = 0.3\nshape = { type = \"plane\" }"));
        const double dt = 10 * explicit_bound(s);
        const Ledger before = s.ledger();
        double energy = before.kinetic + before.elastic + before.gravitational;
        ASSERT_TRUE(s.run_steps(40, dt));
        const Ledger after = s.ledger();
        EXPECT_LE(after.kinetic + after.elastic + after.gravitational, energy);
        EXPECT_GE(after.min[1], -0.05);
        EXPECT_LE(after.max_speed, 2);
        EXPECT_EQ(after.collapsed, 0);
      }
}

// A plate moved by hand presses a block against a floor: prescribed velocities are met and the block is squeezed by
// what the plate travels.
TEST(Implicit, moving_colliders_move_matter) {
  Simulation s(one_body(2, "dx = 0.05\n" + implicit, "model = \"neo-hookean\"\nyoung = 1e7\npoisson = 0.3",
                        "shape = { type = \"box\", center = [0, 0.2, 0], size = [0.4, 0.4, 1] }", "gravity = [0, 0, 0]",
                        "[[collider]]\nname = \"floor\"\ncontact = \"sticky\"\nshape = { type = \"plane\" }\n"
                        "[[collider]]\nname = \"plate\"\ncontact = \"sticky\"\nmotion = { velocity = [0, -0.5] }\n"
                        "shape = { type = \"plane\", point = [0, 0.4, 0], normal = [0, -1, 0] }"));
  ASSERT_TRUE(s.run_until(0.1, 10 * explicit_bound(s)));
  EXPECT_NEAR(s.ledger().max[1], 0.35, 0.02);
  EXPECT_GT(s.ledger().elastic, 0);
  EXPECT_NEAR(s.world.tally.contact_work, s.ledger().elastic, 0.1 * s.ledger().elastic);
}

// Sand and water at rest in a box, at several times the explicit step: they stay where they are, and the floor carries
// their weight.
TEST(Implicit, sand_and_water_rest_on_the_floor_that_feels_their_weight) {
  for (const std::string& scheme : {implicit, semi_implicit})
    for (const char* material : {"model = \"sand\"\nyoung = 1e7", "model = \"fluid\"\nbulk_modulus = 1e6"}) {
      SCOPED_TRACE(scheme + material);
      Simulation s(
          one_body(2, "dx = 0.05\n" + scheme, material,
                   "shape = { type = \"box\", center = [0.3, 0.2, 0], size = [0.6, 0.4, 1] }",
                   "domain = { min = [0, 0], max = [0.6, 1] }",
                   "[[probe]]\nname = \"floor\"\ntype = \"force\"\non = \"" + domain_wall_name(1, false) + "\""));
      const double dt = 5 * explicit_bound(s);
      ASSERT_TRUE(s.run_until(0.3, dt));
      const double before = s.world.reactions[0].impulse[1], time = s.world.clock.time;
      ASSERT_TRUE(s.run_until(0.6, dt));
      const double weight = s.ledger().mass * 9.81;
      EXPECT_NEAR((before - s.world.reactions[0].impulse[1]) / (s.world.clock.time - time), weight, 0.02 * weight);
      EXPECT_NEAR(s.ledger().center[1], 0.2, 0.01);
      EXPECT_EQ(s.ledger().collapsed, 0);
    }
}

// A grip holds a block until its time, and an event throws it: the step ends on either.
TEST(Implicit, grips_let_go_and_events_happen) {
  Simulation s(one_body(2, "dx = 0.1\nprecision = \"double\"\n" + implicit, "model = \"neo-hookean\"\nyoung = 1e7",
                        "shape = { type = \"disc\", radius = 0.3 }", "gravity = [0, -10, 0]",
                        "[[grip]]\nname = \"hand\"\nshape = { type = \"box\", size = [2, 2] }\nrelease = 0.1\n"
                        "[[probe]]\nname = \"pull\"\ntype = \"force\"\non = \"hand\"\n"
                        "[[event]]\ntime = 0.2\nbody = \"body\"\nvelocity = [3, 0, 0]\n"));
  ASSERT_TRUE(s.run_until(0.1, 1e-2));
  const double mass = s.ledger().mass;
  EXPECT_NEAR(s.world.reactions[0].impulse[1], -mass * 10 * 0.1, 1e-9 * mass);
  EXPECT_NEAR(s.ledger().momentum[1], 0, 1e-9 * mass);
  ASSERT_TRUE(s.run_until(0.3, 1e-2));
  EXPECT_NEAR(s.ledger().momentum[1], -mass * 10 * 0.2, 1e-4 * mass);
  EXPECT_NEAR(s.ledger().momentum[0], mass * 3, 1e-4 * mass);
}

// What a solve that fails leaves behind: a reason, and the world as it was.
TEST(Implicit, a_solve_without_result_refuses_the_step_before_a_particle_moves) {
  Simulation s(bar(implicit + "newton_iterations = 1\ncg_iterations = 1\nnewton_tolerance = 1e-9", "neo-hookean"));
  pull<2>(s, 5);
  const auto sum = [&] {
    double all = 0;
    for (const Vec2d& x : s.world.particles.get<Vec2d>("x")) all += dot(x, x);
    return all;
  };
  const double before = sum();
  const StepResult result = s.solver->step(s.world, 10 * explicit_bound(s));
  ASSERT_FALSE(result.ok());
  EXPECT_NE(result.problem->what.find("Newton's method has not converged"), std::string::npos);
  EXPECT_NEAR(sum(), before, 1e-9 * before);  // perhaps sorted, never moved
  EXPECT_EQ(s.world.clock.step, 0);
}

// Steps are bound by speed and strain rate alone, and by a share of a frame.
TEST(Implicit, steps_are_not_bound_by_the_elastic_wave) {
  Simulation still(bar(implicit, "neo-hookean"));
  EXPECT_EQ(still.solver->max_dt(still.world).bound, Bound::dt_max);
  EXPECT_NEAR(still.solver->max_dt(still.world).dt, 0.1 / still.scene().scene.fps, 1e-15);
  Simulation fast(one_body(2, "dx = 0.1\n" + implicit, "model = \"neo-hookean\"\nyoung = 1e9",
                           "velocity = [100, 0, 0]\nshape = { type = \"box\", size = [1, 1, 1] }"));
  EXPECT_EQ(fast.solver->max_dt(fast.world).bound, Bound::speed);
}

}  // namespace
}  // namespace knead::test
