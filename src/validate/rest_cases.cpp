// Of group B: elastic bodies under loads, at rest or swinging.
#include "validate/cases.h"

#include <algorithm>
#include <array>

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

// B2. A lower corner of the cube, as in the reference. How far it comes back is measured by the whole way.
std::vector<Measured> hanging_cube(const CaseInput& in) {
  struct Swing {
    double low, low_time, high, high_time;
  };
  constexpr Swing reference{-1.7146, 0.08816, 0.041, 0.1852};
  const auto swing = [&](double cells) {
    const SceneRun run = in.scenes.run(
        "b2_cube", {set_number("solver.dx", 1 / cells), set_number("materials.rubber.young", in.wrong ? 1.2e6 : 1e6)});
    const std::vector<double>&time = run.column("time"), &u = run.column("corner_uy");
    in.drawings.push_back(
        {fmt::format("b2-cube-{}", cells),
         {"A lower corner of a hanging cube", "time", "s", "displacement", "m"},
         {{fmt::format("{} cells", cells), time, u},
          {"reference", {reference.low_time, reference.high_time}, {reference.low, reference.high}}}});
    const auto low = std::min_element(u.begin(), u.end()), high = std::max_element(low, u.end());
    const auto when = [&](auto at) { return time[static_cast<std::size_t>(at - u.begin())]; };
    return Swing{*low, when(low), *high, when(high)};
  };
  const double way = reference.high - reference.low;
  const auto worst = [&](const Swing& s) {
    return std::max({std::abs(s.low / reference.low - 1), std::abs(s.low_time / reference.low_time - 1),
                     std::abs(s.high - reference.high) / way, std::abs(s.high_time / reference.high_time - 1)});
  };
  const Swing coarse = swing(8), fine = swing(16);
  return {relative("lowest place", "m", fine.low, reference.low, 0.03),
          relative("when", "s", fine.low_time, reference.low_time, 0.03),
          within("place after coming back", "m", fine.high, reference.high, 0.03 * way),
          relative("when it is back", "s", fine.high_time, reference.high_time, 0.03),
          does_not_grow("largest of these errors", worst(coarse), worst(fine), 0.03)};
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

// The coefficients with which the rows' terms sum up to the values best, by least squares.
template <std::size_t n>
std::array<double, n> fitted(const std::vector<std::array<double, n>>& rows, const std::vector<double>& values) {
  double A[n][n + 1] = {};
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t a = 0; a < n; ++a) {
      for (std::size_t b = 0; b < n; ++b) A[a][b] += rows[i][a] * rows[i][b];
      A[a][n] += rows[i][a] * values[i];
    }
  // Gauss and Jordan; the matrix is positive definite.
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t a = 0; a < n; ++a)
      for (std::size_t b = n; a != k && b + 1 > k; --b) A[a][b] -= A[a][k] / A[k][k] * A[k][b];
  std::array<double, n> c{};
  for (std::size_t k = 0; k < n; ++k) c[k] = A[k][n] / A[k][k];
  return c;
}

// B9. The stress around the hole, at its edge: that of the particles within a radius of it, fitted with the terms up to
// cos(2 theta) of the general solution in a plane (Michell 1899). Particles at the edge stand in steps and are no
// better than their neighbours.
std::vector<Measured> hole(const CaseInput& in) {
  constexpr double radius = 0.5, pull = 100;
  struct Edge {
    double side, pole;
  };
  const auto edge = [&](double dx) {
    const SceneRun run = in.scenes.run(
        "b9_hole", {set_number("solver.dx", dx), set_number("materials.plate.density", in.wrong ? 1200 : 1000)});
    const Column &x = run.particles("x"), &tau = run.particles("tau");
    std::vector<std::array<double, 5>> terms;
    std::vector<double> hoop;
    for (std::size_t i = 0; i < x.count(); ++i) {
      const double r = std::hypot(x.value(i, 0), x.value(i, 1)) / radius;
      if (r > 2) continue;
      const double c = x.value(i, 0) / (radius * r), s = x.value(i, 1) / (radius * r), cos2 = c * c - s * s;
      terms.push_back({1, 1 / (r * r), cos2, r * r * cos2, cos2 / (r * r * r * r)});
      hoop.push_back(tau.value(i, 0) * s * s + tau.value(i, 1) * c * c - 2 * tau.value(i, 2) * s * c);
    }
    const auto a = fitted(terms, hoop);
    const double mean = (a[0] + a[1]) / pull, swing = (a[2] + a[3] + a[4]) / pull;
    return Edge{mean + swing, mean - swing};
  };
  constexpr double side = 3.14, pole = -1.11;
  const Edge coarse = edge(1.0 / 8), fine = edge(1.0 / 16);
  return {relative("stress at the side of the hole over the pull", "", fine.side, side, 0.04),
          relative("stress at its pole over the pull", "", fine.pole, pole, 0.08),
          does_not_grow("error at the side", std::abs(coarse.side - side), std::abs(fine.side - side), 0.04 * side),
          does_not_grow("error at the pole", std::abs(coarse.pole - pole), std::abs(fine.pole - pole), 0.08 * -pole)};
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

// B8. As in a laboratory: the force on the press, and the strains of lengths inside.
std::vector<Measured> pressed_cube(const CaseInput& in) {
  struct Test {
    double stress, lateral;  // at a strain of -0.001
  };
  const auto press = [&](double dx, bool oedometer) {
    std::vector<std::string> sets{set_number("solver.dx", dx),
                                  set_number("materials.solid.young", in.wrong ? 1200 : 1000)};
    for (const char* wall : {"right", "front"}) sets.push_back(fmt::format("collider.{}.enabled={}", wall, oedometer));
    const SceneRun run = in.scenes.run("b8_uniaxial", sets);
    const double unit = 0.001 * run("(first(high_y) - first(low_y)) / (last(low_uy) - last(high_uy))");
    return Test{-unit * run("last(press_force_y)"), unit * run("last(side_ux) / first(side_x)")};
  };
  // E eps, nu eps; E (1 - nu) / ((1 + nu) (1 - 2 nu)) eps.
  constexpr double stress = -1, lateral = 2e-4, confined = -1.1111111111111112, share = 0.005;
  const Test coarse = press(0.1, false), fine = press(0.05, false), coarse_confined = press(0.1, true),
             fine_confined = press(0.05, true);
  return {relative("free sides: stress at a strain of -0.001", "Pa", fine.stress, stress, share),
          relative("free sides: lateral strain", "", fine.lateral, lateral, share),
          relative("oedometer: stress at a strain of -0.001", "Pa", fine_confined.stress, confined, share),
          does_not_grow("free sides: error of the stress", std::abs(coarse.stress - stress),
                        std::abs(fine.stress - stress), share * std::abs(stress)),
          does_not_grow("oedometer: error of the stress", std::abs(coarse_confined.stress - confined),
                        std::abs(fine_confined.stress - confined), share * std::abs(confined))};
}

// B10. Lame's forms, sigma = A + B/r^2 and u = C r + D/r, fitted to all particles of the tube and taken at its inner
// wall.
std::vector<Measured> thick_tube(const CaseInput& in) {
  constexpr double hoop = 5.0 / 3, radial = 0.00190666667, share = 0.03;
  const auto at_wall = [&](double dx) {
    const SceneRun run = in.scenes.run(
        "b10_cylinder", {set_number("solver.dx", dx), set_number("materials.tube.young", in.wrong ? 1200 : 1000)});
    const Column &x = run.particles("x"), &X = run.particles("X"), &tau = run.particles("tau"),
                 &body = run.particles("body");
    std::vector<double> square, stress, moved;
    for (std::size_t i = 0; i < x.count(); ++i) {
      if (body.value(i, 0) != 0) continue;
      const double a = X.value(i, 0), b = X.value(i, 1), rr = a * a + b * b, r = std::sqrt(rr);
      square.push_back(1 / rr);
      stress.push_back((tau.value(i, 0) * b * b + tau.value(i, 1) * a * a - 2 * tau.value(i, 2) * a * b) / rr);
      moved.push_back((std::hypot(x.value(i, 0), x.value(i, 1)) - r) / r);
    }
    const Line s = fitted_line(square, stress), u = fitted_line(square, moved);
    return Vec2d{s.a + s.b, u.a + u.b};
  };
  const Vec2d coarse = at_wall(0.05), fine = at_wall(0.025);
  return {relative("hoop stress at the inner wall, h = 1/20", "Pa", coarse[0], hoop, share),
          relative("displacement of the inner wall, h = 1/20", "m", coarse[1], radial, share),
          does_not_grow("error of the stress", std::abs(coarse[0] - hoop), std::abs(fine[0] - hoop), share * hoop),
          does_not_grow("error of the displacement", std::abs(coarse[1] - radial), std::abs(fine[1] - radial),
                        share * radial)};
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

// B11, CSM1 and CSM2: the stiffer beam swings twice as fast, and comes to rest in half the time.
std::vector<Measured> resting_beam(const CaseInput& in) {
  const auto tip = [&](double cells, double stiffer) {
    const double drag = 12 * std::sqrt(stiffer);
    return in.scenes.run("b11_rest", {set_number("solver.dx", 0.02 / cells),
                                      set_number("materials.beam.young", stiffer * (in.wrong ? 1.2 : 1) * 1.4e6),
                                      fmt::format("scene.body_force=[\"{0}*vx*-1\", \"{0}*vy*-1\"]", drag),
                                      set_number("scene.duration", 1.5 / std::sqrt(stiffer))})("last(tip_uy)");
  };
  constexpr double csm1 = -0.066102, csm2 = -0.016974;
  const double coarse = tip(4, 1), fine = tip(8, 1);
  return {relative("CSM1: tip, 8 cells across", "m", fine, csm1, 0.02),
          relative("CSM2: tip, 5 cells across", "m", tip(5, 4), csm2, 0.02),
          does_not_grow("error of CSM1", std::abs(coarse - csm1), std::abs(fine - csm1), 0.02 * std::abs(csm1))};
}

}  // namespace

std::span<const Case> rest_cases() {
  static const Case cases[] = {
      {"b2-cube", "A cube stretches under a hundred times its weight and swings back",
       "-1.7146 m at 0.0882 s, 0.041 m at 0.1852 s: converged finite elements (Karamelo, Vertical_bar)",
       "Young's modulus 1.2 times too large", false, hanging_cube},
      {"b7-column", "Stress at the base of a column under its own weight", "closed form rho g H; set-up of cb-geo mpm",
       "density 1900 instead of 1800", true, column},
      {"b8-cube", "A cube pressed with free sides, and between walls",
       "closed forms E eps, nu eps; set-up of cb-geo mpm", "Young's modulus 1.2 times too large", false, pressed_cube},
      {"b9-hole", "Stress around a hole in a strip under tension",
       "Howland 1930: 3.14 and -1.11 times the pull; set-up of cb-geo mpm", "a pull 1.2 times too large", false, hole},
      {"b10-cylinder", "A thick tube under pressure inside", "closed form (Lame)",
       "Young's modulus 1.2 times too large", false, thick_tube},
      {"b11-beam", "The swinging cantilever of Turek and Hron (CSM3)",
       "Turek and Hron 2006: 1.0995 Hz, -63.6 - 65.2 mm", "Young's modulus 1.2 times too large", false, swinging_beam},
      {"b11-rest", "The cantilever of Turek and Hron at rest (CSM1, CSM2)",
       "Turek and Hron 2006: -66.102 mm, -16.974 mm", "Young's modulus 1.2 times too large", false, resting_beam},
  };
  return cases;
}

}  // namespace knead
