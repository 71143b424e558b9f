// Colliders faster than the waves in the matter: steps are short enough that none leaps over it, and none shorter than
// that asks for.
#include "base/parallel.h"
#include "support/small_scene.h"
#include "world/sound.h"

#include <gtest/gtest.h>

#include <numbers>

namespace knead::test {
namespace {

constexpr double dx = 0.05, radius = 0.08, side = 0.4, speed = 300;

struct Way {
  const char *name, *solver, *material;
  double balance = 1e-9;  // of momentum; solves end before they are exact
};
const Way ways[] = {
    {"mpm", "method = \"mpm\"\n", "model = \"neo-hookean\"\nyoung = 1e5\n"},
    {"implicit mpm", "method = \"mpm\"\nintegrator = \"implicit\"\n", "model = \"neo-hookean\"\nyoung = 1e5\n", 0.01},
    {"mls", "method = \"mls\"\n", "model = \"strain-yield\"\nyoung = 1e5\n"},
    {"embedded", "method = \"embedded\"\n", "model = \"yield-flow\"\nyoung = 1e5\nyield_stress = 1e9\n"},
    {"composed", "method = \"composed\"\n", "model = \"yield-flow\"\nyoung = 1e5\nyield_stress = 1e9\n"},
    {"liquid", "method = \"liquid\"\n", "model = \"fluid\"\n", 0.01},
};

// A cube of 0.3 to 0.7 m in empty space, and what else there is.
std::string scene(const Way& way, const std::string& rest) {
  return std::string(
             "format = 1\n[scene]\nname = \"test\"\nduration = 0.1\nfps = 10\ngravity = [0, 0, 0]\n[solver]\n"
             "dx = 0.05\nprecision = \"double\"\n") +
         way.solver + "[materials.m]\n" + way.material +
         "[[body]]\nmaterial = \"m\"\nshape = { type = \"box\", center = [0.5, 0.5, 0.5], size = [0.4, 0.4, 0.4] }\n" +
         rest;
}

std::string ball(const std::string& center, const std::string& motion) {
  return "[[collider]]\nname = \"ball\"\nshape = { type = \"sphere\", center = " + center +
         ", radius = 0.08 }\nmotion = { " + motion + " }\n[[probe]]\nname = \"f\"\ntype = \"force\"\non = \"ball\"\n";
}

// It crosses in fewer steps of the elastic wave than it has diameters, and a frame is longer than the whole shot.
TEST(FastColliders, give_matter_the_momentum_that_they_lose) {
  // Newton's drag: points that do not meet each other leave a ball with the velocity of its surface along the normal,
  // which takes the force rho v^2 pi R^2 / 2. Of a ball that leaves a cavity in a liquid it is 0.3 of that; so much is
  // asked.
  const double newton = 1000 * speed * std::numbers::pi * radius * radius / 2 * side;
  for (const Way& way : ways) {
    Simulation s(scene(way, ball("[-0.2, 0.5, 0.5]", "velocity = [300, 0, 0]")));
    ASSERT_NO_THROW(s.advance_to(1.4 / speed)) << way.name;
    const Vec3d momentum = s.ledger().momentum;
    EXPECT_GT(momentum[0], 0.3 * newton) << way.name;
    EXPECT_LT(momentum[0], s.ledger().mass * speed) << way.name;
    EXPECT_LT(length(momentum + s.world.reactions[0].impulse), way.balance * momentum[0]) << way.name;
  }
}

// Matter that flies apart is left with particles that have no neighbours.
TEST(FastColliders, leave_sound_matter_in_single_precision) {
  for (const Way& way : ways) {
    Simulation s(scene(way, ball("[-0.2, 0.5, 0.5]", "velocity = [300, 0, 0]")), {"solver.precision=float"});
    ASSERT_NO_THROW(s.advance_to(1.4 / speed)) << way.name;
    EXPECT_EQ(fault_of(s.world), "") << way.name;
  }
}

// No point of it moves more than a part of a cell in a step while it may meet matter.
TEST(FastColliders, bound_the_step_near_matter) {
  for (const Way& way : ways) {
    Simulation s(scene(way, ball("[0.15, 0.5, 0.5]", "velocity = [300, 0, 0]")));
    const TimeStep step = s.solver->max_dt(s.world);
    EXPECT_EQ(step.bound, Bound::collider_speed) << way.name;
    EXPECT_LE(step.dt * speed, 1.000001 * dx) << way.name;
    EXPECT_GE(step.dt * speed, 0.05 * dx) << way.name;
  }
}

// At the far end of the cube, 0.4 m from the axis beside it.
TEST(FastColliders, are_as_fast_as_where_they_turn_in_matter) {
  const Way& way = ways[0];
  const std::string blade =
      "[[collider]]\nshape = { type = \"box\", center = [0.5, 0.5, 0.5], size = [1.6, 0.1, 0.1] }\nmotion = { spin = "
      "[0, 0, 1000], pivot = [0.3, 0.5, 0.5] }\n";
  Simulation s(scene(way, blade));
  const TimeStep step = s.solver->max_dt(s.world);
  const double cfl = 0.5, far = 0.4, farthest = std::hypot(0.4 + 3 * dx, 0.2 + 3 * dx);
  EXPECT_EQ(step.bound, Bound::collider_speed);
  EXPECT_LE(step.dt, cfl * dx / (1000 * far));
  EXPECT_GE(step.dt, cfl * dx / (1000 * farthest) * (1 - 1e-9));
}

TEST(FastColliders, cost_nothing_far_from_matter) {
  const char* const far[] = {"[-9, 0.5, 0.5]", "[0.5, 9, 0.5]", "[1.2, 0.5, 0.5]"};
  for (const Way& way : ways) {
    const TimeStep alone = [&] {
      Simulation s(scene(way, ""));
      return s.solver->max_dt(s.world);
    }();
    for (const char* center : far) {
      Simulation s(scene(way, ball(center, "velocity = [300, 0, 0]")));
      const TimeStep step = s.solver->max_dt(s.world);
      EXPECT_EQ(step.dt, alone.dt) << way.name << " " << center;
      EXPECT_EQ(step.bound, alone.bound) << way.name << " " << center;
    }
  }
}

// A blow that is over within a step of the elastic wave, told by keyframes.
TEST(FastColliders, are_seen_between_the_ends_of_a_step) {
  Simulation s(scene(ways[0], ball("[0.1, 0.5, 0.5]",
                                   "keyframes = [{ time = 1e-4 }, { time = 2e-4, translate = [0.3, 0, 0] }, { time = "
                                   "3e-4 }]")));
  EXPECT_EQ(s.solver->max_dt(s.world).bound, Bound::collider_speed);
  ASSERT_NO_THROW(s.advance_to(3e-4));
  EXPECT_GT(s.ledger().kinetic, 0);
}

// What is taken from the state is the same from a copy of it, on any number of threads.
TEST(FastColliders, bound_the_same_step_after_resuming) {
  for (const Way& way : ways) {
    const std::string text = scene(way, ball("[-0.2, 0.5, 0.5]", "velocity = [300, 0, 0]"));
    Simulation s(text), resumed(text);
    ASSERT_NO_THROW(s.advance_to(0.5 / speed)) << way.name;
    resumed.world = s.world;
    resumed.solver->prepare(resumed.world);
    for (int threads : {1, 2, 7}) {
      const ThreadLimit limit(threads);
      EXPECT_EQ(resumed.solver->max_dt(resumed.world).dt, s.solver->max_dt(s.world).dt) << way.name;
      EXPECT_EQ(resumed.solver->max_dt(resumed.world).bound, s.solver->max_dt(s.world).bound) << way.name;
    }
  }
}

}  // namespace
}  // namespace knead::test
