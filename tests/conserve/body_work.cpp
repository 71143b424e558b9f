// The work of body forces: force times way, whatever holds the matter meanwhile.
#include "support/small_scene.h"

#include <gtest/gtest.h>

namespace knead::test {
namespace {

const char* const hooke = "model = \"strain-yield\"\nyoung = 2e5\n";
const char* const jelly = "model = \"neo-hookean\"\nyoung = 2e5\n";
const std::string mpm = "method = \"mpm\"\ndx = 0.1\n";
const std::string mls = "method = \"mls\"\ndx = 0.05\n";

const struct {
  std::string name, solver, material;
} ways[] = {
    {"mpm", mpm, jelly},
    {"mpm, flip", mpm + "transfer = \"flip\"\n", jelly},
    {"mpm, particles move", mpm + "advect = \"particle\"\n", jelly},
    {"mpm, implicit", mpm + "integrator = \"implicit\"\n", jelly},
    {"mls", mls, hooke},
    {"mls, implicit", mls + "integrator = \"implicit\"\n", hooke},
    {"embedded", "method = \"embedded\"\ndx = 0.05\n", jelly},
    {"composed", "method = \"composed\"\ndx = 0.05\n", jelly},
};

// A block of 320 kg that lies on a floor, or hangs from what it sticks to, under a body force of g and a drag, before
// it is looked at for two seconds. Steps are even: a short one shakes it.
TEST(BodyWork, is_none_on_matter_at_rest) {
  constexpr double g = 9.81, height = 0.4;
  const std::string floor = "[[collider]]\nname = \"floor\"\nshape = { type = \"plane\" }\n";
  const std::string ceiling =
      "[[collider]]\nname = \"ceiling\"\ncontact = \"sticky\"\n"
      "shape = { type = \"box\", center = [0, 0.9], size = [3, 1] }\n";
  for (const auto& way : ways)
    for (const std::string& held : {floor, ceiling}) {
      Simulation s(
          "format = 1\n[scene]\nname = \"test\"\ndimension = 2\ngravity = [0, 0]\n"
          "body_force = [\"-60*vx\", \"-9.81 - 60*vy\"]\n[solver]\nprecision = \"double\"\n" +
          way.solver + "[materials.m]\n" + way.material +
          "[[body]]\nname = \"block\"\nmaterial = \"m\"\nsampling = \"lattice\"\n"
          "shape = { type = \"box\", center = [0, 0.2], size = [0.8, 0.4] }\n" +
          held);
      ASSERT_TRUE(s.run_until(2, 1e-3)) << way.name;
      const Ledger before = s.ledger();
      ASSERT_TRUE(s.run_until(4, 1e-3)) << way.name;
      const Ledger after = s.ledger();
      EXPECT_NEAR(after.mass, 320, 1e-6) << way.name;
      // Composed matter that hangs still sinks by 0.2 mm.
      const double sunk = std::abs(after.center[1] - before.center[1]), weight = after.mass * g;
      EXPECT_NEAR(after.body_work, before.body_work, weight * (1e-6 * height + sunk)) << way.name << held;
      EXPECT_LT(sunk, (way.name == "composed" ? 1e-3 : 1e-6) * height) << way.name << held;
    }
}

}  // namespace
}  // namespace knead::test
