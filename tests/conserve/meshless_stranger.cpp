// Bodies far away change nothing: what a body does, alone or beside a stranger of whatever stiffness, size and motion.
#include "support/small_scene.h"

#include <gtest/gtest.h>

namespace knead::test {
namespace {

const std::string flowing = "model = \"yield-flow\"\nyoung = 2e5\nyield_stress = 2e3\nflow_rate = 40\n";

std::string scene(const std::string& method, const std::string& stranger) {
  const std::string material =
      method == "mls" ? "model = \"strain-yield\"\nyoung = 2e5\nyield_strain = 0.01\n" : flowing;
  return "format = 1\n[scene]\nname = \"test\"\n[solver]\ndx = 0.1\ndt = 5e-4\nprecision = \"double\"\nmethod = \"" +
         method + "\"\n[materials.m]\n" + material +
         "[[body]]\nname = \"lower\"\nmaterial = \"m\"\nshape = { type = \"box\", center = [0, 0.25, 0], size = [0.5, "
         "0.4, 0.5] }\n[[body]]\nname = \"upper\"\nmaterial = \"m\"\nvelocity = [0, -2, 0]\nshape = { type = \"box\", "
         "center = "
         "[0.03, 0.8, 0.02], size = [0.4, 0.4, 0.4] }\n[[collider]]\nfriction = 0.5\nshape = { type = \"plane\" }\n" +
         stranger;
}
std::string stranger(const std::string& material, double size) {
  const std::string edge = std::to_string(size);
  return "[materials.other]\n" + material +
         "[[body]]\nname = \"stranger\"\nmaterial = \"other\"\nshape = { type = \"box\", center = [4, " +
         std::to_string(size / 2 + 0.05) + ", 0], size = [" + edge + ", " + edge + ", " + edge + "] }\n";
}

// The place of a sum in it is all that a stranger may change. The lists of contact are made when somebody has moved, so
// that sums over them have another order; solves for the embedding of several bodies at once end together.
TEST(MeshlessStranger, changes_nothing_of_what_others_do) {
  for (const std::string method : {"mls", "embedded", "composed"}) {
    Simulation alone(scene(method, ""));
    ASSERT_TRUE(alone.run_until(0.3)) << method;
    const auto there = alone.world.particles.get<Vec<double, 3>>("x");
    const auto number = alone.world.particles.get<std::int32_t>("id");
    std::vector<Vec<double, 3>> wanted(there.size());
    for (std::size_t i = 0; i < there.size(); ++i) wanted[static_cast<std::size_t>(number[i])] = there[i];
    const std::string soft = "model = \"neo-hookean\"\nyoung = 2e3\n", stiff = "model = \"neo-hookean\"\nyoung = 1e6\n";
    for (const std::string& other : {stranger(soft, 0.3), stranger(stiff, 0.3), stranger(stiff, 0.8)}) {
      Simulation beside(scene(method, other));
      ASSERT_TRUE(beside.run_until(0.3)) << method << other;
      const auto x = beside.world.particles.get<Vec<double, 3>>("x");
      const auto id = beside.world.particles.get<std::int32_t>("id");
      double most = 0;
      for (std::size_t i = 0; i < x.size(); ++i)
        if (static_cast<std::size_t>(id[i]) < wanted.size())
          most = std::max(most, length(x[i] - wanted[static_cast<std::size_t>(id[i])]));
      EXPECT_LT(most, 1e-9) << method << '\n' << other;
    }
  }
}

}  // namespace
}  // namespace knead::test
