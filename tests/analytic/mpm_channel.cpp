// A viscous liquid that gravity drives through a channel between sticky walls.
#include "support/small_scene.h"

#include <gtest/gtest.h>

namespace knead::test {
namespace {

// The mean speed half way along, over that without slip, rho g H^2 / (12 eta). The Reynolds number is 1, and the wave
// speed 50 times the fastest motion.
double mean_flow(int cells, const std::string& transfer, double sound_speed = 5) {
  const double H = 0.1, eta = 10, g = 0.8;
  Simulation s(one_body(
      2, fmt::format("precision = \"double\"\ndx = {}\n{}", H / cells, transfer),
      fmt::format("model = \"fluid\"\nviscosity = {}\nsound_speed = {}", eta, sound_speed),
      "shape = { type = \"box\", center = [0, 0.05], size = [0.4, 0.1] }\nvelocity = "
      "[\"40*y*(0.1 - y)\", 0]",
      fmt::format("gravity = [{}, 0]\ndomain = {{ min = [-1, 0], max = [1, {}], contact = \"sticky\" }}", g, H)));
  EXPECT_TRUE(s.run_until(0.6));  // the slowest mode decays within H^2 rho / (pi^2 eta), 0.1 s
  const auto x = s.world.particles.get<Vec2d>("x"), v = s.world.particles.get<Vec2d>("v");
  const double middle = s.ledger().center[0];
  double sum = 0, count = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    if (std::abs(x[i][0] - middle) < H / 2) sum += v[i][0], count += 1;
  return sum / count / (1000 * g * H * H / (12 * eta));
}

// The steady flow of quadratic weights whose nodes on the walls and beyond are held: matter next to the wall sees only
// the node a cell inside, and slips. Cells of width 1, viscosity and force 1, two Gauss points per half cell.
double mean_of_held_nodes(int cells) {
  const auto weight = [](double x) {
    const double a = std::abs(x);
    return a < 0.5 ? 0.75 - a * a : a < 1.5 ? 0.5 * (1.5 - a) * (1.5 - a) : 0;
  };
  const auto slope = [](double x) {
    const double a = std::abs(x);
    return a < 0.5 ? -2 * x : a < 1.5 ? -std::copysign(1.5 - a, x) : 0;
  };
  const auto n = static_cast<std::size_t>(cells - 1);
  std::vector<std::vector<double>> K(n, std::vector<double>(n));
  std::vector<double> f(n), u(n);
  for (int half = 0; half < 2 * cells; ++half)
    for (const double side : {-0.25, 0.25}) {
      const double y = 0.5 * half + 0.25 + side / std::sqrt(3.0);
      for (std::size_t i = 0; i < n; ++i) {
        f[i] += 0.25 * weight(y - double(i + 1));
        for (std::size_t j = 0; j < n; ++j) K[i][j] += 0.25 * slope(y - double(i + 1)) * slope(y - double(j + 1));
      }
    }
  for (int sweep = 0; sweep < 20000; ++sweep)  // Gauss and Seidel
    for (std::size_t i = 0; i < n; ++i) {
      double rest = f[i];
      for (std::size_t j = 0; j < n; ++j) rest -= K[i][j] * u[j];
      u[i] += rest / K[i][i];
    }
  double flow = 0;
  for (std::size_t i = 0; i < n; ++i) flow += f[i] * u[i];
  return flow / cells / (cells * cells / 12.0);
}

// A slip length b makes the mean flow 1 + 6 b/H + 6 (b/H)^2 times as large: with a quarter of a cell 15 % at 10 cells
// and 8 % at 20.
double slip_of_a_quarter(int cells) {
  const double b = 0.25 / cells;
  return 1 + 6 * b + 6 * b * b;
}

TEST(Channel, slips_as_if_its_walls_were_a_quarter_of_a_cell_back) {
  for (const int cells : {10, 20}) {
    EXPECT_NEAR(mean_of_held_nodes(cells), slip_of_a_quarter(cells), 0.005) << cells;
    EXPECT_NEAR(mean_flow(cells, "transfer = \"flip\"\nflip = 1"), slip_of_a_quarter(cells), 0.03) << cells;
  }
}

// Transfers by apic and mls lose some of the motion beside the wall in every step: more steps, less flow.
TEST(Channel, flows_less_with_transfers_that_lose_motion_in_every_step) {
  const double flip = mean_flow(10, "transfer = \"flip\"\nflip = 1"), apic = mean_flow(10, "transfer = \"apic\""),
               mls = mean_flow(10, "transfer = \"mls\"");
  EXPECT_LT(apic, flip - 0.1);
  EXPECT_LT(mls, apic);
  EXPECT_LT(mean_flow(10, "transfer = \"apic\"", 30), apic - 0.2) << "six times as many steps";
}

}  // namespace
}  // namespace knead::test
