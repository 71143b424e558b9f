// Contact of methods without a grid: friction acts, and sticky colliders hold. What force probes read is judged by
// `knead validate p1`.
#include "run/warnings.h"
#include "support/small_scene.h"

#include <gtest/gtest.h>

namespace knead::test {
namespace {

struct Way {
  const char *name, *solver, *material;
};
const Way ways[] = {
    {"mls", "method = \"mls\"\n", "model = \"strain-yield\"\nyoung = 2e5\n"},
    {"implicit mls", "method = \"mls\"\nintegrator = \"implicit\"\ndt = 0.004\n",
     "model = \"strain-yield\"\nyoung = 2e5\n"},
    {"embedded", "method = \"embedded\"\n", "model = \"yield-flow\"\nyoung = 2e5\nyield_stress = 1e9\n"},
    {"composed", "method = \"composed\"\n", "model = \"yield-flow\"\nyoung = 2e5\nyield_stress = 1e9\n"},
    {"implicit mls, neo-hookean", "method = \"mls\"\nintegrator = \"implicit\"\ndt = 0.004\n",
     "model = \"neo-hookean\"\nyoung = 2e5\n"},
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

// How far the middle of a block of the height h leans when its foot is held and it is pulled along by a: rho a h^2 over
// three shear moduli. One that is let go swings that far about there.
constexpr double lean(double a) { return 1000 * a * 0.4 * 0.4 / (3 * 2e5 / 2.6); }

// Its speed falls by mu g until it stands.
TEST(MeshlessContact, a_block_slides_to_rest_as_far_as_friction_lets_it) {
  constexpr double slowing = 0.5 * 9.81, way_to_rest = 2 * 2 / (2 * slowing);
  for (const Way& way : ways) {
    Simulation s(scene(way, on_floor + "velocity = [2, 0, 0]\n", floor_with(0.5)));
    ASSERT_TRUE(s.run_until(0.2)) << way.name;
    // A block that bounces is pressed unevenly.
    EXPECT_NEAR(s.ledger().momentum[0] / s.ledger().mass, 2 - slowing * 0.2, 0.12) << way.name;
    ASSERT_TRUE(s.run_until(0.8)) << way.name;
    const double stopped = s.ledger().center[0];
    EXPECT_NEAR(stopped, way_to_rest, 0.05 * way_to_rest + lean(slowing)) << way.name;
    ASSERT_TRUE(s.run_until(1.2)) << way.name;
    EXPECT_NEAR(s.ledger().center[0], stopped, 2 * lean(slowing)) << way.name;
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

// Across both axes of a floor, with a viscosity that brings all else to rest in a second. Where friction holds, the
// pull on the foot does not move it, not even as far as it would within a step. Steps are even: a short one shakes the
// block.
TEST(MeshlessContact, friction_that_holds_lets_nothing_creep) {
  const double friction = 0.5, pull = 9.81 * friction / 1.2;
  for (const Way& way : ways) {
    Simulation s(scene(way, on_floor, floor_with(friction)),
                 {"solver.meshless.viscosity=2000", "scene.body_force=[\"" + std::to_string(0.6 * pull) +
                                                        " * min(1, 5 * t)\", 0, \"" + std::to_string(-0.8 * pull) +
                                                        " * min(1, 5 * t)\"]"});
    ASSERT_TRUE(s.run_until(1, 1e-3)) << way.name;
    const Vec3d before = s.ledger().center;
    ASSERT_TRUE(s.run_until(1.2, 1e-3)) << way.name;
    EXPECT_LE(length(s.ledger().center - before), 1e-6) << way.name;
  }
}

// On a cylinder that turns by 0.3, smoothly, and to whose axis everything is drawn. Where friction holds, a block is
// carried along by the same angle, and a pull along the axis, half of what friction bears, does not move it; on a
// slippery cylinder nothing turns it.
TEST(MeshlessContact, friction_that_holds_carries_matter_along_a_curved_collider) {
  for (const Way& way : ways) {
    const auto turning = [&](double friction, double pull) {
      const std::string cylinder =
          "[[collider]]\nname = \"held\"\nfriction = " + std::to_string(friction) +
          "\nshape = { type = \"cylinder\", center = [0, -1, 0], axis = [0, 0, 1], radius = 1, height = 4 }\n"
          "motion = { pivot = [0, -1, 0], rotate = [0, 0, \"0.15*(1 - cos(pi*min(t, 1)))\"] }\n";
      return Simulation(scene(way, on_floor, cylinder),
                        {"solver.meshless.viscosity=2000", "scene.gravity=[0, 0, 0]",
                         "scene.body_force=[\"-20*x/hypot(x, y + 1)\", \"-20*(y + 1)/hypot(x, y + 1)\", \"" +
                             std::to_string(pull) + "*min(1, 5*t)\"]"});
    };
    const auto angle = [](const Vec3d& at) { return std::atan2(-at[0], at[1] + 1); };
    Simulation held = turning(1, 10), loose = turning(0, 0);
    ASSERT_TRUE(held.run_until(1.8, 1e-3)) << way.name;
    const Vec3d before = held.ledger().center;
    ASSERT_TRUE(held.run_until(2, 1e-3)) << way.name;
    EXPECT_NEAR(angle(held.ledger().center), 0.3, 0.01) << way.name;
    // Of the 0.2 m that the pull alone would move it by, nothing but the end of its settling.
    EXPECT_LE(length(held.ledger().center - before), 5e-5) << way.name;
    ASSERT_TRUE(loose.run_until(1)) << way.name;
    EXPECT_NEAR(angle(loose.ledger().center), 0, 0.01) << way.name;
  }
}

// On a level floor, once it has settled: while it bounces it is pressed by less than its weight, and slips.
TEST(MeshlessContact, implicit_steps_hold_a_block_below_the_limit_of_friction) {
  for (const double share : {0.9, 1.2}) {
    const double friction = 0.5, pull = share * friction * 9.81;
    Simulation s(scene(ways[1], on_floor, floor_with(friction)),
                 {"scene.body_force=[\"" + std::to_string(pull) + " * min(1, max(0, (t - 0.6) / 0.2))\", 0, 0]"});
    ASSERT_TRUE(s.run_until(1.2));
    if (share < 1) {  // its edges give way until the pressure below it suits the pull, then it stands
      const double leans = s.ledger().center[0];
      EXPECT_NEAR(leans, 0, 4 * lean(pull));
      ASSERT_TRUE(s.run_until(2.2));
      EXPECT_NEAR(s.ledger().center[0], leans, 0.5 * lean(pull));
    } else {  // it begins to slide when 1 / 1.2 of the pull is there
      const double more = (share - 1) * friction * 9.81;
      EXPECT_NEAR(s.ledger().momentum[0] / s.ledger().mass, more * (0.4 + 0.5 * 0.2 * (1 - 1 / share)), 0.1 * more);
    }
  }
}

// Implicit steps, however stiff the matter: friction is Coulomb's to the hundredth to which it is solved for.
struct Stiff {
  const char* name;
  std::vector<std::string> sets;
};
const Stiff stiff[] = {
    {"2D, 1 MPa", {"scene.dimension=2", "materials.m.young=1e6"}},
    {"2D, 10 MPa", {"scene.dimension=2", "materials.m.young=1e7"}},
    {"2D, 100 MPa", {"scene.dimension=2", "materials.m.young=1e8"}},
    {"2D, 1 GPa", {"scene.dimension=2", "materials.m.young=1e9"}},
    {"2D, 100 MPa, float", {"scene.dimension=2", "materials.m.young=1e8", "solver.precision=\"float\""}},
    {"2D, 100 MPa, steps of 10 ms", {"scene.dimension=2", "materials.m.young=1e8", "solver.dt=0.01"}},
    {"3D, 100 MPa", {"scene.dimension=3", "materials.m.young=1e8"}},
};

TEST(MeshlessContact, friction_of_implicit_steps_is_coulombs_on_a_slope) {
  constexpr double tangent = 0.5, g = 9.81;
  const double cosine = 1 / std::sqrt(1 + tangent * tangent), press = g * cosine;
  for (const Stiff& s : stiff)
    for (const double friction : {0.25, 0.475, 0.55}) {
      std::vector<std::string> sets = s.sets;
      sets.push_back("scene.gravity=[" + std::to_string(tangent * press) + ", " + std::to_string(-press) + ", 0]");
      Simulation block(scene(ways[1], on_floor, floor_with(friction)), sets);
      ASSERT_TRUE(block.run_until(0.3)) << s.name;  // it is set down, and rings
      const double before = block.ledger().momentum[0] / block.ledger().mass;
      ASSERT_TRUE(block.run_until(0.6)) << s.name;
      const double a = (block.ledger().momentum[0] / block.ledger().mass - before) / 0.3;
      EXPECT_NEAR(a, press * std::max(0.0, tangent - friction), 0.01 * friction * press) << s.name << ", " << friction;
      EXPECT_EQ(block.world.tally.frame_contact_unsolved, 0) << s.name << ", " << friction;
    }
}

// By 2 m/s^2, of which friction passes on half, or all.
TEST(MeshlessContact, a_moving_floor_takes_along_what_coulombs_law_says) {
  constexpr double g = 9.81;
  for (const Stiff& s : stiff)
    for (const double friction : {0.1, 0.3}) {
      Simulation block(scene(ways[1], on_floor, floor_with(friction) + "motion = { translate = [\"t*t\", 0, 0] }\n"),
                       s.sets);
      ASSERT_TRUE(block.run_until(0.6)) << s.name;
      EXPECT_NEAR(block.ledger().momentum[0] / block.ledger().mass, std::min(2.0, friction * g) * 0.6, 0.012)
          << s.name << ", " << friction;
    }
}

// However fast it is: in a step friction takes less than a ten-thousandth of its momentum.
TEST(MeshlessContact, implicit_steps_slow_a_fast_block_by_little_friction) {
  constexpr double loss = 0.02 * 9.81 * 0.5;
  for (const char* young : {"2e5", "1e7"}) {
    Simulation s(scene(ways[1], on_floor + "velocity = [10, 0, 0]\n", floor_with(0.02)),
                 {std::string("materials.m.young=") + young});
    ASSERT_TRUE(s.run_until(0.5)) << young;
    EXPECT_NEAR(10 - s.ledger().momentum[0] / s.ledger().mass, loss, 0.01 * loss) << young;
  }
}

TEST(MeshlessContact, friction_that_was_not_found_gets_one_warning) {
  Simulation s(scene(ways[1], on_floor, floor_with(0.5)));
  FrameWarnings warnings;
  EXPECT_TRUE(warnings.of(s.world, s.ledger()).empty());
  s.world.tally.frame_contact_unsolved = 3;
  EXPECT_EQ(warnings.of(s.world, s.ledger()).size(), 1u);
  EXPECT_TRUE(warnings.of(s.world, s.ledger()).empty());
}

}  // namespace
}  // namespace knead::test
