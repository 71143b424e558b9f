// A pulse in a long strip splits in two and runs away, as d'Alembert's solution says: the error falls with the square
// of the grid spacing.
#include "support/small_scene.h"

#include <gtest/gtest.h>

namespace knead::test {
namespace {

constexpr double wave_speed = 10, amplitude = 1e-4 * wave_speed, width = 0.3;
double pulse(double x) { return amplitude * std::exp(-x * x / (2 * width * width)); }

// Relative RMS error of the velocity when the pulses have run 0.8 m, far from the strip's ends; steps shrink with dx^2.
double error(const char* transfer, const char* kernel, int cells_a_metre) {
  const double dx = 1.0 / cells_a_metre, end = 0.8 / wave_speed;
  const std::string h = std::to_string(2 * dx);
  Simulation s(one_body(2,
                        std::string("precision = \"double\"\nflip = 1\ntransfer = \"") + transfer + "\"\nkernel = \"" +
                            kernel + "\"\ndx = " + std::to_string(dx),
                        "model = \"neo-hookean\"\nyoung = 100\npoisson = 0\ndensity = 1",
                        "shape = { type = \"box\", center = [0, " + std::to_string(dx) + "], size = [5, " + h + "] }",
                        "gravity = [0, 0]"));
  auto x = s.world.particles.get<Vec2d>("x"), v = s.world.particles.get<Vec2d>("v");
  for (std::size_t i = 0; i < x.size(); ++i) v[i] = {pulse(x[i][0]), 0};
  if (s.world.particles.find("C")) {
    const auto C = s.world.particles.get<Mat2d>("C");
    for (std::size_t i = 0; i < x.size(); ++i) C[i](0, 0) = -x[i][0] / (width * width) * pulse(x[i][0]);
  }
  EXPECT_TRUE(s.run_until(end, 0.4 * dx * dx));
  x = s.world.particles.get<Vec2d>("x"), v = s.world.particles.get<Vec2d>("v");  // the steps moved the columns
  double squares = 0, size = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double way = wave_speed * s.world.clock.time;
    const double exact = (pulse(x[i][0] - way) + pulse(x[i][0] + way)) / 2;
    squares += (v[i][0] - exact) * (v[i][0] - exact), size += exact * exact;
  }
  return std::sqrt(squares / size);
}

TEST(Pulse, error_falls_with_the_square_of_the_spacing) {
  for (const char* transfer : {"apic", "mls", "flip"})
    for (const char* kernel : {"quadratic", "cubic"}) {
      const double coarse = error(transfer, kernel, 8), fine = error(transfer, kernel, 16),
                   finest = error(transfer, kernel, 32);
      const double order = std::log2(fine / finest);
      std::printf("%s %s: %.3e %.3e %.3e, order %.2f\n", transfer, kernel, coarse, fine, finest, order);
      EXPECT_GE(order, 1.8) << transfer << " " << kernel;
      EXPECT_LE(finest, 0.02) << transfer << " " << kernel;
    }
}

}  // namespace
}  // namespace knead::test
