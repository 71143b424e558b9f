// Grips, events and force probes: what is prescribed happens exactly, and what is measured closes the balances of
// momentum and angular momentum.
#include "support/small_scene.h"

#include <gtest/gtest.h>

namespace knead::test {
namespace {

const char* const jelly = "model = \"neo-hookean\"\nyoung = 1e5\npoisson = 0.3";

// A block that lies in a moving grip as a whole moves with it: no strain, and the place that the motion says.
TEST(Grip, moves_what_it_holds_as_its_motion_says) {
  for (const char* transfer : {"apic", "flip"}) {
    Simulation s(one_body(3, std::string("dx = 0.1\nprecision = \"double\"\ntransfer = \"") + transfer + "\"", jelly,
                          "shape = { type = \"box\", size = [0.4, 0.4, 0.4] }", "gravity = [0, 0, 0]",
                          "[[grip]]\nshape = { type = \"box\", size = [2, 2, 2] }\n"
                          "motion = { velocity = [0.3, -0.2, 0.1] }"));
    ASSERT_TRUE(s.run_until(0.5));
    const Ledger l = s.ledger();
    EXPECT_NEAR(l.center[0], 0.15, 1e-9) << transfer;
    EXPECT_NEAR(l.center[1], -0.10, 1e-9) << transfer;
    EXPECT_NEAR(l.center[2], 0.05, 1e-9) << transfer;
    EXPECT_LE(l.elastic, 1e-12) << transfer;
  }
}

TEST(Grip, holds_only_the_axes_it_is_told) {
  Simulation s(one_body(2, "dx = 0.1\nprecision = \"double\"", jelly,
                        "velocity = [0.5, 0]\nshape = { type = \"box\", size = [0.4, 0.4] }", "",
                        "[[grip]]\naxes = [\"y\"]\nshape = { type = \"box\", size = [4, 2] }"));
  ASSERT_TRUE(s.run_until(0.5));
  EXPECT_NEAR(s.ledger().center[0], 0.25, 1e-9) << "free along x";
  EXPECT_NEAR(s.ledger().center[1], 0, 1e-12) << "held along y, against gravity";
}

// Steps of symplectic Euler of any sizes: v grows by g dt, so that y falls by the sum of v dt.
TEST(Grip, lets_go_at_its_time) {
  Simulation s(one_body(2, "dx = 0.1\nprecision = \"double\"", jelly, "shape = { type = \"disc\", radius = 0.3 }", "",
                        "[[grip]]\nshape = { type = \"box\", size = [2, 2] }\nrelease = 0.1234"));
  ASSERT_TRUE(s.run_until(0.1234));
  EXPECT_EQ(s.world.clock.time, 0.1234) << "a step ends on the event";
  const double held = s.ledger().center[1];
  const double dt = 1e-3;
  ASSERT_TRUE(s.run_steps(100, dt));
  EXPECT_NEAR(s.ledger().center[1], held - 9.81 * dt * dt * 100 * 101 / 2, 1e-12);
}

// A weight that is held: the grip feels m g, and the torque of it about a point at a distance.
TEST(ForceProbe, of_a_held_block_is_its_weight) {
  Simulation s(one_body(3, "dx = 0.1\nprecision = \"double\"", jelly,
                        "shape = { type = \"box\", center = [0.5, 0.2, 0], size = [0.4, 0.4, 0.4] }", "",
                        "[[grip]]\nname = \"hand\"\nshape = { type = \"box\", size = [4, 4, 4] }\n"
                        "[[probe]]\nname = \"a\"\ntype = \"force\"\non = \"hand\"\n"
                        "[[probe]]\nname = \"b\"\ntype = \"force\"\non = \"hand\"\nabout = [0.5, 0, 0]\n"));
  ASSERT_TRUE(s.run_until(0.2));
  const double impulse = -s.ledger().mass * 9.81 * s.world.clock.time;
  ASSERT_EQ(s.world.reactions.size(), 2u);
  EXPECT_NEAR(s.world.reactions[0].impulse[1], impulse, 1e-9 * -impulse);
  EXPECT_NEAR(s.world.reactions[0].turn[2], 0.5 * impulse, 1e-9 * -impulse) << "about the middle of the grip";
  EXPECT_NEAR(s.world.reactions[1].turn[2], 0, 1e-9 * -impulse) << "about a point below the block";
}

// What the matter loses, the walls get: balances of momentum and, where gravity is off, of angular momentum.
TEST(ForceProbe, closes_the_balance_of_momentum_and_angular_momentum) {
  for (int dimension : {2, 3}) {
    std::string probes;
    for (int wall = 0; wall < 2 * dimension; ++wall)
      probes += "[[probe]]\nname = \"w" + std::to_string(wall) + "\"\ntype = \"force\"\nabout = [0, 0, 0]\non = \"" +
                domain_wall_name(wall / 2, wall % 2) + "\"\n";
    Simulation s(one_body(
        dimension, "dx = 0.1\nprecision = \"double\"", jelly,
        "velocity = [3, -2, 0]\nspin = [0, 0, 2]\nshape = { type = \"sphere\", center = [-0.6, 0.6, 0], radius = 0.3 }",
        std::string("gravity = [0, 0, 0]\ndomain = { friction = 0.4, ") +
            (dimension == 2 ? "min = [-1, 0], max = [0, 2] }" : "min = [-1, 0, -1], max = [0, 2, 1] }"),
        probes));
    const Ledger before = s.ledger();
    ASSERT_TRUE(s.run_until(0.4));
    const Ledger after = s.ledger();
    Vec3d impulse{}, turn{};
    for (const Reaction& r : s.world.reactions) impulse += r.impulse, turn += r.turn;
    EXPECT_GT(length(s.world.reactions[1].impulse), 0.1 * length(before.momentum)) << "the wall in front";
    EXPECT_GT(length(s.world.reactions[2].impulse), 0.1 * length(before.momentum)) << "the floor";
    // Nodes of next to no mass are left at rest, which loses what they hold: 1e-12 of a particle's.
    EXPECT_LT(length(after.momentum + impulse - before.momentum), 1e-9 * length(before.momentum));
    EXPECT_LT(length(after.angular_momentum + turn - before.angular_momentum), 1e-9 * length(before.angular_momentum));
  }
}

// Pulling a bar slowly by one end: Hooke's law, force = E A strain in plane stress-free pulling along x.
TEST(ForceProbe, of_a_pulled_bar_follows_hooke) {
  Simulation s(
      one_body(2, "dx = 0.1\nprecision = \"double\"\ndamping = 0.02",
               "model = \"neo-hookean\"\nyoung = 1e4\npoisson = 0\ndensity = 100",
               "shape = { type = \"box\", center = [1, 0.2], size = [2, 0.4] }", "gravity = [0, 0, 0]",
               "[[grip]]\nname = \"left\"\nshape = { type = \"box\", center = [-0.35, 0.2], size = [0.9, 2] }\n"
               "[[grip]]\nname = \"right\"\nshape = { type = \"box\", center = [2.35, 0.2], size = [0.9, 2] }\n"
               "motion = { velocity = [0.05, 0] }\n"
               "[[probe]]\nname = \"pull\"\ntype = \"force\"\non = \"right\"\n"));
  ASSERT_TRUE(s.run_until(0.8));
  s.world.start_frame();
  const double start = s.world.clock.time;
  ASSERT_TRUE(s.run_until(1.2));
  // The grips reach 0.1 m into the bar, whose free length is 1.8 m; at the mean time of 1 s it is 0.05 m longer. The
  // force on the puller points back into the bar.
  const double force = s.world.reactions[0].impulse[0] / (s.world.clock.time - start);
  const double hooke = 1e4 * 0.4 * 0.05 / 1.8;
  EXPECT_NEAR(force, -hooke, 0.1 * hooke) << "the grid resolves the free length to a cell in eighteen";
}

}  // namespace
}  // namespace knead::test
