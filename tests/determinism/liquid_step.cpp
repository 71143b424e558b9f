// Liquids give the same bits on any number of threads, and go on with them from a copy.
#include "base/parallel.h"
#include "support/small_scene.h"

#include <gtest/gtest.h>

namespace knead::test {
namespace {

// A dam over a moving box, with a source, an explosion and an open side, so that every stage has work to do.
std::string busy(const std::string& liquid) {
  return "format = 1\n[scene]\nname = \"busy\"\ndomain = { min = [0, 0, 0], max = [2, 1, 0.5], open = [\"x max\"] }\n"
         "[solver]\nmethod = \"liquid\"\ndx = 0.0625\nliquid = { " +
         liquid +
         " }\n[materials.water]\nmodel = \"fluid\"\n"
         "[[body]]\nmaterial = \"water\"\nparticles_per_cell = 8\n"
         "shape = { type = \"box\", center = [0.25, 0.375, 0.25], size = [0.5, 0.75, 0.5] }\n"
         "[[collider]]\nshape = { type = \"box\", center = [1, 0.1, 0.25], size = [0.2, 0.2, 0.2] }\n"
         "motion = { velocity = [-0.5, 0, 0] }\n"
         "[[source]]\nmaterial = \"water\"\nparticles_per_cell = 8\nvelocity = [-2, 0, 0]\n"
         "shape = { type = \"sphere\", center = [1.8, 0.8, 0.25], radius = 0.1 }\n"
         "[[explosion]]\ncenter = [0.3, 0.2, 0.25]\ntime = 0.1\nradius = 0.2\n";
}

std::vector<std::byte> bits(const World& world) {
  std::vector<std::byte> all;
  for (const Column& c : world.particles.columns()) all.insert(all.end(), c.data.data(), c.data.data() + c.data.size());
  return all;
}

TEST(LiquidStep, gives_the_same_bits_on_any_number_of_threads) {
  for (const char* liquid : {"", "pressure = \"incompressible\"", "solver = \"mprgp\", transfer = \"apic\"",
                             "foresight = \"particles\", suction = 1e4", "flow = [\"1 - y\", \"x\", \"t\"]"}) {
    std::vector<std::byte> first;
    for (int threads : {1, 2, 5}) {
      const ThreadLimit limit(threads);
      Simulation s(busy(liquid));
      ASSERT_TRUE(s.run_steps(30)) << liquid;
      if (threads == 1) first = bits(s.world);
      EXPECT_TRUE(first == bits(s.world)) << liquid << " on " << threads;
    }
  }
}

TEST(LiquidStep, goes_on_from_a_copy) {
  for (const char* liquid :
       {"", "pressure = \"incompressible\"", "foresight = \"particles\"", "flow = [\"1 - y\", \"x\", \"t\"]"}) {
    Simulation through(busy(liquid)), half(busy(liquid));
    ASSERT_TRUE(through.run_steps(30));
    ASSERT_TRUE(half.run_steps(13));
    Simulation rest(busy(liquid));
    rest.world = half.world;
    rest.solver->prepare(rest.world);
    ASSERT_TRUE(rest.run_steps(17));
    EXPECT_TRUE(bits(through.world) == bits(rest.world)) << liquid;
  }
}

}  // namespace
}  // namespace knead::test
