// The methods without a grid against closed forms: bars that are pulled, rings that flow, orders of steps.
#include "support/small_scene.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <numbers>

namespace knead::test {
namespace {

using V = Vec<double, 3>;
using M = Mat<double, 3>;

std::string scene(const std::string& method, const std::string& material, const std::string& body,
                  const std::string& solver = "", const std::string& general = "gravity = [0, 0, 0]",
                  const std::string& rest = "", int dimension = 3) {
  return "format = 1\n[scene]\nname = \"test\"\ndimension = " + std::to_string(dimension) + "\n" + general +
         "\n[solver]\nmethod = \"" + method + "\"\ndx = 0.1\nprecision = \"double\"\n" + solver + "\n[materials.m]\n" +
         material + "\n[[body]]\nname = \"body\"\nmaterial = \"m\"\n" + body + "\n" + rest + "\n";
}

// A bar with both ends in grips, one of which moves away. The law is linear in stretches, so that the pull is
// E (s - 1) times the area. The grips are softer than their faces say, in composed matter, of which the neighbourhoods
// are larger, as if the sixteen spacings between them were twenty; stretched further it necks (docs/meshless.md,
// Limits).
TEST(MeshlessClosedForms, a_pulled_bar_bears_its_force_in_one_piece) {
  const struct {
    const char* method;
    double bears, most_strain;
  } ways[] = {{"mls", 0.9, 0.24}, {"embedded", 0.9, 0.24}, {"composed", 0.8, 0.12}};
  for (const auto& [method, bears, most_strain] : ways) {
    Simulation s(
        scene(method, "model = \"yield-flow\"\nyoung = 1e5\npoisson = 0.3\nyield_stress = 1e9",
              "shape = { type = \"box\", center = [0, 1, 0], size = [0.6, 2, 0.6] }\nvelocity = [0, \"0.2*max(0, "
              "min(1.6, y - 0.2))\", 0]\n",
              "[solver.meshless]\nviscosity = 50\n", "gravity = [0, 0, 0]",
              "[[grip]]\nname = \"low\"\naxes = [\"y\"]\nshape = { type = \"box\", size = [3, 0.4, 3] }\n"
              "[[grip]]\nname = \"high\"\naxes = [\"y\"]\nshape = { type = \"box\", center = [0, 2, 0], size = [3, "
              "0.4, 3] }\n"
              "motion = { velocity = [0, 0.32, 0] }\n[[probe]]\nname = \"f\"\ntype = \"force\"\non = \"high\"\n"));
    for (const double strain : {0.06, 0.12, 0.24}) {
      if (strain > most_strain) continue;
      const double time = 1.6 * strain / 0.32, span = 0.04;
      ASSERT_TRUE(s.run_until(time - span / 2)) << method;
      s.world.start_frame();
      ASSERT_TRUE(s.run_until(time + span / 2)) << method;
      const double pull = std::abs(s.world.reactions[0].impulse[1]) / span;
      EXPECT_NEAR(pull / (1e5 * strain * 0.36), 1, 1 - bears) << method << ' ' << strain;
      std::vector<double> heights;
      for (const V& x : s.world.particles.get<V>("x")) heights.push_back(x[1]);
      std::sort(heights.begin(), heights.end());
      double gap = 0;
      for (std::size_t i = 1; i < heights.size(); ++i) gap = std::max(gap, heights[i] - heights[i - 1]);
      EXPECT_LT(gap, 0.1 * (1 + 2.5 * strain)) << method << ' ' << strain;
    }
  }
}

// A bar whose particles are led along it, all by their share, and free across it.
double lateral_stretch(const std::string& method, const std::string& material, double stretch,
                       double* volume = nullptr) {
  Simulation s(scene(method, material, "shape = { type = \"box\", size = [0.8, 0.4, 0.4] }\n", "",
                     "gravity = [0, 0, 0]\nbody_force = [0, \"-20*vy\", \"-20*vz\"]",
                     "[[grip]]\naxes = [\"x\"]\nshape = { type = \"box\", size = [3, 3, 3] }\ndisplacement = [\"" +
                         std::to_string(stretch - 1) + "*min(2*t, 1)*X\", 0, 0]\n"));
  EXPECT_TRUE(s.run_until(2)) << method;
  double mean = 0, J = 0;
  const auto F = s.world.particles.get<M>("F");
  for (const M& f : F) mean += 0.5 * (f(1, 1) + f(2, 2)), J += determinant(f);
  if (volume) *volume = J / double(F.size());
  return mean / double(F.size());
}

TEST(MeshlessClosedForms, a_stretched_bar_is_as_thin_as_its_law_says) {
  const double s = 1.1, nu = 0.3;
  for (const char* method : {"mls", "embedded"}) {
    const std::string b = "model = \"yield-flow\"\nyoung = 1e5\nyield_stress = 1e9\npoisson = ";
    EXPECT_NEAR(lateral_stretch(method, b + "0.3", s), 1 - nu * (s - 1), 5e-4) << method;
    EXPECT_NEAR(lateral_stretch(method, b + "0", s), 1, 5e-4) << method;
  }
  const std::string a = "model = \"strain-yield\"\nyoung = 1e5\npoisson = ";
  EXPECT_NEAR(lateral_stretch("mls", a + "0.3", s), std::sqrt(1 - nu * (s * s - 1)), 5e-4);
  EXPECT_NEAR(lateral_stretch("mls", a + "0", s), 1, 5e-4);
  double volume = 0;
  lateral_stretch("mls", a + "0.3\nvolume_stiffness = 1e6", 1.5, &volume);
  EXPECT_NEAR(volume, 1, 0.01);
}

// A thick ring of a metal, whose inner rim is led outwards by half of its radius. What has flowed is a work of
// yield 2/sqrt(3) ln(r/R), the strain of an incompressible ring (Hill 1950, chapter 5); the stabilizer adds next to
// nothing, and all that the grip does is in the ledger.
TEST(MeshlessClosedForms, a_ring_that_flows_takes_the_work_of_its_flow) {
  const double inner = 0.5, outer = 1, wide = 0.75, yield = 1e4;
  double exact = 0;
  const int rings = 1000;
  for (int k = 0; k < rings; ++k) {
    const double R = inner + (outer - inner) * (k + 0.5) / rings, grown = wide * wide - inner * inner;
    exact += yield * 2 / std::sqrt(3.0) * std::log(std::sqrt(R * R + grown) / R) * 2 * std::numbers::pi * R *
             (outer - inner) / rings;
  }
  const std::string radial =
      "(sqrt(1 + " + std::to_string(wide * wide - inner * inner) + "*min(t/0.5, 1)/(X^2+Y^2)) - 1)";
  for (const char* model :
       {"model = \"von-mises\"\nyield_stress = 1e4\n", "model = \"yield-flow\"\nyield_stress = 1e4\nflow_rate = 1e4\n"})
    for (const char* stabilizer : {"0.03", "0"}) {
      Simulation s(
          scene("mls", std::string(model) + "young = 2e6\npoisson = 0.45\ndensity = 100",
                "sampling = \"jittered\"\nshape = { type = \"difference\", of = [{ type = \"disc\", radius = 1 "
                "}, { type = \"disc\", radius = 0.5 }] }\n",
                std::string("[solver.meshless]\nviscosity = 20\nstabilizer = ") + stabilizer, "gravity = [0, 0]",
                "[[grip]]\nshape = { type = \"disc\", radius = 0.65 }\ndisplacement = [\"X*" + radial + "\", \"Y*" +
                    radial + "\"]\n",
                2));
      ASSERT_TRUE(s.run_until(0.5));
      const Ledger end = s.ledger();
      EXPECT_NEAR(end.contact_work / exact, 1, 0.06) << model << stabilizer;
      EXPECT_NEAR((end.dissipated + end.elastic + end.kinetic) / end.contact_work, 1, 0.04) << model << stabilizer;
    }
}

// Two discs that meet: what their dampers take is in the ledger.
TEST(MeshlessClosedForms, bodies_that_bounce_lose_what_the_ledger_says) {
  for (const char* method : {"mls", "embedded"})
    for (const char* viscosity : {"0", "20"}) {
      Simulation s(scene(method, "model = \"neo-hookean\"\nyoung = 1e5",
                         "velocity = [2, 0.3]\nshape = { type = \"disc\", center = [-0.6, 0], radius = 0.5 }",
                         std::string("[solver.meshless]\nfrozen_mass = true\nviscosity = ") + viscosity,
                         "gravity = [0, 0]",
                         "[[body]]\nname = \"other\"\nmaterial = \"m\"\nvelocity = [-2, 0]\nshape = { type = \"disc\", "
                         "center = [0.6, 0.1], radius = 0.5 }\n",
                         2));
      const double start = s.ledger().kinetic;
      ASSERT_TRUE(s.run_until(0.5)) << method;
      const Ledger end = s.ledger();
      EXPECT_LT(end.kinetic + end.elastic, 0.95 * start) << method;
      EXPECT_NEAR(end.kinetic + end.elastic + end.dissipated, start, 0.02 * start) << method << viscosity;
    }
}

// Free swings in steps of dt, dt/2 and dt/4: Newmark's step is of second order.
TEST(MeshlessClosedForms, newmarks_step_is_of_second_order) {
  std::vector<double> ends;
  for (const double dt : {2e-3, 1e-3, 5e-4}) {
    Simulation s(scene("embedded", "model = \"yield-flow\"\nyoung = 1e5\nyield_stress = 1e9",
                       "velocity = [\"x\", \"-0.5*y\", \"-0.2*z\"]\nshape = { type = \"box\", size = [0.6, 0.5, 0.4] }",
                       "[solver.meshless]\nfrozen_mass = true\n"));
    ASSERT_TRUE(s.run_until(0.1, dt));
    ends.push_back(s.world.particles.get<V>("x")[0][0]);
  }
  EXPECT_NEAR(std::log2((ends[0] - ends[1]) / (ends[1] - ends[2])), 2, 0.1);
}

// Squeezed and bent, and back the same way: a step back undoes a step, up to how well its middle was guessed. (Where
// matter is stretched the reach of lists limits it, to 1e-4 here.)
TEST(MeshlessClosedForms, composed_strain_drifts_by_the_third_power_of_the_step_on_the_way_back) {
  const auto drift = [](double dt) {
    Simulation s(
        scene("composed", "model = \"yield-flow\"\nyield_stress = 1e9",
              "shape = { type = \"box\", size = [0.5, 0.5, 0.5] }\n", "", "gravity = [0, 0, 0]",
              "[[grip]]\nshape = { type = \"box\", size = [3, 3, 3] }\ndisplacement = [\"-0.2*sin(pi*t)^2*(X + X*Y)\", "
              "\"-0.1*sin(pi*t)^2*(Y + 2*X^2)\", 0]\n"));
    EXPECT_TRUE(s.run_until(1, dt));
    double most = 0;
    for (const M& F : s.world.particles.get<M>("F")) most = std::max(most, std::sqrt(norm2(F - M::identity())));
    return most;
  };
  const double once = drift(4e-3), half = drift(2e-3);
  EXPECT_NEAR(once / half, 8, 0.8);
  EXPECT_GT(half, 1e-14);  // more than rounding
}

// Energy of a block let go from a stretch of 10 %, with the velocity of the middle of each step, over 10 000 of them.
TEST(MeshlessClosedForms, a_block_swings_without_drift_for_ten_thousand_steps) {
  Simulation s(scene("mls", "model = \"strain-yield\"\nyoung = 1e5",
                     "shape = { type = \"box\", size = [0.5, 0.4, 0.3] }\nvelocity = [0.3, 0, 0]",
                     "[solver.meshless]\nstabilizer = 0\n"));
  for (auto& x : s.world.particles.get<V>("x")) x[0] *= 1.1;
  const Ledger start = s.ledger();
  const double dt = 0.5 * s.solver->max_dt(s.world).dt;
  const auto energy = [&] {
    const auto v = s.world.particles.get<V>("v");
    const std::vector<V> before(v.begin(), v.end());
    EXPECT_TRUE(s.run_steps(1, dt));
    const auto mass = s.world.particles.get<double>("mass");
    double kinetic = 0;
    for (std::size_t i = 0; i < v.size(); ++i) kinetic += 0.5 * mass[i] * square(0.5 * length(before[i] + v[i]));
    return kinetic + s.ledger().elastic;  // F is of the places before the step
  };
  double least = 1e300, most = 0, first = 0, last = 0;
  const int steps = 10000;
  for (int k = 0; k < steps; ++k) {
    const double e = energy();
    least = std::min(least, e), most = std::max(most, e);
    if (k < steps / 10) first += e;
    if (k >= steps - steps / 10) last += e;
  }
  const Ledger end = s.ledger();
  EXPECT_LT(most - least, 0.04 * most);
  EXPECT_NEAR(last / first, 1, 0.005);
  EXPECT_LT(length(end.momentum - start.momentum), 1e-12 * start.mass);
  EXPECT_LT(length(end.angular_momentum - start.angular_momentum), 1e-12 * start.mass);
}

// Rest vectors that a map A has changed, all alike: the embedding is the body under A, and no offset is left. So that
// an embedding is due flow must be more than nothing: the turn stretches by a millionth. The regularizer holds offsets
// to what they were, by 2e-3 of a turn at corners.
TEST(MeshlessClosedForms, the_embedding_of_an_affine_flow_is_affine) {
  const double c = std::cos(0.7), s = std::sin(0.7);
  const M stretch{{1.1, 0.05, 0, 0.05, 0.95, 0.02, 0, 0.02, 1}},
      turn = M{{c, s, 0, -s, c, 0, 0, 0, 1}} * M::diagonal({1 + 1e-6, 1 - 1e-6, 1});
  const std::pair<M, const char*> flows[] = {
      {stretch, ""}, {turn, "regularizer = 0\n"}, {turn * stretch, "regularizer = 0\n"}, {turn, ""}};
  for (const auto& [A, regularizer] : flows) {
    Simulation body(scene("embedded", "model = \"yield-flow\"\nyoung = 1e5\nyield_stress = 0\nflow_rate = 1",
                          "sampling = \"jittered\"\nshape = { type = \"box\", size = [0.6, 0.5, 0.4] }",
                          std::string("[solver.meshless]\nembed_after = 0\n") + regularizer));
    for (auto& P : body.world.particles.get<M>("P")) P = A;
    for (auto& F : body.world.particles.get<M>("F")) F = inverse(A);
    ASSERT_TRUE(body.run_steps(1, 1e-9));
    EXPECT_EQ(body.world.tally.frame_embeddings, 1);
    const auto e = body.world.particles.get<V>("embedded"), X = body.world.particles.get<V>("X");
    const auto P = body.world.particles.get<M>("P");
    double off = 0, offset = 0;
    for (std::size_t i = 0; i < e.size(); ++i) {
      off = std::max(off, length(e[i] - e[0] - A * (X[i] - X[0])));
      offset = std::max(offset, std::sqrt(norm2(P[i] - M::identity())));
    }
    // The solve ends at 1e-8 of its right-hand side, which its condition makes a hundred times as much of the places.
    EXPECT_LT(off, 1e-6);
    EXPECT_LT(offset, &A == &flows[3].first ? 3e-3 : 1e-5);
    EXPECT_LT(body.world.tally.embedding_residual, 1e-6);
  }
}

TEST(MeshlessClosedForms, without_flow_the_embedding_stays_to_the_last_bit) {
  Simulation s(scene("embedded", "model = \"yield-flow\"\nyoung = 1e5\nyield_stress = 1e9",
                     "velocity = [\"2*y + x\", \"-x + 3*x*z\", \"y - z\"]\nshape = { type = \"box\", size = [0.6, 0.5, "
                     "0.4] }",
                     "[solver.meshless]\nembed_after = 0\n"));
  ASSERT_TRUE(s.run_steps(200));
  const auto e = s.world.particles.get<V>("embedded"), X = s.world.particles.get<V>("X");
  EXPECT_TRUE(std::equal(e.begin(), e.end(), X.begin()));
  EXPECT_EQ(s.world.tally.frame_embeddings, 0);
  EXPECT_GT(s.ledger().elastic, 1.0);
}

// A bar of points, half of it at half the distance: each point has the volume of its cell, and the bar its stiffness.
TEST(MeshlessClosedForms, uneven_points_have_uneven_volumes) {
  const auto file = std::filesystem::temp_directory_path() / "knead_uneven_points.csv";
  std::ofstream out(file);
  out << "x,y,z\n";
  const auto grid = [&](double from, double to, double a) {
    for (double x = from + a / 2; x < to; x += a)
      for (double y = a / 2; y < 0.6; y += a)
        for (double z = a / 2; z < 0.6; z += a) out << x << ',' << y << ',' << z << '\n';
  };
  grid(-1, 0, 0.1), grid(0, 1, 0.05);
  out.close();
  for (const char* method : {"mls", "composed"}) {
    Simulation s(scene(method, "model = \"yield-flow\"\nyoung = 1e5\npoisson = 0\nyield_stress = 1e9",
                       "sampling = \"file\"\npoints = \"" + file.string() +
                           "\"\nshape = { type = \"box\", center = [0, 0.3, 0.3], size = [2, 0.6, 0.6] }\n",
                       "[solver.meshless]\nsound_speed = 0\n"));
    const auto volume = s.world.particles.get<double>("volume"), mass = s.world.particles.get<double>("mass");
    const auto x = s.world.particles.get<V>("x");
    double halves[2] = {}, all = 0;
    for (std::size_t i = 0; i < x.size(); ++i) halves[x[i][0] > 0] += volume[i], all += mass[i];
    EXPECT_NEAR(halves[0] / halves[1], 1, 0.15) << method;  // equal volumes: 1/8
    EXPECT_NEAR(all, 1000 * 0.72, 1e-6) << method;
    EXPECT_NEAR(s.ledger().center[0], 0, 0.05) << method;  // equal masses: 0.39
  }
  std::filesystem::remove(file);
}

}  // namespace
}  // namespace knead::test
