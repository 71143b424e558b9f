// The warning of energy that comes from nowhere: it comes where steps are too long, and only there.
#include "run/warnings.h"
#include "support/small_scene.h"

#include <gtest/gtest.h>

namespace knead::test {
namespace {

// A free block that swings along both axes, as in an audit of step sizes.
std::string block(const std::string& method, const std::string& solver = "") {
  return "format = 1\n[scene]\nname = \"test\"\ndimension = 2\ngravity = [0, 0]\nfps = 1000\n[solver]\nmethod = \"" +
         method + "\"\ndx = 0.0375\n" + solver +
         "[materials.m]\nmodel = \"neo-hookean\"\nyoung = 2e6\npoisson = 0\n[[body]]\nname = \"block\"\n"
         "material = \"m\"\nshape = { type = \"box\", center = [0.15, 0.15], size = [0.3, 0.3] }\n"
         "velocity = [\"0.02*cos(pi*x/0.3)\", \"0.005*cos(pi*y/0.3)\"]\n";
}

// How many warnings of its energy a run gets, over so many frames or until it gives up.
int warnings_of(const std::string& text, int frames, const std::vector<std::string>& sets = {}) {
  knead::Simulation s = knead::Simulation::from_text(text, sets);
  FrameWarnings warnings;
  warnings.watch(s.scene(), s.ledger());
  int count = 0;
  try {
    for (int k = 0; k < frames; ++k) {
      s.advance_frame();
      for (const std::string& w : warnings.of(s.world, s.ledger())) count += w.find("the energy rose") != w.npos;
    }
  } catch (const Failure&) {  // it has exploded for good
  }
  return count;
}

TEST(EnergyWatch, warns_once_where_a_fixed_step_is_unstable_and_nowhere_else) {
  for (const char* method : {"mpm", "mls", "embedded", "composed"}) {
    EXPECT_EQ(warnings_of(block(method), 400), 0) << method;
    const double stable = knead::Simulation::from_text(block(method)).max_dt().dt;
    EXPECT_EQ(warnings_of(block(method, "dt = " + std::to_string(4 * stable) + "\n"), 30, {"scene.fps=100"}), 1)
        << method;
  }
  EXPECT_EQ(warnings_of(block("mls", "integrator = \"implicit\"\ndt = 0.01\n"), 400), 0);
}

// Grips, colliders, body forces, events and plastic flow give and take energy that the ledger knows.
TEST(EnergyWatch, is_silent_where_energy_comes_from_somewhere) {
  const std::string more =
      "[[collider]]\nname = \"floor\"\nfriction = 0.3\nshape = { type = \"plane\", point = [0, -0.1, 0] }\n"
      "[[grip]]\nname = \"hand\"\nshape = { type = \"box\", center = [0.15, 0.3], size = [1, 0.1] }\n"
      "motion = { translate = [\"0.1*sin(20*t)\", \"0.05*sin(30*t)\", 0] }\n"
      "[[event]]\ntime = 0.2\nrelease = [\"hand\"]\n[[event]]\ntime = 0.3\nmaterial = \"m\"\nset = { young = 1e6 }\n"
      "[[event]]\ntime = 0.35\nbody = \"block\"\nvelocity = [2, 3]\n";
  for (const char* method : {"mpm", "mls", "embedded", "composed"})
    for (const char* law : {"neo-hookean", "von-mises"}) {
      std::vector<std::string> sets{"scene.gravity=[0, -9.81]", "scene.body_force=[\"-50*x\", \"3*sin(40*t)\"]",
                                    std::string("materials.m.model=\"") + law + "\""};
      if (law[0] == 'v') sets.push_back("materials.m.yield_stress=2e4");
      EXPECT_EQ(warnings_of(block(method) + more, 500, sets), 0) << method << ' ' << law;
    }
}

}  // namespace
}  // namespace knead::test
