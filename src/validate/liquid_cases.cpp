// Group H: splashing liquids and their complementarity problems.
#include "liquid/sparse_lcp.h"
#include "validate/cases.h"
#include "world/build.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace knead {

namespace {

// What every run of a liquid must keep (H9): mass; room, and pressure only where there is none left, which is one
// residual, |min(room left, pressure)|; pressures that do not pull.
void add_mass_full(std::vector<Measured>& all, const std::string& name, const SceneRun& run) {
  all.push_back(
      at_most(name + ", mass gained or lost", "", run("max(abs(mass - first(mass)))") / run("first(mass)"), 1e-12));
  all.push_back(at_most(name + ", over-filling predicted by the solves", "", run("max(lcp_residual)"), 1e-4));
  all.push_back(at_most(name + ", pull", "Pa", -run("min(least_pressure)"), 0));
}
void add_crowding(std::vector<Measured>& all, const std::string& name, const SceneRun& run) {
  all.push_back(at_most(name + ", over-filling after motion, rms", "", run("max(over_density_rms)"), 0.03));
}

// H1 and H9.
std::vector<Measured> tank(const CaseInput& in) {
  // The wrong input: pressures are not found well.
  const SceneRun run = in.scenes.run(
      "h1_tank", in.wrong ? std::vector<std::string>{"solver.liquid.tolerance=0.1"} : std::vector<std::string>{});
  const double depth = 0.5, weight = 1000 * g * depth;
  const Column &x = run.particles("x"), &pressure = run.particles("pressure");
  double square = 0, count = 0;
  for (std::size_t i = 0; i < x.count(); ++i) {
    const double below = depth - x.value(i, 1);
    if (below < 2 * 0.0125 || x.value(i, 1) < 0.5 * 0.0125) continue;
    square += std::pow(pressure.value(i) - 1000 * g * below, 2), count += 1;
  }
  std::vector<Measured> all;
  all.push_back(at_most("error of the pressure over rho g H, rms", "", std::sqrt(square / count) / weight, 0.02));
  all.push_back(at_most("kinetic energy at the end over rho g H^3", "",
                        run("last(kinetic)") / (1000 * g * depth * depth * depth), 1e-6));
  all.push_back(within("surface", "m", run("last(max_y)") + 0.5 * 0.0125 / 3, depth, 0.5 * 0.0125));
  all.push_back(relative("density below", "kg/m^3", run("last(deep_mean)"), 1000, 0.01));
  add_mass_full(all, "tank", run);
  add_crowding(all, "tank", run);
  return all;
}

// H2. The wrong input: density predicted from the faces alone, as published, which presses on liquid in flight.
std::vector<Measured> drop(const CaseInput& in) {
  const SceneRun run = in.scenes.run(
      "h2_drop", in.wrong ? std::vector<std::string>{"solver.liquid.foresight=faces"} : std::vector<std::string>{});
  const std::vector<Vec3d> first = places_by_id(build_world(run.scene)), last = places_by_id(run.world);
  const double t = 0.45, fall = 0.5 * g * t * t;
  double far = 0, center = 0;
  for (std::size_t i = 0; i < last.size(); ++i) {
    const Vec3d away = last[i] + Vec3d{0, fall, 0} - first[i];
    far = std::max(far, length(away)), center += away[1] / double(last.size());
  }
  return {at_most("error of the centre over the fall", "", std::abs(center) / fall, 1e-9),
          at_most("largest motion against the centre", "m", far, 1e-6),
          at_most(
              "pressure", "Pa",
              run("max(abs(least_pressure))") +
                  [&] {
                    double most = 0;
                    const Column& p = run.particles("pressure");
                    for (std::size_t i = 0; i < p.count(); ++i) most = std::max(most, p.value(i));
                    return most;
                  }(),
              0)};
}

// H13. A ball in uniform flight, seen from the ground: it is at rest for who flies along, whatever its speed and steps.
std::vector<Measured> flight(const CaseInput& in) {
  std::vector<Measured> all;
  for (const auto& [speed, cfl] :
       {std::pair(2.0, 1.0), std::pair(21.0, 0.5), std::pair(21.0, 1.0), std::pair(21.0, 5.0)}) {
    std::vector<std::string> sets{fmt::format("body.ball.velocity=[{}, {}]", 0.944 * speed, 0.33 * speed),
                                  set_number("solver.liquid.cfl", cfl), set_number("scene.duration", 2.1 / speed)};
    if (in.wrong) sets.push_back("solver.liquid.foresight=faces");
    const SceneRun run = in.scenes.run("h13_flight", sets);
    const Column &x = run.particles("x"), &v = run.particles("v");
    const Vec3d center{run("last(center_x)"), run("last(center_y)"), 0};
    double outside = 0, most = 0;
    for (std::size_t i = 0; i < x.count(); ++i) {
      outside += std::hypot(x.value(i, 0) - center[0], x.value(i, 1) - center[1]) > 1.1 * 0.3;
      most = std::max(most, std::hypot(v.value(i, 0) - 0.944 * speed, v.value(i, 1) - 0.33 * speed));
    }
    const std::string at = fmt::format(", {} m/s, cfl {}", speed, cfl);
    all.push_back(at_most("mass beyond 1.1 radii" + at, "", outside / double(x.count()), 0));
    all.push_back(at_most("change of velocity over it" + at, "", most / speed, 1e-9));
  }
  return all;
}

struct Curve {
  std::vector<double> at, value;
  double operator()(double x) const {
    const auto next = std::upper_bound(at.begin(), at.end(), x);
    if (next == at.begin() || next == at.end()) return next == at.begin() ? value.front() : value.back();
    const auto i = static_cast<std::size_t>(next - at.begin());
    return value[i - 1] + (value[i] - value[i - 1]) * (x - at[i - 1]) / (at[i] - at[i - 1]);
  }
};

// The front of a run against a measured one: times and fronts without units.
double front_error(const Curve& measured, const Curve& found, double from, double to, double shift) {
  double square = 0, count = 0;
  for (std::size_t i = 0; i < measured.at.size(); ++i)
    if (measured.at[i] >= from - 1e-9 && measured.at[i] <= to + 1e-9)
      square += std::pow(found(measured.at[i] + shift) / measured.value[i] - 1, 2), count += 1;
  return std::sqrt(square / count);
}

Curve scaled(const SceneRun& run, const char* column, double time_scale, double scale) {
  Curve c;
  for (const double t : run.column("time")) c.at.push_back(t * time_scale);
  for (const double v : run.column(column)) c.value.push_back(v * scale);
  return c;
}

// H3 and H9. Martin and Moyce 1952, Tables 2 and 6. A gate takes time to lift: one shift of time is allowed.
std::vector<Measured> dam(const CaseInput& in) {
  const Curve front{{0.41, 0.84, 1.19, 1.43, 1.63, 1.83, 1.98, 2.20, 2.32, 2.51, 2.65, 2.83, 2.98, 3.11, 3.33},
                    {1.11, 1.22, 1.44, 1.67, 1.89, 2.11, 2.33, 2.56, 2.78, 3.00, 3.22, 3.44, 3.67, 3.89, 4.11}};
  const Curve height{{0.56, 0.77, 0.93, 1.08, 1.28, 1.46, 1.66, 1.84, 2.00, 2.21, 2.45},
                     {0.94, 0.89, 0.83, 0.78, 0.72, 0.67, 0.61, 0.56, 0.50, 0.44, 0.39}};
  const double a = 0.05715;
  // The wrong input: two thirds of gravity.
  const SceneRun run = in.scenes.run(
      "h3_dam", in.wrong ? std::vector<std::string>{"scene.gravity=[0, -6.54]"} : std::vector<std::string>{});
  const Curve Z = scaled(run, "toe_front", std::sqrt(2 * g / a), 1 / a);
  const Curve H = scaled(run, "top_front", std::sqrt(g / a), 1 / (2 * a));
  double error = 1, shift = 0;
  for (int i = -20; i <= 20; ++i)
    if (const double e = front_error(front, Z, 0.84, 3.33, 0.01 * i); e < error) error = e, shift = 0.01 * i;
  double worst = 0;
  for (std::size_t i = 0; i < height.at.size(); ++i)
    worst = std::max(worst, std::abs(H(height.at[i] + shift / std::sqrt(2.0)) - height.value[i]));
  std::vector<Measured> all{at_most("error of the front, rms", "", error, 0.08),
                            between("slope of the front", "", slope_between(Z.at, Z.value, 1.5, 3.3), 1.2, 1.75),
                            at_most("error of the height", "", worst, 0.08)};
  add_mass_full(all, "dam", run);
  add_crowding(all, "dam", run);
  in.drawings.push_back({"h3-front",
                         {"Collapse of a column of water", "T = t sqrt(2g/a)", "", "front / a", ""},
                         {{"knead", Z.at, Z.value}, {"Martin and Moyce 1952", front.at, front.value}}});
  return all;
}

// H4. Koshizuka and Oka 1996, with the same shift of time for the gate.
std::vector<Measured> tall_dam(const CaseInput& in) {
  const Curve front{{0, 0.381, 0.769, 1.153, 1.537, 1.935, 2.323, 2.719},
                    {1.000, 1.111, 1.252, 1.505, 1.892, 2.241, 2.615, 3.003}};
  const double L = 0.146, dx = L / 24;
  std::vector<std::string> sets{
      set_number("solver.dx", dx), fmt::format("scene.domain.max=[{}, {}]", 4 * L, 3 * L),
      fmt::format("body.water.shape={{ type = \"box\", center = [{}, {}], size = [{}, {}] }}", L / 2, L, L, 2 * L),
      "scene.duration=0.24"};
  if (in.wrong) sets.push_back("scene.gravity=[0, -3.9]");
  const SceneRun run = in.scenes.run("h3_dam", sets);
  const Curve Z = scaled(run, "toe_front", std::sqrt(2 * g / L), 1 / L);
  double error = 1;
  for (int i = -20; i <= 20; ++i) error = std::min(error, front_error(front, Z, 0, 2.72, 0.01 * i));
  return {at_most("error of the front, rms", "", error, 0.08)};
}

// H5 and H9. Linear theory: omega^2 = g k tanh(k depth), k = pi.
std::vector<Measured> slosh(const CaseInput& in) {
  const SceneRun run = in.scenes.run(
      "h5_slosh", in.wrong ? std::vector<std::string>{"scene.gravity=[0, -9]"} : std::vector<std::string>{});
  std::vector<double> sway;
  for (const double x : run.column("center_x")) sway.push_back(x - 0.5);
  const double period = 2 * std::numbers::pi / std::sqrt(g * std::numbers::pi * std::tanh(std::numbers::pi * 0.5));
  const auto& time = run.column("time");
  const auto largest = [&](double from, double to) {
    double most = 0;
    for (std::size_t i = 0; i < time.size(); ++i)
      if (time[i] >= from && time[i] <= to) most = std::max(most, std::abs(sway[i]));
    return most;
  };
  std::vector<double> five_time, five_sway;
  for (std::size_t i = 0; i < time.size(); ++i)
    if (time[i] <= 5.1 * period) five_time.push_back(time[i]), five_sway.push_back(sway[i]);
  std::vector<Measured> all{relative("period", "s", mean_period(five_time, five_sway), period, 0.02),
                            at_least("amplitude after 5 periods over that at the start", "",
                                     largest(4.75 * period, 5.25 * period) / largest(0, 0.25 * period), 1, 0.6),
                            relative("density below", "kg/m^3", run("last(deep_mean)"), 1000, 0.01)};
  add_mass_full(all, "sloshing", run);
  add_crowding(all, "sloshing", run);
  in.drawings.push_back({"h5-sway", {"Sloshing", "time", "s", "sway of the centre", "m"}, {{"knead", time, sway}}});
  return all;
}

// H6. The second moments of an ellipse are a quarter of the squares of its semi-axes.
std::vector<Measured> ellipse(const CaseInput& in) {
  std::vector<Measured> all;
  const std::pair<double, double> axes[] = {
      {0.002, 0.820826}, {0.004, 0.682699}, {0.0076, 0.514266}, {0.0138, 0.356334}};
  for (const auto& [t, a] : axes) {
    std::vector<std::string> sets{set_number("scene.duration", t)};
    if (in.wrong) sets.push_back("body.drop.velocity=[\"-90*x\", \"90*y\"]");
    const SceneRun run = in.scenes.run("h6_ellipse", sets);
    const Column& x = run.particles("x");
    double xx = 0, yy = 0;
    for (std::size_t i = 0; i < x.count(); ++i)
      xx += x.value(i, 0) * x.value(i, 0), yy += x.value(i, 1) * x.value(i, 1);
    const double n = double(x.count()), wide = 2 * std::sqrt(xx / n), high = 2 * std::sqrt(yy / n);
    const std::string when = fmt::format(" at {:.3g} ms", 1000 * t);
    all.push_back(relative("short semi-axis" + when, "m", wide, a, 0.02));
    all.push_back(relative("long semi-axis" + when, "m", high, 1 / a, 0.02));
    all.push_back(relative("area" + when, "m^2", std::numbers::pi * wide * high, std::numbers::pi, 0.01));
  }
  return all;
}

// H7. Torricelli: the jet has the speed of a fall from the surface, and the square root of the head falls evenly. In
// the plane a sharp edge lets pi / (pi + 2) of the hole through (Kirchhoff).
std::vector<Measured> orifice(const CaseInput& in) {
  const double hole = 0.05, middle = 0.125, coefficient = std::numbers::pi / (std::numbers::pi + 2);
  std::vector<Measured> all;
  double too_much[2];
  for (const int halved : {0, 1}) {
    std::vector<std::string> sets{set_number("solver.dx", 0.00625 / (1 + halved))};
    if (in.wrong) sets.push_back("scene.gravity=[0, -8.5]");
    const SceneRun run = in.scenes.run("h7_orifice", sets);
    // After the jet has formed.
    std::vector<double> time, root, speed;
    for (std::size_t i = 0; i < run.column("time").size(); ++i) {
      if (run.column("time")[i] < 0.3) continue;
      const double surface = run.column("tank_mass")[i] / 1000;
      time.push_back(run.column("time")[i]), root.push_back(std::sqrt(surface - middle));
      speed.push_back(run.column("jet_mean")[i] / std::sqrt(2 * g * (surface - run.column("height_mean")[i])));
    }
    // The tank is 1 m wide: d sqrt(h) / dt = - C hole sqrt(2 g) / 2.
    too_much[halved] = -2 * slope_between(time, root, 0, 1) / (hole * std::sqrt(2 * g)) - coefficient;
    if (!halved) continue;
    all.push_back(relative("speed of the jet over sqrt(2 g h), mean", "", mean_of(speed), 1, 0.05));
    all.push_back(at_least("straightness of sqrt(h), R^2", "", straightness(time, root), 1, 0.995));
    in.drawings.push_back({"h7-head",
                           {"A tank empties through a hole", "time", "s", "square root of the head", "m^(1/2)"},
                           {{"knead", time, root}}});
  }
  all.push_back(does_not_grow("coefficient of discharge less pi / (pi + 2)", too_much[0], too_much[1], 0.05));
  return all;
}

// H9. The tank of H1, the dam of H3 and the waves of H5 for ten seconds, on cells twice as large where they are fine.
// Mass is kept, so that the density below the surface says what became of the volume.
std::vector<Measured> mass_full(const CaseInput& in) {
  struct Part {
    const char *name, *scene;
    std::vector<std::string> sets;
  };
  const Part parts[] = {
      {"tank", "h1_tank", {"scene.duration=10"}},
      {"dam", "h3_dam", {"scene.duration=10", "scene.fps=20", "solver.dx=0.0047625"}},
      {"sloshing", "h5_slosh", {"solver.dx=0.03125"}},
  };
  std::vector<Measured> all;
  for (Part part : parts) {
    if (in.wrong) part.sets.push_back("solver.liquid.pressure=incompressible");
    const SceneRun run = in.scenes.run(part.scene, part.sets);
    add_mass_full(all, part.name, run);
    // The dam has come to lie before five seconds.
    std::vector<double> density;
    for (std::size_t i = 0; i < run.column("time").size(); ++i)
      if (run.column("time")[i] >= 5) density.push_back(run.column("deep_mean")[i]);
    all.push_back(relative(std::string(part.name) + ", volume over that at the start, mean from 5 to 10 s", "",
                           1000 / mean_of(density), 1, 0.01));
  }
  return all;
}

// H10. Problems on which pivoting takes exponential time, and a string over a floor.
std::vector<Measured> pivots(const CaseInput& in) {
  double murty = 0, fathi = 0;
  for (const std::size_t n : {8u, 16u, 64u}) {
    // Twos below a diagonal of ones, b = -1 (the wrong input: -1.01 in the first row): the answer is the first unit
    // vector, also for the matrix times its transpose.
    std::vector<SparseMatrix::Entry> lower, square;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        if (j <= i) lower.push_back({i, j, i == j ? 1.0 : 2.0});
        double sum = 0;
        for (std::size_t k = 0; k <= std::min(i, j); ++k) sum += (k == i ? 1 : 2) * (k == j ? 1 : 2);
        square.push_back({i, j, sum});
      }
    std::vector<double> b(n, -1), none(n, 0), q(n, 0), p(n, 0);
    if (in.wrong) b[0] = -1.01;
    solve_by_gauss_seidel(SparseMatrix(n, lower), b, none, q, 1e-13, 100000);
    solve_by_mprgp(SparseMatrix(n, square), b, none, p, Expansion::projected, 1e-12, 100000);
    for (std::size_t i = 0; i < n; ++i) {
      murty = std::max(murty, std::abs(q[i] - (i == 0 ? 1 : 0)));
      fathi = std::max(fathi, std::abs(p[i] - (i == 0 ? 1 : 0)));
    }
  }
  // -u'' >= -32, u >= 0, u = 1 at both ends: it lies on the floor from 1/4 to 3/4, and is 16 (x - 1/4)^2 before.
  const std::size_t n = 199;
  const double h = 1.0 / 200;
  std::vector<SparseMatrix::Entry> laplace;
  std::vector<double> b(n, 32 * h * h), none(n, 0), u(n, 0);
  for (std::size_t i = 0; i < n; ++i) {
    laplace.push_back({i, i, 2});
    if (i > 0) laplace.push_back({i, i - 1, -1});
    if (i + 1 < n) laplace.push_back({i, i + 1, -1});
  }
  b[0] -= in.wrong ? 1.01 : 1, b[n - 1] -= 1;
  solve_by_mprgp(SparseMatrix(n, laplace), b, none, u, Expansion::projected, 1e-13, 100000);
  double string = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double x = double(i + 1) * h, away = std::max(0.0, std::abs(x - 0.5) - 0.25);
    string = std::max(string, std::abs(u[i] - 16 * away * away));
  }
  return {at_most("Murty, error", "", murty, 1e-8), at_most("Fathi, error", "", fathi, 1e-8),
          at_most("string over a floor, error", "", string, 1e-8)};
}

// H11. Laplace's equation over a hemisphere on [-2, 2]^2; the exact answer is -A ln r + B outside the contact.
std::vector<Measured> obstacle(const CaseInput& in) {
  const double free = in.wrong ? 0.75 : 0.697965148223374, A = 0.680259411891719, B = 0.471519893402112;
  const auto hill = [](double x, double y) {
    const double square = 1 - x * x - y * y;
    return square > 0 ? std::sqrt(square) : -1e3;
  };
  const auto exact = [&](double x, double y) {
    const double r = std::hypot(x, y);
    return r <= free ? hill(x, y) : -A * std::log(r) + B;
  };
  const auto error = [&](int n) {
    // Nodes 1 to n - 2 are unknown cells; the rim is known.
    const double h = 4.0 / (n - 1);
    std::vector<BlockKey> keys;
    for (int i = -1; i <= n / 8 + 1; ++i)
      for (int j = -1; j <= n / 8 + 1; ++j) keys.push_back(block_key(Vec<int, 2>{i, j}));
    BlockSet<2> blocks;
    blocks.assign(keys);
    const std::size_t cells = blocks.count() * 64;
    std::vector<std::uint64_t> unknown(blocks.count(), 0);
    std::vector<float> open(cells, 1);
    std::vector<double> b(cells, 0), lower(cells, 0), u(cells, 0);
    const auto place = [&](int i, int j) {
      const Vec<int, 2> cell{i, j};
      return static_cast<std::size_t>(blocks.find(block_key(BlockLayout<2>::block_of(cell)))) * 64 +
             static_cast<std::size_t>(BlockLayout<2>::node_index(cell));
    };
    for (int i = 1; i < n - 1; ++i)
      for (int j = 1; j < n - 1; ++j) {
        const std::size_t c = place(i, j);
        unknown[c / 64] |= std::uint64_t(1) << (c % 64);
        lower[c] = hill(-2 + i * h, -2 + j * h);
        for (const auto& [k, l] : {std::pair(i - 1, j), std::pair(i + 1, j), std::pair(i, j - 1), std::pair(i, j + 1)})
          if (k == 0 || l == 0 || k == n - 1 || l == n - 1) b[c] -= exact(-2 + k * h, -2 + l * h);
      }
    LcpSolver<2> solver;
    solver.solve(CellSystem<2>{&blocks, unknown, {open, open}}, b, lower, u, LcpMethod::multigrid, 1e-11, 1000);
    double most = 0;
    for (int i = 1; i < n - 1; ++i)
      for (int j = 1; j < n - 1; ++j) most = std::max(most, std::abs(u[place(i, j)] - exact(-2 + i * h, -2 + j * h)));
    return most;
  };
  // Where the free boundary falls between nodes differs from grid to grid: the order is that of a line through several.
  std::vector<double> cells, errors;
  for (const int n : {17, 33, 65, 129, 257}) cells.push_back(std::log2(n - 1)), errors.push_back(-std::log2(error(n)));
  return {at_most("largest error on 65 x 65 nodes", "", std::exp2(-errors[2]), 4e-3),
          at_least("order from 17 to 257 nodes", "", slope_between(cells, errors, 0, 100), 2, 1.5)};
}

// H12. Each particle has a partner that started at its mirror image.
std::vector<Measured> mirror(const CaseInput& in) {
  const SceneRun run =
      in.scenes.run("h12_mirror", in.wrong ? std::vector<std::string>{"body.left.velocity=[2.00001, 0.5]"}
                                           : std::vector<std::string>{});
  const std::vector<Vec3d> first = places_by_id(build_world(run.scene)), now = places_by_id(run.world);
  // Sorted by height and distance from the mirror, partners stand together.
  struct Entry {
    long long y, x;
    std::size_t id;
  };
  std::vector<Entry> all;
  for (std::size_t i = 0; i < first.size(); ++i)
    all.push_back({std::llround(first[i][1] * 1e6), std::llround(std::abs(first[i][0]) * 1e6), i});
  std::sort(all.begin(), all.end(),
            [](const Entry& a, const Entry& b) { return std::tie(a.y, a.x, a.id) < std::tie(b.y, b.x, b.id); });
  double most = 0;
  for (std::size_t i = 0; i + 1 < all.size(); i += 2) {
    const Vec3d a = now[all[i].id], b = now[all[i + 1].id];
    most = std::max({most, std::abs(a[0] + b[0]), std::abs(a[1] - b[1])});
  }
  return {at_most("largest distance from the mirror image after 100 steps", "m", most, 1e-6)};
}

}  // namespace

std::span<const Case> liquid_cases() {
  static const Case cases[] = {
      {"h1-tank", "Water rests in a tank", "closed form rho g depth", "a loose tolerance of the solves", true, tank},
      {"h2-drop", "A drop falls freely", "closed form g t^2 / 2", "density predicted from the faces alone", true, drop},
      {"h3-dam", "A column of water collapses", "experiment: Martin and Moyce 1952, Tables 2 and 6", "2/3 of gravity",
       false, dam},
      {"h4-dam", "A column of water collapses, another experiment", "experiment: Koshizuka and Oka 1996",
       "two fifths of gravity", false, tall_dam},
      {"h5-slosh", "Water sloshes in a tank", "linear theory: 2 pi / sqrt(g k tanh(k depth))", "gravity of 9 m/s^2",
       false, slosh},
      {"h6-ellipse", "A drop is stretched into an ellipse", "closed form of Monaghan 1994",
       "nine tenths of the velocity", false, ellipse},
      {"h7-orifice", "A tank empties through a hole in its side", "closed form sqrt(2 g h) (Torricelli)",
       "gravity of 8.5 m/s^2", false, orifice},
      {"h9-mass-full", "Tank, dam and waves stay full for ten seconds",
       "definition: no mass comes or goes, no cell is overfilled, no pressure pulls", "the usual FLIP", false,
       mass_full},
      {"h10-pivots", "Complementarity problems with known answers", "closed forms; Murty 1978, Fathi 1979",
       "another right-hand side", true, pivots},
      {"h11-obstacle", "A membrane over a hemisphere", "closed form; set-up of PETSc's snes ex9",
       "a contact of another size", true, obstacle},
      {"h12-mirror", "Mirror images stay mirror images", "symmetry", "one drop is faster by a millionth", true, mirror},
      {"h13-flight", "A ball in uniform flight", "rest, in another frame", "density predicted from the faces alone",
       true, flight},
  };
  return cases;
}

}  // namespace knead
