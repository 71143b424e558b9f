// What the methods without a grid do where a step or a neighbourhood fails: a step that is refused leaves no trace,
// particles whose deformation cannot be told are counted by cause and calmed, and steps follow the mass that is there.
#include "support/small_scene.h"
#include "world/sound.h"

#include <gtest/gtest.h>

namespace knead::test {
namespace {

std::string scene(const std::string& method, const std::string& material, const std::string& body,
                  const std::string& solver = "", const std::string& rest = "") {
  return "format = 1\n[scene]\nname = \"test\"\ngravity = [0, 0, 0]\n[solver]\nmethod = \"" + method +
         "\"\ndx = 0.1\nprecision = \"double\"\n" + solver + "\n[materials.m]\n" + material +
         "\n[[body]]\nname = \"body\"\nmaterial = \"m\"\n" + body + "\n" + rest + "\n";
}
const std::string box = "shape = { type = \"box\", size = [0.6, 0.5, 0.4] }\n";
const std::string elastic = "model = \"yield-flow\"\nyoung = 1e5\nyield_stress = 1e9";

using V = Vec<double, 3>;
using M = Mat<double, 3>;

std::vector<std::byte> bits(const World& world) {
  std::vector<std::byte> all;
  for (const Column& c : world.particles.columns()) all.insert(all.end(), c.data.data(), c.data.data() + c.data.size());
  return all;
}

// Steps that are refused are tried again at half their size.
TEST(MeshlessGuards, a_refused_step_leaves_no_trace) {
  const std::string flowing = "model = \"yield-flow\"\nyoung = 1e5\nyield_stress = 100";
  const std::string creeping = "model = \"strain-yield\"\nyoung = 1e5\nyield_strain = 1e-4\ncreep = 50";
  const struct {
    const char* method;
    std::string material, solver;
  } cases[] = {{"mls", creeping, ""},
               {"mls", creeping, "integrator = \"implicit\""},
               {"mls", creeping + "\nmelt = true", ""},
               {"mls", flowing, ""},
               {"embedded", flowing, ""},
               {"composed", flowing, ""}};
  for (const auto& c : cases) {
    Simulation s(
        scene(c.method, c.material, box + "velocity = [\"2*y + x + 3\", \"-x + 3*x*z\", \"y - z\"]\n", c.solver));
    ASSERT_TRUE(s.run_steps(20, 1e-3)) << c.method;
    World untroubled = s.world;
    ASSERT_FALSE(s.solver->step(s.world, 1.0).ok()) << c.method;
    ASSERT_TRUE(s.solver->step(s.world, 1e-3).ok()) << c.method;
    ASSERT_TRUE(s.solver->step(untroubled, 1e-3).ok()) << c.method;
    EXPECT_TRUE(bits(s.world) == bits(untroubled)) << c.method << " " << c.material << c.solver;
    EXPECT_EQ(s.world.tally.dissipated, untroubled.tally.dissipated) << c.method;
    EXPECT_GT(untroubled.tally.dissipated, 0.0) << c.method << c.material;
  }
}

// In single precision what rounding takes is kept, but not of a deformation that nothing tells.
TEST(MeshlessGuards, particles_without_neighbours_stay_finite_in_both_precisions) {
  const std::string lone =
      "velocity = [1, 2, 3]\n[[body]]\nname = \"lone\"\nmaterial = \"m\"\nvelocity = [-1, 0, 2]\nspin = [1, 2, 3]\n"
      "shape = { type = \"box\", center = [3, 0, 0], size = [0.101, 0.101, 0.101] }";
  for (const char* method : {"mls", "embedded", "composed"})
    for (const char* precision : {"float", "double"}) {
      Simulation s(scene(method, elastic, box + lone), {"solver.precision=" + std::string(precision)});
      ASSERT_TRUE(s.run_steps(20)) << method << " " << precision;
      EXPECT_EQ(fault_of(s.world), "") << method << " " << precision;
    }
}

// A body keeps the mass it was made with, and steps follow the waves in that mass from the first one on.
TEST(MeshlessGuards, steps_follow_the_mass_of_a_body_that_becomes_another_material) {
  for (const char* method : {"mls", "embedded", "composed"}) {
    const auto step_after = [&](const std::string& other) {
      Simulation s(scene(method, "model = \"fixed-corotated\"\nyoung = 1e5\ndensity = 1000", box, "",
                         "[materials.other]\nmodel = \"fixed-corotated\"\n" + other +
                             "\n[[event]]\ntime = 0.01\nbody = \"body\"\nmaterial = \"other\""));
      const double mass = s.ledger().mass;
      EXPECT_TRUE(s.run_until(0.01)) << method;
      const double at_once = s.solver->max_dt(s.world).dt;
      EXPECT_TRUE(s.run_steps(3)) << method;
      EXPECT_NEAR(s.ledger().mass, mass, 1e-12 * mass) << method;
      EXPECT_NEAR(s.solver->max_dt(s.world).dt, at_once, 1e-9 * at_once) << method;
      return at_once;
    };
    const double same = step_after("young = 1e5\ndensity = 1000");
    EXPECT_NEAR(step_after("young = 1e5\ndensity = 4000"), same, 1e-9 * same) << method;
    EXPECT_NEAR(step_after("young = 1e7\ndensity = 4000"), same / 10, 1e-9 * same) << method;
  }
}

// Each cause has its counter.
TEST(MeshlessGuards, are_counted_by_cause) {
  const auto counted = [](const std::string& text, auto&& change, int steps = 7) {
    Simulation s(text);
    change(s.world.particles);
    EXPECT_TRUE(s.run_steps(steps, 1e-5));
    EXPECT_EQ(s.ledger().collapsed, 0);
    return s.world.tally.frame_guarded;
  };
  const auto nothing = [](Particles&) {};
  for (const char* method : {"mls", "embedded", "composed"}) {
    const Guarded calm = counted(scene(method, elastic, box), nothing);
    EXPECT_EQ(calm.turned() + calm.clamped, 0) << method;
  }
  // A particle far from all others; four by themselves; a sheet; what is about to turn inside out.
  const auto away = [](int count) {
    return [count](Particles& p) {
      for (int i = 0; i < count; ++i) p.get<V>("x")[static_cast<std::size_t>(i)] += V{9, 0, 0};
    };
  };
  const std::string melt = "model = \"strain-yield\"\nyoung = 1e5\nmelt = true";
  for (const std::string& text : {scene("composed", elastic, box), scene("mls", melt, box)}) {
    const Guarded one = counted(text, away(1)), four = counted(text, away(4));
    EXPECT_EQ(one.shed, 7);
    EXPECT_EQ(one.turned(), 7);
    EXPECT_EQ(four.few, 28);
    EXPECT_EQ(four.turned(), 28);
  }
  const Guarded sheet =
      counted(scene("composed", elastic, "shape = { type = \"box\", size = [0.6, 0.6, 0.1] }"), nothing);
  EXPECT_EQ(sheet.flat + sheet.few, 7 * 36);
  EXPECT_EQ(sheet.turned(), 7 * 36);
  EXPECT_GE(sheet.flat, 7 * 16);  // its edges have fewer than 6
  const Guarded squeezed = counted(
      scene("composed", elastic + "\nflow_rate = 0", box + "velocity = [\"-20*x\", 0, 0]"),
      [](Particles& p) { p.get<M>("F")[60](0, 0) = 0.05 * (1 + 1e-5); }, 1);
  EXPECT_EQ(squeezed.inverted, 1);
  EXPECT_EQ(squeezed.turned(), 1);
  // Rest vectors three times as long, and flattened ones.
  const auto offset = [](const M& P) { return [P](Particles& p) { p.get<M>("P")[60] = P; }; };
  EXPECT_EQ(counted(scene("embedded", elastic, box), offset(M::diagonal({3, 3, 3}))).clamped, 7);
  const Guarded worn = counted(scene("embedded", elastic, box), offset(M::diagonal({1, 1, 1e-3})), 1);
  EXPECT_EQ(worn.flat, 1);
  EXPECT_EQ(worn.turned(), 1);
}

// A particle that has lost its neighbours forgets its strain after 50 steps, s -> s^exp(-10 t), and its energy is
// booked as lost.
TEST(MeshlessGuards, strain_that_cannot_be_told_fades) {
  Simulation s(scene("composed", elastic, box));
  s.world.particles.get<V>("x")[0] += V{9, 0, 0};
  s.world.particles.get<M>("F")[0](1, 1) = 1.5;
  const double before = s.ledger().elastic;
  ASSERT_TRUE(s.run_steps(49, 1e-3));
  EXPECT_NEAR(s.world.particles.get<M>("F")[0](1, 1), 1.5, 1e-12);
  ASSERT_TRUE(s.run_steps(100, 1e-3));
  EXPECT_NEAR(s.world.particles.get<M>("F")[0](1, 1), std::pow(1.5, std::exp(-1.0)), 1e-12);
  EXPECT_NEAR(s.ledger().dissipated, before - s.ledger().elastic, 1e-10 * before);
  EXPECT_NEAR(s.ledger().most_stretch, std::pow(1.5, std::exp(-1.0)), 1e-12);
  EXPECT_NEAR(s.ledger().least_stretch, 1, 1e-12);
  // Among its neighbours again it knows its strain.
  s.world.particles.get<V>("x")[0] -= V{9, 0, 0};
  ASSERT_TRUE(s.run_steps(1, 1e-9));
  EXPECT_EQ(s.world.particles.get<double>(".skipped")[0], 0);
}

// Solid matter of an implicit scene bears steps far beyond its waves; a melt beside it sets the bound and takes part.
TEST(MeshlessGuards, melts_take_part_in_implicit_steps) {
  Simulation s(scene("mls", "model = \"strain-yield\"\nyoung = 1e8\nmelt_young = 1e4",
                     box + "velocity = [\"3*y\", \"2*x\", 0]", "integrator = \"implicit\"\ndt_max = 0.1",
                     "[materials.soft]\nmodel = \"strain-yield\"\nyoung = 1e8\nmelt = true\nmelt_young = 1e4\n"
                     "[[body]]\nname = \"top\"\nmaterial = \"soft\"\nvelocity = [0, -1, 0]\n"
                     "shape = { type = \"box\", center = [0, 0.51, 0], size = [0.6, 0.5, 0.4] }"));
  // c = sqrt(1.35 E / rho), and h of the melt is 2 spacings.
  EXPECT_NEAR(s.solver->max_dt(s.world).dt, 0.2 * 0.2 / (1.25 * std::sqrt(1.346 * 10)), 2e-4);
  const Ledger before = s.ledger();
  ASSERT_TRUE(s.run_until(0.3));
  const Ledger after = s.ledger();
  EXPECT_LT(length(after.momentum - before.momentum), 1e-3 * length(before.momentum));
  EXPECT_LT(after.kinetic + after.elastic, before.kinetic);
  EXPECT_LT(after.max_speed, 3.0);
  EXPECT_LT(s.world.clock.step, 60);
}

}  // namespace
}  // namespace knead::test
