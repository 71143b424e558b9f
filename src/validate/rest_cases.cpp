// Of group B: elastic bodies under loads, at rest or swinging.
#include "validate/cases.h"

#include <algorithm>

namespace knead {

namespace {

// A straight line y = a + b x through points, by least squares, and the root of the mean square distance from it.
struct Line {
  double a = 0, b = 0, residual = 0;
};

Line fitted_line(const std::vector<double>& x, const std::vector<double>& y) {
  const double n = double(x.size());
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sx += x[i], sy += y[i], sxx += x[i] * x[i], sxy += x[i] * y[i];
  Line line;
  line.b = (n * sxy - sx * sy) / (n * sxx - sx * sx);
  line.a = (sy - line.b * sx) / n;
  double squares = 0;
  for (std::size_t i = 0; i < x.size(); ++i) squares += std::pow(y[i] - line.a - line.b * x[i], 2);
  line.residual = std::sqrt(squares / n);
  return line;
}

// B7. Kirchhoff and Cauchy stress are the same to two parts in a thousand here; the Cauchy stress is taken.
std::vector<Measured> column(const CaseInput& in) {
  constexpr double base = -1765.8;
  const auto fit = [&](double dx) {
    const SceneRun run = in.scenes.run(
        "b7_column", {set_number("solver.dx", dx), set_number("materials.soil.density", in.wrong ? 1900 : 1800)});
    const Column &x = run.particles("x"), &tau = run.particles("tau"), &F = run.particles("F");
    std::vector<double> height, stress;
    for (std::size_t i = 0; i < x.count(); ++i) {
      const double J = F.value(i, 0) * F.value(i, 3) - F.value(i, 1) * F.value(i, 2);
      height.push_back(x.value(i, 1)), stress.push_back(tau.value(i, 1) / J);
    }
    return fitted_line(height, stress);
  };
  const Line coarse = fit(0.01), fine = fit(0.005);
  return {relative("stress at the base", "Pa", fine.a, base, 0.02),
          at_most("RMS of the stresses about the line, over the base's", "", fine.residual / std::abs(base), 0.05),
          does_not_grow("error", std::abs(coarse.a - base), std::abs(fine.a - base), 0.02 * std::abs(base))};
}

// Twice the mean time between crossings of the middle.
double swing_period(const std::vector<double>& time, const std::vector<double>& value) {
  const auto [low, high] = std::minmax_element(value.begin(), value.end());
  const double middle = 0.5 * (*low + *high);
  std::vector<double> crossings;
  for (std::size_t i = 1; i < time.size(); ++i) {
    const double a = value[i - 1] - middle, b = value[i] - middle;
    if (a * b < 0) crossings.push_back(time[i - 1] + (time[i] - time[i - 1]) * a / (a - b));
  }
  if (crossings.size() < 3) return std::nan("");
  return 2 * (crossings.back() - crossings.front()) / double(crossings.size() - 1);
}

// B11, CSM3.
std::vector<Measured> swinging_beam(const CaseInput& in) {
  const auto swing = [&](double cells) {
    return in.scenes.run("b11_beam", {set_number("solver.dx", 0.02 / cells),
                                      set_number("materials.beam.young", in.wrong ? 1.2 * 1.4e6 : 1.4e6)});
  };
  const SceneRun coarse = swing(4), fine = swing(8);
  in.drawings.push_back({"b11-beam",
                         {"A cantilever swings under its weight (CSM3)", "time", "s", "displacement of the tip", "m"},
                         {{"4 cells across", coarse.column("time"), coarse.column("tip_uy")},
                          {"8 cells across", fine.column("time"), fine.column("tip_uy")}}});
  const auto rate = [](const SceneRun& run) { return 1 / swing_period(run.column("time"), run.column("tip_uy")); };
  return {relative("frequency", "1/s", rate(fine), 1.0995, 0.02),
          relative("lowest tip", "m", fine("min(tip_uy)"), -0.1288, 0.05),
          does_not_grow("error of the frequency", std::abs(rate(coarse) - 1.0995), std::abs(rate(fine) - 1.0995),
                        0.02 * 1.0995)};
}

}  // namespace

std::span<const Case> rest_cases() {
  static const Case cases[] = {
      {"b7-column", "Stress at the base of a column under its own weight", "closed form rho g H; set-up of cb-geo mpm",
       "density 1900 instead of 1800", true, column},
      {"b11-beam", "The swinging cantilever of Turek and Hron (CSM3)",
       "Turek and Hron 2006: 1.0995 Hz, -63.6 - 65.2 mm", "Young's modulus 1.2 times too large", false, swinging_beam},
  };
  return cases;
}

}  // namespace knead
