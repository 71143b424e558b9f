// Group J: heat in the methods without a grid.
#include "validate/cases.h"
#include "validate/meshless_sets.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace knead {

namespace {

constexpr double diffusivity = 1e-3;  // m^2/s, of the scenes

std::string conductivity_is(bool wrong) { return set_number("materials.solid.conductivity", wrong ? 1200 : 1000); }

// A row of values along x: the mean of those particles that stand above each other.
struct Row {
  std::vector<double> x, value;
  double at(double where) const {
    const auto after = std::min<std::size_t>(
        static_cast<std::size_t>(std::lower_bound(x.begin(), x.end(), where) - x.begin()), x.size() - 1);
    const std::size_t before = std::max<std::size_t>(after, 1) - 1;
    return value[before] + (value[before + 1] - value[before]) * (where - x[before]) / (x[before + 1] - x[before]);
  }
};

Row temperatures_along(const SceneRun& run, double from = 0) {
  const Column &x = run.particles("x"), &T = run.particles("temperature");
  std::vector<std::pair<double, double>> points;
  for (std::size_t i = 0; i < x.count(); ++i) points.emplace_back(x.value(i, 0) - from, T.value(i, 0));
  std::sort(points.begin(), points.end());
  Row row;
  int columns = 0;
  for (const auto& [place, value] : points) {
    if (row.x.empty() || place - row.x.back() > 0.5 * run.scene.solver.dx) {
      row.x.push_back(place), row.value.push_back(value), columns = 1;
    } else {
      ++columns, row.value.back() += (value - row.value.back()) / columns;
    }
  }
  return row;
}

// J1. The two particles beside the middle, whose mean it is up to the square of their distance.
std::vector<Measured> slab(const CaseInput& in) {
  constexpr double times[] = {0.05, 0.1, 0.2}, reference[] = {0.772312, 0.474487, 0.176867}, share = 0.01;
  std::vector<Measured> all;
  Drawing drawing{"j1-slab", {"A slab cools", "time", "s", "temperature of its centre", "K"}, {}};
  for (const char* method : methods) {
    const auto cool = [&](double cells) {
      return in.scenes.run("j1_slab", {method_is(method), set_number("solver.dx", 1 / cells), conductivity_is(in.wrong),
                                       set_number("body.slab.shape.size.1", 6 / cells)});
    };
    const SceneRun coarse = cool(20), fine = cool(40);
    const auto centre = [&](const SceneRun& run, double time) {
      return (run(fmt::format("at(centre_temperature, {})", time / diffusivity)) - 300) / 100;
    };
    double worst[2] = {};
    for (int k = 0; k < 3; ++k) {
      const double here = centre(fine, times[k]);
      all.push_back(relative(fmt::format("{}, centre at {} of the time of diffusion", method, times[k]), "", here,
                             reference[k], share));
      worst[0] = std::max(worst[0], std::abs(centre(coarse, times[k]) / reference[k] - 1));
      worst[1] = std::max(worst[1], std::abs(here / reference[k] - 1));
    }
    all.push_back(does_not_grow(fmt::format("{}, largest of these errors", method), worst[0], worst[1], share));
    drawing.series.push_back({method, fine.column("time"), fine.column("centre_temperature")});
  }
  Series exact{"closed form", {}, {}};
  for (int k = 0; k < 3; ++k) exact.x.push_back(times[k] / diffusivity), exact.y.push_back(300 + 100 * reference[k]);
  drawing.series.push_back(exact);
  in.drawings.push_back(drawing);
  return all;
}

// J2, at rest and moving by 0.3 spacings in each step.
std::vector<Measured> half_space(const CaseInput& in) {
  constexpr double near = 0.479500, far = 0.157299, share = 0.01, time = 10;
  std::vector<Measured> all;
  Drawing drawing{"j2-half-space", {"Heat enters a half space", "depth", "m", "temperature", "K"}, {}};
  const double scale = 2 * std::sqrt(diffusivity * time);
  for (const char* method : methods)
    for (const bool moving : {false, true}) {
      const auto warm = [&](double cells) {
        const double dx = 1 / cells, dt = 0.08 * dx * dx / diffusivity, speed = moving ? 0.3 * dx / dt : 0;
        const SceneRun run =
            in.scenes.run("j2_half_space", {method_is(method), set_number("solver.dx", dx), set_number("solver.dt", dt),
                                            conductivity_is(in.wrong), set_number("body.bar.shape.size.1", 6 * dx),
                                            fmt::format("body.bar.velocity=[{}, 0.0]", speed),
                                            fmt::format("collider.stove.motion.velocity=[{}, 0.0]", speed)});
        Row row = temperatures_along(run, speed * run("last(time)"));
        for (double& T : row.value) T = (T - 300) / 100;
        return row;
      };
      const std::string name = fmt::format("{}{}", method, moving ? " moving" : "");
      const Row coarse = warm(40), fine = warm(80);
      const auto error = [&](const Row& row) {
        return std::max(std::abs(row.at(0.5 * scale) / near - 1), std::abs(row.at(scale) / far - 1));
      };
      all.push_back(
          relative(name + ", temperature at half the depth of diffusion", "", fine.at(0.5 * scale), near, share));
      all.push_back(relative(name + ", temperature at the depth of diffusion", "", fine.at(scale), far, share));
      all.push_back(does_not_grow(name + ", larger of these errors", error(coarse), error(fine), share));
      drawing.series.push_back({name, fine.x, fine.value});
    }
  drawing.series.push_back({"erfc", {0.5 * scale, scale}, {near, far}});
  in.drawings.push_back(drawing);
  return all;
}

// J3. How far the front has come is told by the latent heat that has been taken up. It stands for 15 particles on the
// coarser lattice, 30 on the finer one; wax and stove are a solid at its melting point and a given temperature.
std::vector<Measured> stefan(const CaseInput& in) {
  struct Problem {
    double number, beta;
  };
  constexpr Problem problems[] = {{0.1, 0.220016}, {1, 0.620063}, {2, 0.800601}};
  constexpr double way = 0.6, share = 0.03;
  std::vector<Measured> all;
  Drawing drawing{"j3-stefan", {"A front of melting", "root of the time", "s^0.5", "way of the front", "m"}, {}};
  for (const Problem& problem : problems) {
    const double time = std::pow(way / (2 * problem.beta), 2) / diffusivity, latent = 1e5 / problem.number;
    const auto melt = [&](double cells) {
      return in.scenes.run("j3_stefan",
                           {set_number("solver.dx", 1 / cells), set_number("scene.duration", time),
                            set_number("scene.fps", 40 / time), set_number("body.bar.shape.size.1", 4 / cells),
                            set_number("materials.wax.latent_heat", latent * (in.wrong ? 1.2 : 1))});
    };
    const auto front = [&](const SceneRun& run) {
      const Column &taken = run.particles("latent"), &mass = run.particles("mass");
      double heat = 0, total = 0;
      for (std::size_t i = 0; i < taken.count(); ++i)
        heat += taken.value(i, 0) * mass.value(i, 0), total += mass.value(i, 0);
      return heat / (latent * (in.wrong ? 1.2 : 1) * total);
    };
    const SceneRun coarse = melt(25), fine = melt(50);
    const std::string name = fmt::format("Stefan's number {}", problem.number);
    all.push_back(relative(name + ", way of the front", "m", front(fine), way, share));
    all.push_back(relative(name + ", heat gained over heat given", "",
                           fine("(last(heat) - first(heat)) / last(heat_in)"), 1, 0.01));
    all.push_back(does_not_grow(name + ", error of the front", std::abs(front(coarse) - way),
                                std::abs(front(fine) - way), share * way));
    Series came{name, {}, fine.column("melt_mean")};
    for (const double t : fine.column("time")) came.x.push_back(std::sqrt(t));
    drawing.series.push_back(came);
    drawing.series.push_back({name + ", closed form", {0, std::sqrt(time)}, {0, way}});
  }
  in.drawings.push_back(drawing);
  return all;
}

// J4.
std::vector<Measured> insulated(const CaseInput& in) {
  std::vector<Measured> all;
  for (const double dx : {1.0 / 20, 1.0 / 30}) {
    const SceneRun run =
        in.scenes.run("j4_insulated", {set_number("solver.dx", dx), fmt::format("collider.leak.enabled={}", in.wrong)});
    const std::vector<double>&heat = run.column("heat"), &step = run.column("step");
    double most = 0;
    for (std::size_t k = 1; k < heat.size(); ++k)
      most = std::max(most, std::abs(heat[k] / heat[k - 1] - 1) / std::max(step[k] - step[k - 1], 1.0));
    const std::string name = fmt::format("h = 1/{:.0f}", 1 / dx);
    all.push_back(at_least(name + ", share of the wax that is molten at the most", "", run("max(melt_mean)"), 1, 0.2));
    all.push_back(at_most(name + ", share that is molten in the end", "", run("last(melt_mean)"), 0));
    all.push_back(at_most(name + ", largest change of heat per step", "", most, 1e-12));
    if (dx == 1.0 / 20)
      in.drawings.push_back({"j4-insulated",
                             {"Wax between a hot block and a cold one", "time", "s", "share that is molten", ""},
                             {{"wax", run.column("time"), run.column("melt_mean")}}});
  }
  return all;
}

}  // namespace

std::span<const Case> heat_cases() {
  static const Case cases[] = {
      {"j1-slab", "A slab cools through its faces", "closed form (Carslaw and Jaeger 1959)",
       "conductivity 1.2 times too large", false, slab},
      {"j2-half-space", "Heat enters a half space, at rest and moving", "closed form erfc(x / 2 sqrt(a t))",
       "conductivity 1.2 times too large", false, half_space},
      {"j3-stefan", "A front of melting moves into a solid", "closed form (Stefan; Carslaw and Jaeger 1959)",
       "latent heat 1.2 times too large", false, stefan},
      {"j4-insulated", "Wax that melts and sets between two blocks keeps all heat", "theory: energy is kept",
       "a leak of a milliwatt for each square metre and kelvin", true, insulated},
  };
  return cases;
}

}  // namespace knead
