// Gravity that an event changes: it is as if the scene had begun with it, and what that does to the energy is work.
#include "run/check.h"
#include "scene/read.h"
#include "support/small_scene.h"

#include <gtest/gtest.h>

namespace knead::test {
namespace {

const std::string elastic = "model = \"neo-hookean\"\nyoung = 1e5\n",
                  plastic = "model = \"yield-flow\"\nyoung = 1e5\nyield_stress = 1e9\n",
                  wax = "model = \"strain-yield\"\nyoung = 1e5\n";

const struct Way {
  const char* name;
  std::string solver, material;
} ways[] = {
    {"mpm", "", elastic},
    {"mpm, flip", "transfer = \"flip\"", elastic},
    {"mpm, implicit", "integrator = \"implicit\"", elastic},
    {"mpm, semi-implicit", "integrator = \"semi-implicit\"", elastic},
    {"mls", "method = \"mls\"", elastic},
    {"mls, implicit", "method = \"mls\"\nintegrator = \"implicit\"", wax},
    {"mls, melt", "method = \"mls\"", wax + "melt = true\nmelt_viscosity = 10\n"},
    {"embedded", "method = \"embedded\"", plastic},
    {"composed", "method = \"composed\"", plastic},
    {"liquid", "method = \"liquid\"", "model = \"fluid\"\n"},
};

std::string scene(const Way& way, int dimension, const std::string& gravity, const std::string& rest = "",
                  const std::string& general = "") {
  const std::string method = way.solver.starts_with("method") ? "" : "method = \"mpm\"\n";
  const std::string z = dimension == 3 ? ", 0.2" : "", thick = dimension == 3 ? ", 0.3" : "";
  return "format = 1\n[scene]\nname = \"test\"\nfps = 50\nduration = 0.4\ndimension = " + std::to_string(dimension) +
         "\ngravity = " + gravity + "\n" + general + "[solver]\ndx = 0.1\nprecision = \"double\"\n" + method +
         way.solver + "\n[materials.m]\n" + way.material +
         "[[body]]\nname = \"body\"\nmaterial = \"m\"\nshape = { type = \"box\", center = [0.3, 0.8" + z +
         "], size = [0.6, 0.4" + thick + "] }\n" + rest;
}
std::string event(double time, const std::string& gravity) {
  return "[[event]]\ntime = " + std::to_string(time) + "\ngravity = " + gravity + "\n";
}

std::vector<Vec3d> places(const World& world) {
  const Column& x = *world.particles.find("x");
  const auto id = world.particles.get<std::int32_t>("id");
  std::vector<Vec3d> all(x.count());
  for (std::size_t i = 0; i < all.size(); ++i)
    for (int a = 0; a < world.dimension; ++a) all[static_cast<std::size_t>(id[i])][a] = x.value(i, a);
  return all;
}

const std::string tank = "domain = { min = [0, 0.6], max = [0.6, 2] }\n";

TEST(GravityEvent, at_the_start_is_as_a_scene_that_begins_with_it) {
  const std::string floor = "[[collider]]\nname = \"floor\"\nshape = { type = \"plane\", point = [0, 0.55, 0] }\n";
  for (const Way& way : ways)
    for (const int dimension : {2, 3}) {
      const std::string then = dimension == 2 ? "[2, -30]" : "[2, -30, 1]";
      Simulation own(scene(way, dimension, then, floor));
      Simulation changed(
          scene(way, dimension, dimension == 2 ? "[-9.81, 0]" : "[-9.81, 0, 0]", floor + event(0, then)));
      EXPECT_EQ(own.max_dt().dt, changed.max_dt().dt) << way.name;
      ASSERT_TRUE(own.run_until(0.1, 5e-4) && changed.run_until(0.1, 5e-4)) << way.name;
      const std::vector<Vec3d> x = places(own.world), y = places(changed.world);
      double most = 0;
      for (std::size_t i = 0; i < x.size(); ++i) most = std::max(most, length(x[i] - y[i]));
      EXPECT_LT(most, 1e-9) << way.name << ' ' << dimension;  // embedded: the sum of two accelerations is rounded
    }
}

// Potential energy is measured from the origin, so that it jumps with gravity by m (g1 - g2) x.
TEST(GravityEvent, what_it_does_to_the_energy_is_work) {
  const auto all = [](const Ledger& l) {
    return l.kinetic + l.elastic + l.gravitational + l.dissipated - l.contact_work - l.body_work;
  };
  for (const Way& way : ways)
    for (const int dimension : {2, 3}) {
      const Vec3d g{3, 5, dimension == 3 ? -2.0 : 0.0};
      Simulation s(scene(way, dimension, dimension == 2 ? "[0, -9.81]" : "[0, -9.81, 0]",
                         event(0.2, dimension == 2 ? "[3, 5]" : "[3, 5, -2]") + event(0.3, "[0, 0, 0]")));
      ASSERT_TRUE(s.run_until(0.2 - 1e-9)) << way.name;
      const Ledger before = s.ledger();
      ASSERT_TRUE(s.run_until(0.2)) << way.name;
      const Ledger after = s.ledger();
      const double scale = after.mass * length(g);
      EXPECT_NEAR(after.gravitational, -after.mass * dot(g, after.center), 1e-9 * scale) << way.name;
      EXPECT_GT(std::abs(after.gravitational - before.gravitational), 0.1 * scale) << "it jumps";
      EXPECT_NEAR(all(after), all(before), 1e-6 * scale) << way.name << ' ' << dimension;
      ASSERT_TRUE(s.run_until(0.4)) << way.name;
      EXPECT_NEAR(all(s.ledger()), all(before), 0.02 * scale) << way.name << ' ' << dimension;
      EXPECT_NEAR(s.ledger().gravitational, 0, 1e-12 * scale);
    }
}

// Water in a tank: the alarm for energy from nowhere stays silent, and the floor bears the new weight.
TEST(GravityEvent, makes_a_liquid_heavier) {
  Simulation s(scene(
      ways[9], 2, "[0, -9.81]",
      event(0.4, "[0, -39.24]") + "[[probe]]\nname = \"floor\"\ntype = \"force\"\non = \"domain y min\"\n", tank));
  ASSERT_TRUE(s.run_until(0.4 - 1e-6));
  s.world.start_frame();
  ASSERT_TRUE(s.run_until(0.5));
  EXPECT_LT(s.world.tally.liquid.frame_energy_rise, 0.01);
  for (auto& r : s.world.reactions) r = {};
  ASSERT_TRUE(s.run_until(1));
  EXPECT_NEAR(-s.world.reactions[0].impulse[1] / 0.5 / (s.ledger().mass * 39.24), 1, 0.03);
}

// A wave of one cell may cross a cell in a step of a liquid: its speed is sqrt(g dx).
TEST(GravityEvent, shortens_steps_and_knead_check_foresees_it) {
  const auto check = [](const std::string& text) {
    return check_scene(read_scene_text(text, "scene", ".", {"solver.dx=0.02"}));
  };
  const std::string later = scene(ways[9], 2, "[0, -100]", event(0.2, "[0, -1e4]"), tank);
  const CheckReport r = check(later);
  EXPECT_NEAR(r.dt / r.least_dt, 10, 1e-6);
  EXPECT_NE(r.stiffest.find("the event at 0.2 s"), std::string::npos) << r.stiffest;
  Simulation s(later, {"solver.dx=0.02", "event.0.time=0"});
  EXPECT_EQ(s.max_dt().dt, r.least_dt);
  const auto falls = [&](const std::string& from, const std::string& to) {
    const CheckReport report = check(scene(ways[0], 2, from, event(0.2, to)));
    return std::any_of(report.notes.begin(), report.notes.end(),
                       [](const std::string& note) { return note.find("falling forever") != std::string::npos; });
  };
  EXPECT_TRUE(falls("[0, 0]", "[0, -9.81]"));
  EXPECT_FALSE(falls("[0, -9.81]", "[0, 0]"));
}

}  // namespace
}  // namespace knead::test
