// What the methods without a grid keep: momentum, angular momentum, energy; free fall and rigid motion are exact; what
// they compute does not depend on where the scene is or in which units.
#include "base/parallel.h"
#include "run/probes.h"
#include "support/small_scene.h"

#include <gtest/gtest.h>

namespace knead::test {
namespace {

std::string block(const std::string& method, const std::string& material, const std::string& body,
                  const std::string& solver = "", const std::string& general = "gravity = [0, 0, 0]", int dimension = 3,
                  const std::string& rest = "") {
  return "format = 1\n[scene]\nname = \"test\"\ndimension = " + std::to_string(dimension) + "\n" + general +
         "\n[solver]\nmethod = \"" + method + "\"\ndx = 0.1\nprecision = \"double\"\n" + solver + "\n[materials.m]\n" +
         material + "\n[[body]]\nname = \"body\"\nmaterial = \"m\"\n" + body + "\n" + rest + "\n";
}
const std::string yielding = "model = \"yield-flow\"\nyoung = 1e5\nyield_stress = 1e9";
const std::string box = "shape = { type = \"box\", size = [0.6, 0.5, 0.4] }\n";
// A motion that strains: shear, stretch and a quadratic part.
const std::string straining = "velocity = [\"2*y + x\", \"-x + 3*x*z\", \"y - z\"]\n";

double size_of_momentum(const World& world) {
  double sum = 0;
  const auto v = world.particles.get<Vec<double, 3>>("v");
  const auto mass = world.particles.get<double>("mass");
  for (std::size_t i = 0; i < v.size(); ++i) sum += mass[i] * length(v[i]);
  return sum;
}

TEST(Meshless, keeps_momentum_and_angular_momentum) {
  const struct {
    const char *method, *material, *solver;
    double turn;  // allowed change of angular momentum, relative
  } cases[] = {
      {"mls", "model = \"strain-yield\"\nyoung = 1e5\nvolume_stiffness = 1e5", "", 1e-12},
      {"mls", "model = \"neo-hookean\"\nyoung = 1e5", "", 1e-12},
      {"mls", "model = \"neo-hookean\"\nyoung = 1e5", "[solver.meshless]\nbasis = \"quadratic\"", 1e-12},
      // Without its regularizer; the regularized one is allowed 1e-4 by its own size.
      {"embedded", yielding.c_str(), "[solver.meshless]\nfrozen_mass = true\nregularizer = 0", 1e-11},
      {"embedded", yielding.c_str(), "[solver.meshless]\nfrozen_mass = true", 1e-4},
      {"composed", yielding.c_str(), "", 1e-11},
      // The published force pulls along T r, not along the line between the two.
      {"composed", yielding.c_str(), "[solver.meshless]\nelastic_force = \"cosine\"", 0.05},
  };
  for (const auto& c : cases) {
    Simulation s(block(c.method, c.material, box + straining + "sampling = \"jittered\"", c.solver));
    const Ledger before = s.ledger();
    ASSERT_TRUE(s.run_steps(200)) << c.method;
    const Ledger after = s.ledger();
    const double momentum = size_of_momentum(s.world);
    EXPECT_LT(length(after.momentum - before.momentum), 1e-12 * momentum) << c.method;
    // Newmark's second half kick leaves x and v of one time; angular momentum is x times v of the same.
    EXPECT_LT(length(after.angular_momentum - before.angular_momentum), c.turn * momentum) << c.method << c.solver;
    EXPECT_GT(after.elastic, 1e-3 * before.kinetic) << c.method;
  }
}

// Rest vectors of a particle turned as a whole are the same matter: forces are those of before, and the embedding turns
// them back to where positions can follow them. Else what they miss stays for good.
TEST(Meshless, turned_rest_vectors_bear_the_same_and_are_turned_back_by_the_embedding) {
  const std::string scene = block("embedded", "model = \"yield-flow\"\nyoung = 1e5\nyield_stress = 1e3\nflow_rate = 50",
                                  box + straining, "dt_max = 5e-4\n[solver.meshless]\nembed_after = 0.004");
  Simulation straight(scene), turned(scene);
  const auto step = [](Simulation& s) { ASSERT_TRUE(s.run_steps(1)); };
  step(straight), step(turned);
  const auto P = turned.world.particles.get<Mat<double, 3>>("P"), F = turned.world.particles.get<Mat<double, 3>>("F");
  for (std::size_t i = 0; i < P.size(); ++i) {
    const double angle = 0.3 * std::sin(double(i)), c = std::cos(angle), s = std::sin(angle);
    Mat<double, 3> Q = Mat<double, 3>::identity();
    const int a = static_cast<int>(i % 3), b = (a + 1) % 3;
    Q(a, a) = Q(b, b) = c, Q(a, b) = -s, Q(b, a) = s;
    P[i] = Q * P[i], F[i] = F[i] * transpose(Q);
  }
  step(straight), step(turned);
  const auto v = straight.world.particles.get<Vec<double, 3>>("v"), w = turned.world.particles.get<Vec<double, 3>>("v");
  for (std::size_t i = 0; i < v.size(); ++i) EXPECT_LT(length(v[i] - w[i]), 1e-12);
  ASSERT_TRUE(turned.run_until(0.15));
  EXPECT_GT(turned.world.tally.embedding_residual, 0);
  EXPECT_LT(turned.world.tally.embedding_residual, 0.02);  // 0.16 by the turns; a third is left by each embedding
}

// A swinging body becomes twice as stiff: it keeps its stress and so half of the energy. That is the work of the event,
// and energy is kept before and after it.
TEST(Meshless, what_an_event_does_to_the_elastic_energy_is_work) {
  const struct {
    const char *method, *material;
    double gain;  // over the elastic energy at the event
  } cases[] = {{"mls", "model = \"neo-hookean\"\nyoung = 1e5", -0.5},
               {"mls", "model = \"strain-yield\"\nyoung = 1e5", -0.5},
               {"embedded", yielding.c_str(), -0.5},
               {"composed", yielding.c_str(), -0.5}};
  for (const auto& c : cases) {
    Simulation s(block(c.method, c.material, box + "velocity = [\"x\", \"-y\", 0]", "dt_max = 2e-4",
                       "gravity = [0, 0, 0]", 3, "[[event]]\ntime = 0.03\nmaterial = \"m\"\nset = { young = 2e5 }"));
    const double start = s.ledger().kinetic;
    ASSERT_TRUE(s.run_until(0.03 - 1e-9));
    const double before = s.ledger().elastic;
    EXPECT_GT(before, 0.2 * start) << c.method;
    ASSERT_TRUE(s.run_until(0.03));
    EXPECT_NEAR(s.ledger().body_work, c.gain * before, 0.02 * before) << c.method;  // mls: strain of a step before
    ASSERT_TRUE(s.run_until(0.15));
    const Ledger end = s.ledger();
    EXPECT_NEAR(end.kinetic + end.elastic - end.body_work, start, 0.02 * start) << c.method << ' ' << c.gain;
  }
}

// A body that is bent as it swings becomes a hundred times as stiff: what the stabilizer holds and what the pressure
// bears keep their force too. So the event takes energy, and what is left is kept.
TEST(Meshless, no_event_that_stiffens_matter_gives_it_energy) {
  const struct {
    const char *method, *material, *solver;
  } cases[] = {{"mls", "model = \"neo-hookean\"\nyoung = 1e4", ""},
               {"mls", "model = \"neo-hookean\"\nyoung = 1e4", "[solver.meshless]\nbasis = \"quadratic\""},
               {"mls", "model = \"strain-yield\"\nyoung = 1e4", ""},
               {"mls", "model = \"strain-yield\"\nyoung = 1e4\nyield_strain = 0.05", ""},
               {"embedded", "model = \"yield-flow\"\nyoung = 1e4\nyield_stress = 1e9", ""},
               {"composed", "model = \"yield-flow\"\nyoung = 1e4\nyield_stress = 1e9", ""}};
  for (const auto& c : cases) {
    const std::string name = std::string(c.method) + ' ' + c.material + ' ' + c.solver;
    Simulation s(block(c.method, c.material, box + "velocity = [\"-x + 12*x*y\", \"-y - 6*x*x\", 0]",
                       std::string("dt_max = 2e-4\n") + c.solver, "gravity = [0, 0, 0]", 3,
                       "[[event]]\ntime = 0.05\nmaterial = \"m\"\nset = { young = 1e6 }"));
    ASSERT_TRUE(s.run_until(0.05 - 1e-9)) << name;
    const Ledger before = s.ledger();
    ASSERT_TRUE(s.run_until(0.05)) << name;
    const Ledger after = s.ledger();
    EXPECT_LT(after.elastic, 0.1 * before.elastic) << name;
    EXPECT_NEAR(after.elastic - before.elastic, after.body_work, 0.02 * before.elastic) << name;
    for (const double time : {0.06, 0.07, 0.08, 0.1}) {
      ASSERT_TRUE(s.run_until(time)) << name;
      const Ledger now = s.ledger();
      EXPECT_LT(now.kinetic + now.elastic, 1.02 * (after.kinetic + after.elastic)) << name << ' ' << time;
    }
  }
}

// A clay is dented and let go; what it becomes after that keeps the dent and gains no energy. In mls its stabilizer has
// yielded with it, and does not go back either.
TEST(Meshless, a_dent_stays_when_the_law_becomes_another) {
  const std::string bar = "shape = { type = \"box\", center = [0, 0.3, 0], size = [0.4, 0.6, 0.4] }\n";
  const std::string grips =
      "[[grip]]\nname = \"low\"\naxes = [\"y\"]\nshape = { type = \"box\", center = [0, 0, 0], size = [2, 0.2, 2] "
      "}\n[[grip]]\nname = \"high\"\naxes = [\"y\"]\nmotion = { keyframes = [{ time = 0 }, { time = 0.2, translate = "
      "[0, "
      "-0.12, 0] }] }\nshape = { type = \"box\", center = [0, 0.6, 0], size = [2, 0.2, 2] }\n[[event]]\ntime = "
      "0.25\nrelease = [\"low\", \"high\"]\n[[event]]\ntime = 0.4\nbody = \"body\"\nmaterial = \"hard\"\n"
      "[materials.hard]\nmodel = \"neo-hookean\"\nyoung = ";
  const struct {
    const char *method, *clay;
  } cases[] = {{"mls", "model = \"strain-yield\"\nyoung = 1e5\nyield_strain = 0.01\n"},
               {"mls", "model = \"yield-flow\"\nyoung = 1e5\nyield_stress = 1e3\nflow_rate = 50\n"},
               {"embedded", "model = \"yield-flow\"\nyoung = 1e5\nyield_stress = 1e3\nflow_rate = 50\n"},
               {"composed", "model = \"yield-flow\"\nyoung = 1e5\nyield_stress = 1e3\nflow_rate = 50\n"}};
  for (const auto& c : cases)
    for (const char* hard : {"1e5", "1e6"}) {
      const std::string name = fmt::format("{} {}{}", c.method, c.clay, hard);
      Simulation s(
          block(c.method, c.clay, bar, "[solver.meshless]\nviscosity = 50\n", "gravity = [0, 0, 0]", 3, grips + hard));
      ASSERT_TRUE(s.run_until(0.4 - 1e-9)) << name;
      const Ledger before = s.ledger();
      EXPECT_LT(before.max[1] - before.min[1], 0.45) << name;  // 0.5 between the outermost particles at the start
      ASSERT_TRUE(s.run_until(0.4)) << name;
      EXPECT_LE(s.ledger().elastic, 1.01 * before.elastic) << name;
      ASSERT_TRUE(s.run_until(0.6)) << name;
      const Ledger after = s.ledger();
      // By how much it still swings, of a dent of 0.1 m.
      EXPECT_NEAR(after.max[1] - after.min[1], before.max[1] - before.min[1], 0.012) << name;
      EXPECT_LE(after.kinetic + after.elastic, 1.01 * (before.kinetic + before.elastic)) << name;
    }
}

// The sums of a body are those that it has in a scene without the other, and those of all bodies make up the whole.
TEST(Meshless, sums_of_a_body_are_of_its_matter_alone) {
  const std::string other =
                        "[[body]]\nname = \"other\"\nmaterial = \"m\"\nvelocity = [-1, 0, \"z\"]\n"
                        "shape = { type = \"box\", center = [3, 0, 0], size = [0.4, 0.4, 0.4] }\n",
                    probe = "[[probe]]\nname = \"p\"\ntype = \"sums\"\nbody = \"body\"\n",
                    rest = "[[probe]]\nname = \"q\"\ntype = \"sums\"\nbody = \"other\"\n";
  for (const char* method : {"mls", "embedded", "composed"}) {
    const auto sums = [&](const std::string& more) {
      Simulation s(block(method, "model = \"neo-hookean\"\nyoung = 1e5", box + straining, "dt = 1e-3", "", 3, more));
      EXPECT_TRUE(s.run_steps(50)) << method;
      return std::pair(probe_cells(s.scene(), &s.world, s.solver.get()), s.ledger());
    };
    const auto [both, all] = sums(other + probe + rest);
    const auto [one, alone] = sums(probe);
    ASSERT_EQ(both.size(), 2 * one.size());
    for (std::size_t k = 0; k < one.size(); ++k)
      EXPECT_NEAR(both[k].value, one[k].value, 1e-9 * std::max(1.0, std::abs(one[k].value))) << method << one[k].name;
    const auto value = [&, &cells = both](const std::string& name) {
      for (const ProbeCell& c : cells)
        if (c.name == name) return c.value;
      return std::nan("");
    };
    EXPECT_NEAR(value("p_mass"), alone.mass, 1e-9 * alone.mass) << method;
    EXPECT_NEAR(value("p_center_y"), alone.center[1], 1e-9) << method;
    EXPECT_NEAR(value("p_momentum_y") + value("q_momentum_y"), all.momentum[1], 1e-9 * all.mass) << method;
    EXPECT_NEAR(value("p_angular_momentum_z") + value("q_angular_momentum_z"), all.angular_momentum[2],
                1e-9 * all.mass);
    EXPECT_GT(value("q_kinetic"), 0.4 * value("q_mass")) << method;
    EXPECT_NEAR(value("p_kinetic") + value("q_kinetic"), all.kinetic, 1e-9 * all.kinetic) << method;
    EXPECT_GT(value("p_elastic"), 0) << method;
    EXPECT_NEAR(value("p_elastic") + value("q_elastic"), all.elastic, 1e-9 * all.kinetic) << method;
    EXPECT_NEAR(value("p_gravitational") + value("q_gravitational"), all.gravitational, 1e-9 * all.kinetic) << method;
  }
}

// A block of metal or dough pressed to nine tenths of its height and let go. Implicit steps that are five times as long
// as waves would allow take the same force and flow, and leave the same dent.
TEST(Meshless, implicit_steps_squeeze_flowing_matter_like_explicit_ones) {
  struct Squeezed {
    double force, dissipated, height;
  };
  for (const char* law : {"model = \"von-mises\"\nyoung = 1e7\nyield_stress = 2e5\n",
                          "model = \"yield-flow\"\nyoung = 1e7\nyield_stress = 2e5\nflow_rate = 50\n"}) {
    const auto squeezed = [&](const std::string& steps) {
      Simulation s(
          block("mls", law, "shape = { type = \"box\", center = [0, 0.4], size = [0.8, 0.8] }",
                steps + "[solver.meshless]\nviscosity = 500", "gravity = [0, 0]", 2,
                "[[collider]]\nname = \"floor\"\nshape = { type = \"plane\" }\n[[collider]]\nname = \"press\"\n"
                "shape = { type = \"box\", center = [0, 1.3], size = [4, 1] }\n"
                "motion = { translate = [0, \"-0.04*(1 - cos(2*pi*min(t, 0.6)/0.6))\"] }\n"
                "[[probe]]\nname = \"f\"\ntype = \"force\"\non = \"floor\"\n"));
      EXPECT_TRUE(s.run_until(0.25)) << law << steps;
      const Vec3d before = s.world.reactions[0].impulse;
      EXPECT_TRUE(s.run_until(0.3)) << law << steps;
      const double force = -(s.world.reactions[0].impulse[1] - before[1]) / 0.05;
      EXPECT_TRUE(s.run_until(1)) << law << steps;
      const Ledger l = s.ledger();
      return Squeezed{force, l.dissipated, l.max[1] - l.min[1]};
    };
    const Squeezed fine = squeezed(""), coarse = squeezed("integrator = \"implicit\"\ndt = 2e-3\n");
    EXPECT_GT(fine.force, 0.8 * 2e5) << law;
    EXPECT_NEAR(coarse.force / fine.force, 1, 0.05) << law;
    EXPECT_NEAR(coarse.dissipated / fine.dissipated, 1, 0.05) << law;
    const double start = 0.7;  // between the outermost particles
    EXPECT_LT(fine.height, 0.97 * start) << law << ": a dent is left";
    EXPECT_NEAR((start - coarse.height) / (start - fine.height), 1, 0.05) << law;
  }
}

TEST(Meshless, falls_freely_and_turns_rigidly_without_stress) {
  for (const char* method : {"mls", "embedded", "composed"}) {
    const std::string material = method[0] == 'm' ? "model = \"strain-yield\"" : yielding;
    Simulation s(block(method, material, box, "dt = 1e-3", ""));
    const double start = s.ledger().center[1];
    ASSERT_TRUE(s.run_steps(100));
    // Symplectic Euler falls g dt^2 n (n + 1) / 2, Newmark g t^2 / 2.
    const double t = 0.1, fall = method[0] == 'e' ? 0.5 * 9.81 * t * t : 0.5 * 9.81 * t * (t + 1e-3);
    EXPECT_NEAR(s.ledger().center[1] - start, -fall, 1e-12) << method;
    EXPECT_LT(s.ledger().elastic, 1e-18) << method;
  }
  // Turned by hand: no force.
  Simulation s(block("mls", "model = \"strain-yield\"", box));
  for (auto& x : s.world.particles.get<Vec<double, 3>>("x")) x = {-x[1] + 0.3, x[0] - 2, x[2] + 1};
  ASSERT_TRUE(s.run_steps(1, 1e-3));
  EXPECT_LT(s.ledger().max_speed, 1e-12);
}

// A bar of 20 x 6 x 6 particles stretched by 0.1 %: the pull across it is E times strain times area.
TEST(Meshless, a_bar_is_as_stiff_as_its_modulus) {
  const struct {
    const char *method, *force;
    double tolerance;
  } cases[] = {{"mls", "", 0.01},
               {"embedded", "", 0.01},
               {"composed", "", 0.01},
               {"composed", "\nelastic_force = \"cosine\"", 0.2}};
  for (const auto& [method, force, tolerance] : cases) {
    const bool composed = method[0] == 'c';
    Simulation s(block(method,
                       method[0] == 'm' ? "model = \"strain-yield\"\nyoung = 1e5\npoisson = 0"
                                        : "model = \"yield-flow\"\nyoung = 1e5\npoisson = 0\nyield_stress = 1e9",
                       "shape = { type = \"box\", size = [2, 0.6, 0.6] }",
                       std::string("[solver.meshless]\nstabilizer = 0\nsound_speed = 0\nfrozen_mass = true") + force));
    const auto x = s.world.particles.get<Vec<double, 3>>("x");
    for (auto& p : x) p[0] *= 1.001;
    if (composed)  // it knows what it was told
      for (auto& F : s.world.particles.get<Mat<double, 3>>("F")) F(0, 0) = 1.001;
    if (composed)
      for (auto& tau : s.world.particles.get<Vec<double, 6>>("tau")) tau[0] = 1e5 * 0.001 * 1.001;
    if (method[0] == 'e') {
      ASSERT_TRUE(s.run_steps(1, 1e-9));  // forces are those of the end of the step before
    }
    const auto v0 = std::vector<Vec<double, 3>>(s.world.particles.get<Vec<double, 3>>("v").begin(),
                                                s.world.particles.get<Vec<double, 3>>("v").end());
    const double dt = 1e-9;
    ASSERT_TRUE(s.run_steps(1, dt));
    const auto v = s.world.particles.get<Vec<double, 3>>("v");
    const auto mass = s.world.particles.get<double>("mass");
    double pull = 0;  // on the right half
    for (std::size_t i = 0; i < v.size(); ++i)
      if (x[i][0] > 0) pull -= mass[i] * (v[i][0] - v0[i][0]) / dt;
    EXPECT_NEAR(pull / (1e5 * 0.001 * 0.36), 1, tolerance) << method << force;
  }
}

// A grip with a displacement takes what lay in its region to the place that the formula says, along the axes that it
// holds, wherever that is; what is free of it follows.
TEST(Meshless, a_grip_leads_each_particle_by_its_own_place) {
  for (const char* method : {"mls", "embedded", "composed"}) {
    Simulation s(
        block(method, method[0] == 'm' ? "model = \"strain-yield\"\nyoung = 1e3" : yielding, box, "",
              "gravity = [0, 0, 0]", 3,
              "[[grip]]\naxes = [\"x\", \"z\"]\nshape = { type = \"box\", center = [0.3, 0, 0], size = [0.4, 1, 1] }\n"
              "displacement = [\"0.2*t*X + t^2*Y\", 7, \"-0.5*t*Z\"]\n"));
    const auto start = std::vector<Vec<double, 3>>(s.world.particles.get<Vec<double, 3>>("x").begin(),
                                                   s.world.particles.get<Vec<double, 3>>("x").end());
    ASSERT_TRUE(s.run_until(0.1)) << method;
    const auto x = s.world.particles.get<Vec<double, 3>>("x");
    const double t = s.world.clock.time;
    int held = 0;
    double free = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const Vec<double, 3>& X = start[i];
      if (X[0] < 0.1) {
        free = std::max(free, std::abs(x[i][2] - X[2]));
        continue;
      }
      ++held;
      EXPECT_NEAR(x[i][0], X[0] + 0.2 * t * X[0] + t * t * X[1], 1e-13) << method;
      EXPECT_NEAR(x[i][2], X[2] - 0.5 * t * X[2], 1e-13) << method;
      EXPECT_LT(std::abs(x[i][1] - X[1]), 0.1) << method;
    }
    EXPECT_EQ(held, 40) << method;
    EXPECT_GT(free, 1e-5) << method;
  }
}

// Ten times as large, and far away: the same strain in every step. (On a lattice the nearest are told by rounding.)
TEST(Meshless, does_not_depend_on_the_place_and_unit_of_length) {
  for (const char* method : {"mls", "embedded", "composed"}) {
    const std::string material = method[0] == 'm' ? "model = \"strain-yield\"\nyield_strain = 0.01"
                                                  : "model = \"yield-flow\"\nyield_stress = 500";
    std::vector<Mat<double, 3>> results;
    for (double scale : {1.0, 10.0}) {
      const double far = scale == 1 ? 0 : 1000;
      const std::string text = "format = 1\n[scene]\nname = \"t\"\ngravity = [0, 0, 0]\n[solver]\nmethod = \"" +
                               std::string(method) + "\"\nprecision = \"double\"\ndx = " + std::to_string(0.1 * scale) +
                               "\ndt = " + std::to_string(0.001 * scale) + "\n[materials.m]\n" + material +
                               (method[0] == 'm' ? "" : "\nflow_rate = " + std::to_string(20 / scale)) +
                               "\n[[body]]\nmaterial = \"m\"\nsampling = \"jittered\"\nvelocity = [\"" +
                               std::to_string(2 / scale) + "*(y - " + std::to_string(far) + ")\", 0, \"" +
                               std::to_string(1 / scale) + "*z\"]\nshape = { type = \"box\", center = [" +
                               std::to_string(far) + ", " + std::to_string(far) + ", 0], size = [" +
                               std::to_string(0.5 * scale) + ", " + std::to_string(0.5 * scale) + ", " +
                               std::to_string(0.5 * scale) + "] }\n";
      Simulation s(text);
      ASSERT_TRUE(s.run_steps(60)) << method;
      const auto F = s.world.particles.get<Mat<double, 3>>("F");
      results.insert(results.end(), F.begin(), F.end());
    }
    const std::size_t n = results.size() / 2;
    for (std::size_t i = 0; i < n; ++i) EXPECT_LT(norm2(results[i] - results[n + i]), 1e-14) << method << " " << i;
  }
}

// What a grip holds goes with it, also when it is far from where it was drawn.
TEST(Meshless, a_grip_carries_what_it_holds) {
  for (const char* method : {"mls", "embedded", "composed"}) {
    Simulation s(block(method, method[0] == 'm' ? "model = \"strain-yield\"" : yielding, box, "", "", 3,
                       "[[grip]]\nname = \"hand\"\nshape = { type = \"box\", size = [0.7, 0.6, 0.5] }\n"
                       "motion = { velocity = [4, 0, 0] }"));
    ASSERT_TRUE(s.run_until(0.5)) << method;
    EXPECT_NEAR(s.ledger().center[0], 2, 1e-3) << method;
    for (const auto& v : s.world.particles.get<Vec<double, 3>>("v"))
      EXPECT_LT(length(v - Vec<double, 3>{4, 0, 0}), 1e-12) << method;
  }
}

// Kinetic and elastic energy grow by what a force that pulls to the mid-plane does, up to half a step between x and v:
// in composed matter 1.1e-3 in steps of 1e-4 s, and half of it in half of them.
TEST(Meshless, books_the_work_of_body_forces) {
  for (const char* method : {"mls", "embedded", "composed"}) {
    Simulation s(block(method, method[0] == 'm' ? "model = \"strain-yield\"\nyoung = 1e5" : yielding,
                       box + "velocity = [1, 0, 0]",
                       "[solver.meshless]\nstabilizer = 0\nsound_speed = 0\nfrozen_mass = true",
                       "gravity = [0, 0, 0]\nbody_force = [\"3*t\", \"-800*y\", 0]"));
    const Ledger before = s.ledger();
    ASSERT_TRUE(s.run_until(0.05, method[0] == 'c' ? 1e-4 : 2e-4)) << method;
    const Ledger after = s.ledger();
    const double gained = after.kinetic + after.elastic - before.kinetic - before.elastic;
    EXPECT_GT(after.elastic, 300.0) << method;
    EXPECT_NEAR(after.body_work, gained, 2e-3 * gained) << method;
  }
}

// A fork of one body whose prongs are driven together: they meet and stay on their sides, and keep momentum.
TEST(Meshless, a_body_touches_itself) {
  const auto crossed = [](const std::string& method, bool touches) {
    const std::string fork =
        "shape = { type = \"union\", of = [{ type = \"box\", center = [0, 0], size = [2, 0.4] }, "
        "{ type = \"box\", center = [-0.8, 0.7], size = [0.4, 1] }, "
        "{ type = \"box\", center = [0.8, 0.7], size = [0.4, 1] }] }\n";
    Simulation s(
        block(method, method == "mls" ? "model = \"strain-yield\"\nyoung = 1e5" : yielding,
              fork + "velocity = [\"-4*x*max(y, 0)\", 0]",
              std::string("[solver.meshless]\nfrozen_mass = true\nself_contact = ") + (touches ? "true" : "false"),
              "gravity = [0, 0]", 2));
    std::vector<bool> left;
    for (const auto& x : s.world.particles.get<Vec<double, 2>>("x")) left.push_back(x[0] < 0);
    const Vec3d momentum = s.ledger().momentum;
    double deepest = -1;
    for (int k = 0; k < 30; ++k) {
      EXPECT_TRUE(s.run_until(0.02 * (k + 1))) << method;
      const auto x = s.world.particles.get<Vec<double, 2>>("x");
      for (std::size_t i = 0; i < x.size(); ++i)
        if (x[i][1] > 0.6) deepest = std::max(deepest, left[i] ? x[i][0] : -x[i][0]);
    }
    EXPECT_LT(length(s.ledger().momentum - momentum), 1e-10 * s.ledger().mass) << method;
    return deepest;
  };
  for (const char* method : {"mls", "embedded"}) {
    EXPECT_GT(crossed(method, false), 0.3) << method;
    EXPECT_LT(crossed(method, true), 0.0) << method;
  }
}

}  // namespace
}  // namespace knead::test
