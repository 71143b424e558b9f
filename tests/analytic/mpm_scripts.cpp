// Body forces, velocities by expressions and events: closed forms, and a refused step that leaves no trace.
#include "support/small_scene.h"

#include <gtest/gtest.h>

namespace knead::test {
namespace {

const char* const jelly = "model = \"neo-hookean\"\nyoung = 1e5\npoisson = 0.3";
const char* const ball = "shape = { type = \"sphere\", radius = 0.3 }\n";

// A force that is the same everywhere moves a body without strain: x = sum of v dt with v = sum of a(t) dt.
TEST(BodyForce, moves_a_body_as_its_integral_says) {
  for (const char* transfer : {"pic", "flip", "apic", "mls"}) {
    Simulation s(one_body(2, std::string("dx = 0.1\nprecision = \"double\"\ntransfer = \"") + transfer + "\"", jelly,
                          ball, "gravity = [0, 0]\nbody_force = [\"3*sin(5*t)\", \"-9.81\"]"));
    double x = 0, y = 0, vx = 0, vy = 0;
    const double dt = 1e-3;
    for (int i = 0; i < 200; ++i) {
      vx += dt * 3 * std::sin(5 * s.world.clock.time), vy -= dt * 9.81;
      x += dt * vx, y += dt * vy;
      ASSERT_TRUE(s.run_steps(1, dt));
    }
    const Ledger l = s.ledger();
    EXPECT_NEAR(l.center[0], x, 1e-12) << transfer;
    EXPECT_NEAR(l.center[1], y, 1e-12) << transfer;
    // Nothing else happens: the work is the kinetic energy.
    EXPECT_NEAR(l.body_work, l.kinetic, 1e-9 * l.kinetic) << transfer;
  }
}

// X is where matter was: a spring of each particle to its place at the start.
TEST(BodyForce, knows_where_matter_was_at_the_start) {
  Simulation s(one_body(2, "dx = 0.1\nprecision = \"double\"", jelly, std::string(ball) + "velocity = [1, 0]",
                        "gravity = [0, 0]\nbody_force = [\"-100*(x - X)\", \"-100*(y - Y)\"]"));
  // Every particle swings alike: x = sin(10 t)/10, at first order in steps of 1/1000.
  ASSERT_TRUE(s.run_until(0.157, 1e-3));
  EXPECT_NEAR(s.ledger().center[0], std::sin(1.57) / 10, 1e-3);
  EXPECT_NEAR(s.ledger().center[1], 0, 1e-12);
}

// A drag against the velocity: what falls approaches g/c, v = g/c (1 - exp(-c t)) at first order in the step.
TEST(BodyForce, knows_how_fast_matter_moves) {
  for (const char* method : {"mpm", "mls", "composed"}) {
    Simulation s(one_body(2, "dx = 0.1\nprecision = \"double\"", jelly, std::string(ball) + "velocity = [1, 0]",
                          "gravity = [0, -10]\nbody_force = [\"-4*vx\", \"-4*vy\"]"),
                 {std::string("solver.method=\"") + method + "\""});
    ASSERT_TRUE(s.run_until(0.5, 1e-3)) << method;
    const Ledger l = s.ledger();
    EXPECT_NEAR(l.momentum[1] / l.mass, -2.5 * (1 - std::exp(-2.0)), 0.01) << method;
    EXPECT_NEAR(l.momentum[0] / l.mass, std::exp(-2.0), 0.01) << method;
  }
}

// Symplectic Euler bears a spring of rate k in steps below 2/sqrt(k), and a drag c in steps below 2/c; by the wave
// alone the steps of this jelly would be 7 times as long.
TEST(BodyForce, bounds_the_step) {
  const char* const drag = "[\"-2000*vx\", \"-2000*vy\"]";
  const char* const spring = "[\"-4e6*(x - X)\", 0]";
  for (const char* solver : {"solver.method=\"mpm\"", "solver.integrator=\"implicit\"", "solver.method=\"mls\"",
                             "solver.method=\"embedded\"", "solver.method=\"composed\""})
    for (const char* force : {drag, spring}) {
      Simulation s(one_body(2, "dx = 0.1", jelly, std::string(ball) + "velocity = [1, 0]",
                            std::string("gravity = [0, 0]\nbody_force = ") + force),
                   {solver});
      const TimeStep step = s.solver->max_dt(s.world);
      EXPECT_EQ(step.bound, Bound::body_force) << solver << force;
      EXPECT_NEAR(step.dt, 1 / 2000.0, 1e-12) << solver << force;
      const double start = s.ledger().kinetic;
      for (int i = 0; i < 60; ++i) {
        ASSERT_TRUE(s.run_steps(1)) << solver << force;
        ASSERT_LT(s.ledger().kinetic, 1.4 * start) << solver << force << " after " << i;  // 4/3 at a rate of 1/dt
      }
    }
}

TEST(BodyForce, that_does_not_change_with_place_or_speed_bounds_no_step) {
  Simulation s(one_body(2, "dx = 0.1", jelly, ball, "body_force = [\"1e4*sin(1e5*t) + 1e5*X\", 5]"));
  EXPECT_EQ(s.solver->max_dt(s.world).bound, Bound::elastic_wave);
}

// Magnetic or Coriolis force: each step turns the velocity by 2 atan(w dt/2), and the speed stays. Taken at the start
// of the step it would grow by 2 % in each.
TEST(BodyForce, across_the_velocity_gives_no_energy) {
  for (const char* method : {"mpm", "mls", "composed"}) {
    Simulation s(one_body(2, "dx = 0.1\nprecision = \"double\"", jelly, std::string(ball) + "velocity = [1, 0]",
                          "gravity = [0, 0]\nbody_force = [\"100*vy\", \"-100*vx\"]"),
                 {std::string("solver.method=\"") + method + "\""});
    ASSERT_TRUE(s.run_steps(100, 2e-3)) << method;
    const Ledger l = s.ledger();
    const double angle = 100 * 2 * std::atan(0.1);
    EXPECT_NEAR(l.momentum[0] / l.mass, std::cos(angle), 1e-9) << method;
    EXPECT_NEAR(l.momentum[1] / l.mass, -std::sin(angle), 1e-9) << method;
  }
}

TEST(BodyForce, leaves_the_world_as_it_was_when_a_step_is_refused) {
  Simulation s(one_body(2, "dx = 0.1", jelly, ball, "body_force = [\"1e5*t\", \"7.7*x\"]"));
  ASSERT_TRUE(s.run_steps(20));
  const World before = s.world;
  EXPECT_FALSE(s.solver->step(s.world, 1).ok());
  // The columns may stand in another order: compare by id.
  const World& after = s.world;
  const auto id0 = before.particles.get<std::int32_t>("id"), id1 = after.particles.get<std::int32_t>("id");
  const auto v0 = before.particles.get<Vec2f>("v"), v1 = after.particles.get<Vec2f>("v");
  std::vector<Vec2f> a(v0.size()), b(v1.size());
  for (std::size_t i = 0; i < v0.size(); ++i) a[std::size_t(id0[i])] = v0[i], b[std::size_t(id1[i])] = v1[i];
  EXPECT_TRUE(a == b);
  EXPECT_EQ(before.tally.body_work, s.world.tally.body_work);
}

TEST(Velocity, of_a_turning_body_is_its_spin_whichever_way_it_is_said) {
  const std::string general = "gravity = [0, 0, 0]";
  Simulation spin(
      one_body(3, "dx = 0.1\nprecision = \"double\"", jelly, std::string(ball) + "spin = [0, 0, 2]", general));
  Simulation said(one_body(3, "dx = 0.1\nprecision = \"double\"", jelly,
                           std::string(ball) + "velocity = [\"-2*y\", \"2*X\", 0]", general));
  for (const char* name : {"v", "C"}) {
    const Column &a = *spin.world.particles.find(name), &b = *said.world.particles.find(name);
    for (std::size_t i = 0; i < a.count(); ++i)
      for (int c = 0; c < a.components; ++c) ASSERT_NEAR(a.value(i, c), b.value(i, c), 1e-12) << name;
  }
}

std::string two_materials(const std::string& event) {
  return one_body(2, "dx = 0.1\nprecision = \"double\"", jelly,
                  std::string(ball) +
                      "velocity = [\"2*x\", \"-y\"]\n[[body]]\nname = \"other\"\nmaterial = \"m\"\n"
                      "shape = { type = \"box\", center = [1, 0], size = [0.4, 0.4] }",
                  "gravity = [0, 0]",
                  "[materials.snow]\nmodel = \"snow\"\ndensity = 1000\n[[event]]\ntime = 0.01\n" + event);
}

TEST(Event, adds_a_velocity_to_one_body) {
  Simulation s(two_materials("body = \"other\"\nvelocity = [\"3*x\", 1]"));
  ASSERT_TRUE(s.run_until(0.01));
  const auto body = s.world.particles.get<std::int32_t>("body");
  const auto v = s.world.particles.get<Vec2d>("v"), x = s.world.particles.get<Vec2d>("x");
  for (std::size_t i = 0; i < v.size(); ++i)
    if (body[i] == 1) {
      EXPECT_NEAR(v[i][0], 3 * x[i][0], 1e-12);
      EXPECT_NEAR(v[i][1], 1, 1e-12);
    }
  EXPECT_GT(s.ledger().body_work, 0);
  EXPECT_EQ(s.world.clock.events, 1);
}

TEST(Event, makes_a_body_another_material_and_keeps_what_both_know) {
  Simulation s(two_materials("body = \"body\"\nmaterial = \"snow\""));
  ASSERT_TRUE(s.run_until(0.01 - 1e-6));
  const Ledger before = s.ledger();
  ASSERT_TRUE(s.run_until(0.01));
  const Ledger after = s.ledger();
  EXPECT_NEAR(before.mass, after.mass, 1e-12 * before.mass);
  EXPECT_NEAR(before.kinetic, after.kinetic, 1e-2 * before.kinetic) << "a step's transfers damp some";
  ASSERT_EQ(s.world.batches.size(), 2u);
  const auto body = s.world.particles.get<std::int32_t>("body");
  const auto packed = s.world.particles.get<double>("J_p");
  for (const Batch& b : s.world.batches)
    for (auto i = std::size_t(b.begin); i < std::size_t(b.end); ++i) {
      EXPECT_EQ(body[i], s.scene().materials[std::size_t(b.material)].name == "snow" ? 0 : 1);
      EXPECT_NEAR(packed[i], 1, 0.1);
    }
  ASSERT_TRUE(s.run_until(0.05)) << "and the run goes on";
}

TEST(Event, sets_parameters_and_resets_strain) {
  const auto elastic = [](const std::string& event) {
    Simulation s(two_materials(event));
    EXPECT_TRUE(s.run_until(0.01));
    return s.ledger().elastic;
  };
  // The energy of this law is proportional to its moduli.
  const double plain = elastic("enable = []\nbody = \"other\"\nvelocity = [1, 0]");
  EXPECT_NEAR(elastic("material = \"m\"\nset = { young = \"300 kPa\" }"), 3 * plain, 1e-9 * plain);
  EXPECT_LT(elastic("body = \"body\"\nreset = true"), 1e-6 * plain);
}

TEST(Event, what_it_does_to_the_elastic_energy_is_its_work) {
  for (const char* event : {"material = \"m\"\nset = { young = \"300 kPa\" }", "body = \"body\"\nreset = true"}) {
    Simulation s(two_materials(event));
    while (s.world.clock.time < 0.01) {
      const double dt = std::min(s.solver->max_dt(s.world).dt, 0.01 - s.world.clock.time);
      ASSERT_TRUE(s.solver->step(s.world, dt).ok());
    }
    s.world.clock.time = 0.01;
    const Ledger before = s.ledger();
    s.solver->do_events(s.world);
    const Ledger after = s.ledger();
    EXPECT_GT(std::abs(after.elastic - before.elastic), 0.5 * before.elastic);
    EXPECT_NEAR(after.body_work - before.body_work, after.elastic - before.elastic, 1e-9 * before.elastic) << event;
  }
}

// Stretches fast on its own: it yields, softens and breaks, and so would change with every return beyond a step's.
const char* const softening = "model = \"rankine\"\nyoung = 1e5\ntensile_strength = 1e3\nsoftening = 2e3";

TEST(Event, leaves_bodies_that_it_does_not_name_as_they_are) {
  for (const char* event : {"body = \"other\"\nreset = true", "body = \"other\"\nmaterial = \"m2\"",
                            "material = \"m2\"\nset = { young = 2e5 }"}) {
    Simulation s(one_body(2, "dx = 0.1\nprecision = \"double\"", softening,
                          std::string(ball) + "velocity = [\"3*x\", 0]\n[[body]]\nname = \"other\"\nmaterial = \"m\"\n"
                                              "shape = { type = \"box\", center = [2, 0], size = [0.4, 0.4] }",
                          "gravity = [0, 0]",
                          std::string("[materials.m2]\n") + softening + "\n[[event]]\ntime = 0.05\n" + event));
    ASSERT_TRUE(s.run_until(0.05 - 1e-9));
    s.world.clock.time = 0.05;
    const auto damage_of_body = [&] {
      std::vector<double> d(s.world.particles.count(), -1);
      const auto id = s.world.particles.get<std::int32_t>("id"), body = s.world.particles.get<std::int32_t>("body");
      for (std::size_t i = 0; i < d.size(); ++i)
        if (body[i] == 0) d[std::size_t(id[i])] = s.world.particles.get<double>("damage")[i];
      return d;
    };
    const std::vector<double> before = damage_of_body();
    EXPECT_GT(*std::max_element(before.begin(), before.end()), 0.05) << "it softens";
    s.solver->do_events(s.world);
    EXPECT_EQ(s.world.clock.events, 1);
    EXPECT_TRUE(before == damage_of_body()) << event;
  }
}

// Stretched matter that becomes another material keeps its mass, so that its waves run as fast as the new stiffness and
// the old mass let them.
TEST(Event, steps_after_a_change_of_material_are_bound_by_the_mass_that_stays) {
  Simulation s(one_body(2, "dx = 0.1\nprecision = \"double\"",
                        "model = \"neo-hookean\"\nyoung = 1e4\npoisson = 0\ndensity = 50",
                        std::string(ball) + "velocity = [\"2*x\", \"-y\"]", "gravity = [0, 0]",
                        "[materials.heavy]\nmodel = \"neo-hookean\"\nyoung = 1e6\npoisson = 0\ndensity = 5000\n"
                        "[[event]]\ntime = 0.01\nbody = \"body\"\nmaterial = \"heavy\""));
  ASSERT_TRUE(s.run_until(0.01));
  EXPECT_NEAR(s.world.tally.max_wave_speed, std::sqrt(1e6 / 50), 1e-9);
  const Ledger before = s.ledger();
  ASSERT_TRUE(s.run_until(0.1));
  EXPECT_NEAR(s.world.tally.max_wave_speed, std::sqrt(1e6 / 50), 1e-9);
  const Ledger after = s.ledger();
  EXPECT_LT(after.kinetic + after.elastic, 1.01 * (before.kinetic + before.elastic)) << "it does not explode";
}

// A field of velocity is added with its gradient, so that matter turns at once as it is told; the whole change of
// kinetic energy is work, and none of it a loss.
TEST(Event, adds_the_gradient_of_a_velocity_too) {
  for (const char* field : {"[\"-2*y\", \"2*x\"]", "[\"-2*Y\", \"2*X\"]"}) {
    Simulation s(one_body(2, "dx = 0.1\nprecision = \"double\"", jelly, ball, "gravity = [0, 0]",
                          std::string("[[event]]\ntime = 0.01\nbody = \"body\"\nvelocity = ") + field +
                              "\n[[probe]]\nname = \"lost\"\ntype = \"losses\""));
    ASSERT_TRUE(s.run_until(0.01));
    const auto C = s.world.particles.get<Mat2d>("C");
    for (const Mat2d& c : C)
      for (int i = 0; i < 4; ++i) ASSERT_NEAR(c.e[i], (Mat2d{{0, -2, 2, 0}}).e[i], 1e-9) << field;
    const Ledger l = s.ledger();
    EXPECT_NEAR(l.body_work, l.kinetic, 1e-9 * l.kinetic);
    EXPECT_NEAR(l.transfer_loss, 0, 1e-9 * l.kinetic);
    ASSERT_TRUE(s.run_steps(1));
    EXPECT_NEAR(s.ledger().transfer_loss, 0, 0.05 * l.kinetic) << "of the first step with it";
  }
}

}  // namespace
}  // namespace knead::test
