// Contact of methods without a grid: what a force probe reads is the change of momentum, and friction acts.
#include "support/small_scene.h"

#include <gtest/gtest.h>

namespace knead::test {
namespace {

struct Way {
  const char *name, *solver, *material;
  double rounding;  // of the balance: an implicit solve leaves a residual
};
const Way ways[] = {
    {"mls", "method = \"mls\"\n", "model = \"strain-yield\"\nyoung = 2e5\n", 1e-10},
    {"implicit mls", "method = \"mls\"\nintegrator = \"implicit\"\ndt = 0.004\n",
     "model = \"strain-yield\"\nyoung = 2e5\n", 2e-3},
    {"embedded", "method = \"embedded\"\n", "model = \"yield-flow\"\nyoung = 2e5\nyield_stress = 1e9\n", 1e-10},
    {"composed", "method = \"composed\"\n", "model = \"yield-flow\"\nyoung = 2e5\nyield_stress = 1e9\n", 1e-10},
};

std::string scene(const Way& way, const std::string& body, const std::string& rest) {
  return std::string("format = 1\n[scene]\nname = \"test\"\n[solver]\ndx = 0.1\nprecision = \"double\"\n") +
         way.solver + "[materials.m]\n" + way.material + "[[body]]\nname = \"body\"\nmaterial = \"m\"\n" + body + rest +
         "[[probe]]\nname = \"f\"\ntype = \"force\"\non = \"held\"\n";
}
const std::string on_floor = "shape = { type = \"box\", center = [0, 0.2, 0], size = [0.6, 0.4, 0.6] }\n";
std::string floor_with(double friction) {
  return "[[collider]]\nname = \"held\"\nfriction = " + std::to_string(friction) + "\nshape = { type = \"plane\" }\n";
}

TEST(MeshlessContact, a_force_probe_reads_the_change_of_momentum) {
  const std::string grip =
      "[[grip]]\nname = \"held\"\nmotion = { translate = [\"0.3 * t\", \"0.5 * t\", 0] }\nshape = { type = \"box\", "
      "center = [0, 0.4, 0], size = [2, "
      "0.2, 2] }\n";
  for (const Way& way : ways)
    for (const bool gripped : {false, true}) {
      Simulation s(scene(way, on_floor + "velocity = [1, -1, 0.5]\n", gripped ? grip : floor_with(0.5)));
      const Ledger before = s.ledger();
      ASSERT_TRUE(s.run_until(0.2)) << way.name;
      const Ledger after = s.ledger();
      const Vec3d gained = after.momentum - before.momentum, fall{0, -9.81 * after.mass * 0.2, 0};
      const Vec3d given = fall - s.world.reactions[0].impulse;
      EXPECT_GT(length(gained), 0.1 * after.mass) << way.name;
      EXPECT_LT(length(gained - given), way.rounding * length(gained)) << way.name << (gripped ? ", gripped" : "");
    }
}

// Its speed falls by mu g until it stands.
TEST(MeshlessContact, a_block_slides_to_rest_as_far_as_friction_lets_it) {
  for (const Way& way : ways) {
    Simulation s(scene(way, on_floor + "velocity = [2, 0, 0]\n", floor_with(0.5)));
    const auto speed = [&] { return s.ledger().momentum[0] / s.ledger().mass; };
    ASSERT_TRUE(s.run_until(0.2)) << way.name;
    EXPECT_NEAR(speed(), 2 - 0.5 * 9.81 * 0.2, 0.12) << way.name;  // a block that bounces is pressed unevenly
    ASSERT_TRUE(s.run_until(0.8)) << way.name;
    EXPECT_NEAR(speed(), 0, 0.02) << way.name;
  }
}

// A block that hangs from a ceiling which it touches and no more.
TEST(MeshlessContact, a_sticky_collider_holds_what_touches_it) {
  const std::string ceiling =
      "[[collider]]\nname = \"held\"\ncontact = \"sticky\"\nshape = { type = \"box\", center = [0, 0.9, 0], size = [2, "
      "1, "
      "2] }\n";
  for (const Way& way : ways) {
    Simulation s(scene(way, on_floor, ceiling));
    const double start = s.ledger().center[1];
    ASSERT_TRUE(s.run_until(0.3)) << way.name;
    EXPECT_GT(s.ledger().center[1], start - 0.05) << way.name;  // it would fall by 0.44 m
  }
}

// A floor that is level, and gravity that is not.
TEST(MeshlessContact, implicit_steps_hold_a_block_below_the_limit_of_friction) {
  for (const double share : {0.9, 1.2}) {
    const double friction = 0.5, pull = share * friction * 9.81;
    Simulation s(scene(ways[1], on_floor, floor_with(friction)),
                 {"scene.gravity=[" + std::to_string(pull) + ",-9.81,0]"});
    ASSERT_TRUE(s.run_until(0.5));
    const double speed = s.ledger().momentum[0] / s.ledger().mass;
    if (share < 1)
      EXPECT_LT(std::abs(speed), 0.01);
    else
      EXPECT_NEAR(speed, (share - 1) * friction * 9.81 * 0.5, 0.1);
  }
}

}  // namespace
}  // namespace knead::test
