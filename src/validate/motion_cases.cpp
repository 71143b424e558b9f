// Of group B: elastic bodies whose motion is known, in closed form or by construction.
#include "validate/cases.h"

#include <algorithm>
#include <numbers>

namespace knead {

namespace {

std::string young_is(double modulus, bool wrong) {
  return set_number("materials.solid.young", modulus * (wrong ? 1.2 : 1));
}

// B1.
std::vector<Measured> vibrating_bar(const CaseInput& in) {
  const double width = 100.0 / 13;
  const auto bar = [&](int cells) {
    return in.scenes.run("b1_bar", {set_number("solver.dx", 25.0 / cells), young_is(100, in.wrong)});
  };
  const SceneRun coarse = bar(13), middle = bar(26), fine = bar(52);
  const auto period = [](const SceneRun& run) { return mean_period(run.column("time"), run.column("momentum_x")); };
  in.drawings.push_back({"b1-bar",
                         {"A bar vibrates along its axis", "time", "s", "momentum", "kg m/s"},
                         {{"13 cells", coarse.column("time"), coarse.column("momentum_x")},
                          {"52 cells", fine.column("time"), fine.column("momentum_x")}}});
  const double error_coarse = std::abs(period(coarse) - 10), error_fine = std::abs(period(fine) - 10);
  return {
      relative("velocity of the centre at the start", "m/s", fine("first(momentum_x) / first(mass)"), 0.0636620, 0.01),
      relative("energy at the start, per unit area", "J/m^2", fine("first(kinetic)") / width, 0.0625, 0.01),
      relative("period, 13 cells", "s", period(coarse), 10, 0.02),
      relative("period, 52 cells", "s", period(fine), 10, 0.005),
      relative("energy after 10 periods over the first, 26 cells", "", middle("last(total) / first(total)"), 1, 0.03),
      does_not_grow("error of the period", error_coarse, error_fine, 0.2)};
}

// The root of the mean square distance of the particles from where exact(X, Y) says that they are.
template <class Exact>
double rms_distance(const SceneRun& run, Exact&& exact) {
  const Column &x = run.particles("x"), &X = run.particles("X");
  double squares = 0;
  for (std::size_t i = 0; i < x.count(); ++i) {
    const Vec2d error = Vec2d{x.value(i, 0), x.value(i, 1)} - exact(X.value(i, 0), X.value(i, 1));
    squares += dot(error, error);
  }
  return std::sqrt(squares / double(x.count()));
}

void add_errors(Drawing& drawing, const std::string& label, const std::vector<double>& cells,
                const std::vector<double>& errors) {
  Series series{label, {}, {}};
  for (std::size_t i = 0; i < errors.size(); ++i)
    series.x.push_back(std::log2(cells[i])), series.y.push_back(std::log2(errors[i]));
  drawing.series.push_back(series);
}

// B3. Steps shrink with the square of the spacing, so that the error of the first-order step shrinks along. With linear
// splines stress jumps where a particle enters a cell, and no finer grid helps once the motion spans several cells: on
// the finest of these grids the amplitude is 1.6 cells.
std::vector<Measured> manufactured(const CaseInput& in) {
  struct Scheme {
    const char *transfer, *kernel;
    double particles;     // in a cell
    double order, least;  // of convergence: in theory, and what is accepted
  };
  // Linear splines need many particles, since the jumps of stress are smaller then.
  const std::vector<double> cells{8, 16, 32};
  const Scheme schemes[] = {{"apic", "quadratic", 4, 2, 1.8},
                            {"mls", "quadratic", 4, 2, 1.8},
                            {"flip", "quadratic", 4, 2, 1.8},
                            {"flip", "linear", 16, 1, 0.95}};
  Drawing drawing{"b3-manufactured",
                  {"Axis-aligned manufactured solution", "log2 of cells per metre", "", "log2 of the error", ""},
                  {}};
  std::vector<Measured> all;
  for (const Scheme& scheme : schemes) {
    const std::string name = fmt::format("{} {}", scheme.transfer, scheme.kernel);
    std::vector<double> e;
    for (const double n : cells)
      e.push_back(rms_distance(
          in.scenes.run("b3_manufactured",
                        {set_number("solver.dx", 1 / n), set_number("solver.dt", 2.5e-4 * 64 / (n * n)),
                         fmt::format("solver.transfer=\"{}\"", scheme.transfer),
                         fmt::format("solver.kernel=\"{}\"", scheme.kernel), "solver.flip=1",
                         set_number("body.square.particles_per_cell", scheme.particles), young_is(1e4, in.wrong)}),
          [](double X, double Y) {
            return Vec2d{X, Y};
          }));
    add_errors(drawing, name, cells, e);
    // 2 % of the amplitude, 4 % where the order is one; the order over all three grids.
    all.push_back(at_most(name + ", RMS error of position at h = 1/32", "m", e[2], scheme.order == 2 ? 1e-3 : 2e-3));
    all.push_back(
        at_least(name + ", order of convergence", "", std::log2(e[0] / e[2]) / 2, scheme.order, scheme.least));
  }
  in.drawings.push_back(drawing);
  return all;
}

// B4. Steps are a tenth of a second a metre of spacing, 0.12 of the time that a wave takes through a cell.
std::vector<Measured> vortex_in_ring(const CaseInput& in) {
  const auto error = [&](double n, double time) {
    const double turn = 0.2 * std::sin(std::numbers::pi * time);
    return rms_distance(in.scenes.run("b4_vortex", {set_number("solver.dx", 1 / n), set_number("solver.dt", 0.1 / n),
                                                    set_number("scene.duration", time), young_is(1000, in.wrong)}),
                        [&](double X, double Y) {
                          const double R = std::hypot(X, Y), r = R - 1,
                                       a = turn * (1 - 32 * r * r + 256 * r * r * r * r);
                          return Vec2d{std::cos(a) * X - std::sin(a) * Y, std::sin(a) * X + std::cos(a) * Y};
                        });
  };
  const double coarse = error(20, 0.25), fine = error(40, 0.25), late = error(20, 0.5);
  return {at_most("t = 0.25 s, h = 1/20: RMS error", "m", coarse, 0.0030),
          at_most("t = 0.25 s, h = 1/40: RMS error", "m", fine, 0.0008),
          at_least("order of convergence", "", std::log2(coarse / fine), 2, 1.8),
          at_most("t = 0.5 s, h = 1/20: RMS error", "m", late, 0.004)};
}

}  // namespace

std::span<const Case> motion_cases() {
  static const Case cases[] = {
      {"b1-bar", "Axial vibration of a bar held at one end", "closed form: period 4 L / c (Bardenhagen and Kober 2004)",
       stiffer, false, vibrating_bar},
      {"b3-manufactured", "Axis-aligned manufactured solution over one period",
       "exact by construction (Wallstedt and Guilkey 2008)", stiffer, false, manufactured},
      {"b4-vortex", "Generalized vortex in a ring", "exact by construction (Kamojjala, Brannon and others 2015)",
       stiffer, false, vortex_in_ring},
  };
  return cases;
}

}  // namespace knead
