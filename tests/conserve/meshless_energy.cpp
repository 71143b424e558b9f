// Energy of the methods without a grid: free bodies keep it over a hundred periods, and steps are stable.
#include "run/advance.h"
#include "support/small_scene.h"

#include <gtest/gtest.h>

namespace knead::test {
namespace {

struct Way {
  const char *method, *solver, *model;
};
const Way ways[] = {{"mls", "", "neo-hookean"},
                    {"mls", "[solver.meshless]\nbasis = \"quadratic\"\n", "neo-hookean"},
                    {"embedded", "", "neo-hookean"},
                    {"composed", "", "neo-hookean"}};

// A block of which the velocity is a formula; steps in solver.
std::string block(const Way& way, const std::string& size, const std::string& velocity, const std::string& solver = "",
                  const std::string& scene = "", int dimension = 2) {
  return "format = 1\n[scene]\nname = \"test\"\ndimension = " + std::to_string(dimension) +
         (dimension == 2 ? "\ngravity = [0, 0]\n" : "\ngravity = [0, 0, 0]\n") + scene +
         "[solver]\nprecision = \"double\"\ndx = 0.025\nmethod = \"" + way.method + "\"\n" + solver + way.solver +
         "[materials.m]\nyoung = 2e6\npoisson = 0\ndensity = 1000\nmodel = \"" + way.model +
         "\"\n[[body]]\nname = \"block\"\nmaterial = \"m\"\nshape = { type = \"box\", size = " + size +
         " }\nvelocity = " + velocity + "\n";
}
double energy(const Simulation& s) { return s.ledger().kinetic + s.ledger().elastic; }

// Of the energy in the first tenth of a hundred periods of a block of 0.3 m, how much is there in the last. Frames come
// every one and a half periods of the swing: a step that is cut to end on them shakes it in time.
double share_kept(Simulation&& s) {
  const double speed = std::sqrt(2e6 / 1000), period = 2 * 0.3 / speed, frame = 1.5 * period;
  double sums[2] = {}, counts[2] = {};
  for (int k = 1; k <= 70; ++k) {
    AdvanceHooks hooks;
    if (k <= 7 || k > 63) hooks.after_step = [&](const TimeStep&, int) { sums[k > 63] += energy(s), ++counts[k > 63]; };
    advance_to(k * frame, s.world, *s.solver, hooks);
  }
  return sums[1] / counts[1] / (sums[0] / counts[0]);
}

// The loss that is allowed is what goes into swings too fast for the ledger's half steps; what must not be is a gain.
TEST(MeshlessEnergy, a_free_body_keeps_it_over_a_hundred_periods) {
  for (const Way& way : ways) {
    const double share = share_kept(
        Simulation(block(way, "[0.3, 0.3]", "[\"-0.2 * sin(pi * x / 0.3)\", \"-0.05 * sin(pi * y / 0.3)\"]")));
    EXPECT_GT(share, 0.95) << way.method << ' ' << way.solver;
    EXPECT_LT(share, 1.02) << way.method << ' ' << way.solver;
  }
}

// What is lost by rounding drives no vibrations, far from the origin neither: strains are a thousandth at most, and a
// place of 10 m is rounded by as much of a spacing as 1/50 of that.
TEST(MeshlessEnergy, floats_keep_it_as_doubles_do) {
  for (const Way& way : ways) {
    const std::string scene = block(way, "[0.3, 0.3], center = [10, 10]",
                                    "[\"-0.01 * sin(pi * (x - 10) / 0.3)\", \"-0.0025 * sin(pi * (y - 10) / 0.3)\"]");
    const double doubles = share_kept(Simulation(scene));
    const double floats = share_kept(Simulation(scene, {"solver.precision=\"float\""}));
    EXPECT_NEAR(floats, doubles, 0.02) << way.method << ' ' << way.solver;
  }
}

// With every step it gains less than the energy of strains of 2^-24, the rounding of F, in all of it. (Pressure sees at
// the start that places are rounded.)
TEST(MeshlessEnergy, floats_at_rest_stay_there) {
  for (const double center : {0.0, 10.0})
    for (const Way& way : ways) {
      const std::string where = std::to_string(center);
      Simulation s(block(way, "[0.3, 0.3], center = [" + where + ", " + where + "]", "[0, 0]"),
                   {"solver.precision=\"float\""});
      const double start = energy(s), of_a_step = 0.5 * 2e6 * 0.09 * std::ldexp(1.0, -48);
      for (int k = 1; k <= 10; ++k) {
        ASSERT_TRUE(s.run_until(0.1 * k));
        ASSERT_LT(energy(s) - start, of_a_step * double(s.world.clock.step))
            << way.method << ' ' << way.solver << where << " at " << 0.1 * k;
      }
    }
}

// A beam three particles thick, held at one end, that bends to and fro ten times, by a fifth of its length.
TEST(MeshlessEnergy, a_clamped_thin_beam_keeps_it) {
  // The first swing of a cantilever, 3.516 / L^2 sqrt(E h^2 / (12 rho)), about.
  const double length = 0.55, period = 2 * 3.14159 * length * length / (3.516 * 0.075 * std::sqrt(2e6 / 12 / 1000));
  for (const Way& way : ways) {
    Simulation s(block(way, "[0.6, 0.075]", "[0, \"4 * max(0, x + 0.25)^2\"]") +
                 "[[grip]]\nname = \"hold\"\nshape = { type = \"box\", center = [-0.4, 0], size = [0.3, 1] }\n");
    const auto mean = [&](double from) {
      double sum = 0;
      int count = 0;
      advance_to(from * period, s.world, *s.solver, {});
      AdvanceHooks hooks;
      hooks.after_step = [&](const TimeStep&, int) { sum += energy(s), ++count; };
      advance_to((from + 1) * period, s.world, *s.solver, hooks);
      return sum / count;
    };
    const double start = energy(s), first = mean(0), last = mean(10);
    EXPECT_NEAR(first / start, 1, 0.05) << way.method << way.solver;
    EXPECT_NEAR(last / first, 1, 0.05) << way.method << way.solver;
    EXPECT_NEAR(s.ledger().contact_work, 0, 1e-9 * start) << way.method << way.solver;
  }
}

// A bar in three half waves along it, pressed and pulled by a hundredth. The mean over a period: the ledger's half step
// between velocities and places shows up to 6 % of the energy too much in one half of a swing, too little in the other.
TEST(MeshlessEnergy, composed_matter_that_swings_long_gains_nothing) {
  const double period = 2 * 0.4 / std::sqrt(2e6 / 1000);
  Simulation s(block({"composed", "", "neo-hookean"}, "[1.2, 0.2]", "[\"-0.2 * sin(pi * x / 0.4)\", 0]"));
  const double start = energy(s);
  for (int k = 1; k <= 60; ++k) {
    double sum = 0;
    int count = 0;
    AdvanceHooks hooks;
    hooks.after_step = [&](const TimeStep&, int) { sum += energy(s), ++count; };
    advance_to(k * period, s.world, *s.solver, hooks);
    ASSERT_NEAR(sum / count, start, 0.02 * start) << k;
  }
}

// A cube that swings by a third of its size for a few periods: what strain takes up is what the force has done.
TEST(MeshlessEnergy, composed_matter_that_swings_far_gains_little) {
  const double dt[] = {2e-3, 1e-3};
  for (const double step : dt) {
    Simulation s(
        "format = 1\n[scene]\nname = \"test\"\ngravity = [0, 0, 0]\n[solver]\nmethod = \"composed\"\ndx = "
        "0.1\nprecision "
        "= \"double\"\n[materials.m]\nmodel = \"yield-flow\"\nyoung = 1e5\nyield_stress = 1e9\n[[body]]\nname = "
        "\"cube\"\nmaterial = \"m\"\nvelocity = [\"x\", \"-0.5*y\", \"-0.5*z\"]\nshape = { type = \"box\", size = "
        "[0.8, "
        "0.8, 0.8] }\n");
    const double start = energy(s);
    ASSERT_TRUE(s.run_until(3, step));
    EXPECT_NEAR(energy(s), start, 0.04 * start) << step;
  }
}

// Beams one, two, three and five particles thick, and a sheet, in order and in disorder: what is unstable grows by
// itself, from motion of particle against particle.
TEST(MeshlessEnergy, the_steps_chosen_are_stable_however_thin_a_body_is) {
  const struct {
    int dimension;
    const char* size;
  } bodies[] = {{2, "[0.3, 0.3]"},   {2, "[0.6, 0.025]"},       {2, "[0.6, 0.05]"},       {2, "[0.6, 0.075]"},
                {2, "[0.6, 0.125]"}, {3, "[0.3, 0.025, 0.05]"}, {3, "[0.3, 0.05, 0.05]"}, {3, "[0.2, 0.05, 0.2]"}};
  for (const Way& way : ways)
    for (const auto& body : bodies)
      for (const char* sampling : {"lattice", "jittered"}) {
        const bool flat = body.dimension == 2;
        // What is almost a line or a sheet only mls bears (docs/meshless.md).
        if (way.method[0] != 'm' && sampling[0] == 'j' && std::string(body.size).find("0.025") != std::string::npos)
          continue;
        // The pressure of composed matter sets particles in disorder into motion.
        Way quiet = way;
        if (std::string(way.method) == "composed") quiet.solver = "[solver.meshless]\nsound_speed = 0\n";
        const std::string motion = flat ? "[\"0.001 * sin(200 * x + 300 * y)\", \"0.001 * cos(250 * x - 170 * y)\"]"
                                        : "[\"0.001 * sin(200 * x + 300 * y - 100 * z)\", \"0.001 * cos(250 * x - 170 "
                                          "* y + 300 * z)\", \"0.001 * sin(400 * z + 100 * y - 150 * x)\"]";
        Simulation s(block(quiet, body.size, motion, "", "", body.dimension) + "sampling = \"" + sampling + "\"\n");
        const std::string name = std::string(way.method) + ' ' + way.solver + body.size + sampling;
        const double start = energy(s);
        for (int k = 0; k < 10; ++k) {
          ASSERT_TRUE(s.run_steps(100)) << name;
          ASSERT_LT(energy(s), 10 * start) << name;  // half a step between x and v shows fast swings up to so much
        }
      }
}

}  // namespace
}  // namespace knead::test
