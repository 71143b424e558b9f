// Group D: matter that breaks, in particles and in meshes.
#include "base/error.h"
#include "run/simulation.h"
#include "validate/cases.h"
#include "world/build.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>

namespace knead {

namespace {

constexpr double across = 0.1;                // m, the bars' cross-section
constexpr double strength = 1e4, rho = 1000;  // Pa, kg/m^3

// The bodies of a bar as particles or as meshes.
struct Kind {
  const char* name;
  bool mesh;
};
constexpr Kind kinds[] = {{"particles", false}, {"mesh", true}};

std::vector<std::string> bar_of(const Kind& kind, double dx) {
  std::vector<std::string> sets{set_number("solver.dx", dx)};
  if (!kind.mesh) return sets;
  for (const char* body : {"bar", "left", "right"}) sets.push_back(fmt::format("body.{}.cells=\"stuffed\"", body));
  // It bears a strain of 1 %, and its halves part by a fraction of the length of a cell.
  sets.emplace_back("body.bar.crack_stretch=1.05");
  return sets;
}

std::string on_grid(const Kind& kind, double dx) { return fmt::format("{}, dx = {:.3g} mm", kind.name, 1e3 * dx); }

// The length of bar whose matter is broken at the end, where it was at the start.
double broken_length(const SceneRun& run) {
  const std::vector<Vec3d> first = places_by_id(build_world(run.scene));
  const Column &damage = run.particles("damage"), &id = run.particles("id");
  double low = std::numeric_limits<double>::max(), high = -low;
  for (std::size_t i = 0; i < damage.count(); ++i) {
    if (damage.value(i) < 1) continue;
    const double x = first[static_cast<std::size_t>(id.value(i))][0];
    low = std::min(low, x), high = std::max(high, x);
  }
  return high - low;
}

// D1. The force that decides where the bar parts adds 1.3 % to the stress in the middle, which counts as error here.
std::vector<Measured> tensile_strength(const CaseInput& in) {
  std::vector<Measured> all;
  Drawing drawing{"d1-strength", {"A bar is pulled", "time", "s", "stress", "Pa"}, {}};
  for (const Kind& kind : kinds) {
    double least = std::numeric_limits<double>::max(), most = 0;
    for (const double dx : {0.05, 0.025, 0.0125}) {
      std::vector<std::string> sets = bar_of(kind, dx);
      if (in.wrong) sets.push_back("materials.brittle.tensile_strength=1.1e4");
      const SceneRun run = in.scenes.run("d1_bar", sets);
      Series curve{on_grid(kind, dx), run.column("time"), {}};
      for (const double force : run.column("pull_force_x")) curve.y.push_back(-force / across);
      const auto peak = static_cast<std::size_t>(std::max_element(curve.y.begin(), curve.y.end()) - curve.y.begin());
      all.push_back(relative(curve.name + ": largest stress", "Pa", curve.y[peak], strength, 0.03));
      const double strain =
          (run.column("far_ux")[peak] - run.column("near_ux")[peak]) / run("first(far_x) - first(near_x)");
      all.push_back(relative(curve.name + ": strain under it", "", strain, strength / young, 0.03));
      all.push_back(within(curve.name + ": pieces at the end", "", run("last(bar_main)"), 2, 0));
      all.push_back(at_most(curve.name + ": length that is broken, over dx", "", broken_length(run) / dx, 3));
      least = std::min(least, curve.y[peak]), most = std::max(most, curve.y[peak]);
      drawing.series.push_back(std::move(curve));
    }
    all.push_back(at_most(fmt::format("{}: spread of the largest stress over three grids", kind.name), "",
                          (most - least) / strength, 0.05));
  }
  in.drawings.push_back(std::move(drawing));
  return all;
}

// D2. What a crack costs on three grids. The wrong input is a model without a length: the softening that is right on
// the coarsest of them, on all.
std::vector<Measured> crack_energy(const CaseInput& in) {
  constexpr double energy = 12, coarsest = 0.025;
  const double softening = 1.75 * coarsest * strength * strength / (2 * energy);
  std::vector<Measured> all;
  for (const Kind& kind : kinds)
    for (const double dx : {coarsest, coarsest / 2, coarsest / 4}) {
      std::vector<std::string> sets = bar_of(kind, dx);
      if (in.wrong)
        sets.push_back(
            fmt::format("materials.brittle={{ model = \"rankine\", density = {}, young = {}, poisson = 0, "
                        "tensile_strength = {}, softening = {}, debris = \"compressive\" }}",
                        rho, young, strength, softening));
      const SceneRun run = in.scenes.run("d2_bar", sets);
      all.push_back(relative(on_grid(kind, dx) + ": dissipated over the cross-section", "J/m^2",
                             run("last(dissipated)") / across, energy, 0.1));
      all.push_back(within(on_grid(kind, dx) + ": pieces at the end", "", run("last(bar_main)"), 2, 0));
    }
  return all;
}

// D3. The load at which the crack runs, once it is two millimetres longer, since a longer one needs less. At the crack
// an arm bears the moment M with M^2 = G_c E* I. By beam theory that is P (a + 0.67 h), 9.661 N a metre; arms that turn
// by 29 degrees have a shorter lever, and the elastica, EI theta' = P (x_end - x) along the same length, gives 10.357
// N.
std::vector<Measured> cantilevers(const CaseInput& in) {
  constexpr double crack = 0.05, elastica = 10.357;  // m; N/m
  std::vector<std::string> sets;
  if (in.wrong) sets.push_back("materials.glue.fracture_energy=6");
  Simulation simulation(in.scenes.read("d3_beam", sets));
  const Scene& scene = simulation.scene();
  const World& world = simulation.world;
  double tip = 0, mean = 0;
  while (simulation.time() < scene.scene.duration && tip < crack + 0.002) {
    simulation.step_towards(scene.scene.duration);
    const Column &x = *world.particles.find("x"), &damage = *world.particles.find("damage");
    double sum = 0;
    int count = 0;
    for (std::size_t i = 0; i < x.count(); ++i)
      if (damage.value(i) >= 1) tip = std::max(tip, x.value(i, 0)), sum += x.value(i, 1), ++count;
    mean = count > 0 ? sum / count : 0;
  }
  // As the scene has it.
  const double load = 11.5 * (1 - std::cos(std::numbers::pi * world.clock.time / 0.25)) / 2;
  return {relative("load a metre of width at which the crack runs", "N/m", load, elastica, 0.08),
          at_most("distance of the crack from the middle, in cells", "", std::abs(mean) / scene.solver.dx, 1)};
}

// D4. As long as all of a bar is damaged alike, its stress at the strain e is E e / (1 + E e^2 l / G_c)^2.
std::vector<Measured> phase_field_strength(const CaseInput& in) {
  constexpr double energy = 3, width = 1, section = 0.2;  // J/m^2, m, m
  const double largest = 9. / 16 * std::sqrt(young * energy / (3 * width)),
               under_it = std::sqrt(energy / (3 * width * young));
  std::vector<Measured> all;
  Drawing drawing{"d4-strength", {"A bar is damaged evenly", "strain", "", "stress", "Pa"}, {}};
  for (const double dx : {0.05, 0.025}) {
    std::vector<std::string> sets{set_number("solver.dx", dx)};
    if (in.wrong) sets.push_back("materials.brittle.fracture_energy=3.3");
    const SceneRun run = in.scenes.run("d4_bar", sets);
    Series curve{fmt::format("dx = {:.3g} mm", 1e3 * dx), {}, {}};
    const double length = run("first(far_x) - first(near_x)");
    const std::vector<double>&far = run.column("far_ux"), &near = run.column("near_ux"),
          &force = run.column("pull_force_x");
    for (std::size_t i = 0; i < force.size(); ++i)
      curve.x.push_back((far[i] - near[i]) / length), curve.y.push_back(-force[i] / section);
    const auto peak = static_cast<std::size_t>(std::max_element(curve.y.begin(), curve.y.end()) - curve.y.begin());
    all.push_back(relative(curve.name + ": largest stress", "Pa", curve.y[peak], largest, 0.01));
    all.push_back(relative(curve.name + ": strain under it", "", curve.x[peak], under_it, 0.01));
    drawing.series.push_back(std::move(curve));
  }
  in.drawings.push_back(std::move(drawing));
  return all;
}

// D4. One column of particles is broken, and the field around it found on three grids: it falls as exp(-distance / l),
// and costs G_c. Splines round its tip, which costs the more the larger the cells are. The wrong input is another
// length.
std::vector<Measured> crack_profile(const CaseInput& in) {
  constexpr double energy = 3, width = 0.1;  // J/m^2, m
  std::vector<Measured> all;
  Drawing drawing{"d4-profile", {"The field around a crack", "distance", "m", "damage", ""}, {}};
  for (const double cells : {3, 4, 8}) {
    const double dx = width / cells;
    const Scene scene = in.scenes.read(
        "d4_bar", {set_number("solver.dx", dx), "scene.duration=1e-9",
                   in.wrong ? "materials.brittle.crack_length=0.13" : "materials.brittle.crack_length=0.1"});
    Simulation simulation(scene);
    World& world = simulation.world;
    const auto x = world.particles.get<Vec<double, 2>>("x");
    const auto held = world.particles.get<double>("tensile_energy");
    // The columns of particles, from left to right.
    std::map<double, double> columns;  // place, damage
    const auto column = [](double at) { return std::round(at * 1e6) * 1e-6; };
    for (const Vec<double, 2>& at : x)
      if (std::abs(at[0]) < 0.5) columns[column(at[0])] = 0;
    const double crack = columns.lower_bound(0)->first;
    for (std::size_t i = 0; i < x.size(); ++i)
      if (column(x[i][0]) == crack) held[i] = 1e4 * energy / width;
    world.tally.cracking = 1;  // so that the field is solved for
    if (const StepResult r = simulation.solver->step(world, 1e-9); !r.ok())
      fail(Exit::numerical, "{}", r.problem->what);
    const Column &place = *world.particles.find("x"), &damage = *world.particles.find("damage");
    for (std::size_t i = 0; i < place.count(); ++i)
      if (const auto c = columns.find(column(place.value(i, 0))); c != columns.end()) c->second = damage.value(i);
    double cost = 0;
    Series curve{fmt::format("l = {} dx", cells), {}, {}};
    for (auto c = columns.begin(); c != columns.end(); ++c) {
      const auto& [at, d] = *c;
      cost += energy * square(d) / (2 * width) * dx / 2;
      if (const auto next = std::next(c); next != columns.end())
        cost += energy * width / 2 * square(next->second - d) / (next->first - at);
      curve.x.push_back(at - crack), curve.y.push_back(d);
    }
    const auto &near = *columns.lower_bound(crack + width), &far = *columns.lower_bound(crack + 2 * width);
    all.push_back(relative(curve.name + ": length over which the field falls", "m",
                           (far.first - near.first) / std::log(near.second / far.second), width, 0.03));
    all.push_back(
        relative(curve.name + ": energy of the field over the cross-section", "J/m^2", cost, energy, 0.2 / cells));
    drawing.series.push_back(std::move(curve));
  }
  in.drawings.push_back(std::move(drawing));
  return all;
}

// D5. The tip is the broken matter that is farthest to the right; its speed is that over ten cells. Rayleigh's speed is
// 0.9262 of that of shear waves where Poisson's ratio is 0.3.
std::vector<Measured> tear(const CaseInput& in) {
  constexpr double start = 0.15, end = 0.9;  // m: away from the ends of the strip
  const double shear_speed = std::sqrt(young / (2 * 1.3) / rho), rayleigh = 0.9262 * shear_speed;
  std::vector<Measured> all;
  Drawing drawing{"d5-tear", {"A tear runs through a strip", "time", "s", "tip", "m"}, {}};
  for (const double dx : {0.01, 0.005}) {
    std::vector<std::string> sets{set_number("solver.dx", dx)};
    if (in.wrong)
      for (const char* material : {"strip", "seed", "rest"})
        sets.push_back(fmt::format("materials.{}.density=250", material));
    Simulation simulation(in.scenes.read("d5_strip", sets));
    const Scene& scene = simulation.scene();
    const World& world = simulation.world;
    Series path{fmt::format("dx = {:.0f} mm", 1e3 * dx), {}, {}};
    double tip = 0;
    while (world.clock.time < scene.scene.duration && tip < end) {
      simulation.step_towards(scene.scene.duration);
      const Column &x = *world.particles.find("x"), &damage = *world.particles.find("damage");
      for (std::size_t i = 0; i < x.count(); ++i)
        if (damage.value(i) >= 1) tip = std::max(tip, x.value(i, 0));
      path.x.push_back(world.clock.time), path.y.push_back(tip);
    }
    double fastest = 0;
    for (std::size_t i = 0, j = 0; j < path.x.size(); ++j) {
      while (path.y[j] - path.y[i + 1] >= 10 * dx) ++i;
      if (path.y[i] >= start && path.y[j] - path.y[i] >= 10 * dx)
        fastest = std::max(fastest, (path.y[j] - path.y[i]) / (path.x[j] - path.x[i]));
    }
    all.push_back({path.name + ": largest speed of the tip", "m/s", fastest, rayleigh, 0.05 * rayleigh, Side::at_most});
    all.push_back(at_least(path.name + ": where the tip has come to", "m", tip, 1, end));
    drawing.series.push_back(std::move(path));
  }
  in.drawings.push_back(std::move(drawing));
  return all;
}

// D6. The wrong input is a bar that does not break.
std::vector<Measured> halves(const CaseInput& in) {
  std::vector<Measured> all;
  for (const Kind& kind : kinds) {
    std::vector<std::string> sets = bar_of(kind, 0.025);
    if (in.wrong) sets.push_back("materials.brittle.tensile_strength=1e6");
    const SceneRun run = in.scenes.run("d6_halves", sets);
    const double force = strength * across;
    const std::string name = kind.name;
    all.push_back(at_least(name + ": pull before it parts, over its strength", "",
                           run("max((time < 0.4) * -pull_force_x)") / force, 1, 0.8));
    all.push_back(at_least(name + ": push between the halves, over its strength", "",
                           run("at(pull_force_x, 1.05)") / force, 0.1, 0.02));
    all.push_back(at_most(name + ": pull when they are taken apart, over its strength", "",
                          run("max((time > 1.1) * -pull_force_x)") / force, 0.05));
    all.push_back(at_most(name + ": mass gained or lost", "", run("drift(mass) / first(mass)"), 1e-12));
    all.push_back(within(name + ": particles gained or lost", "", run("drift(particles)"), 0, 0));
  }
  return all;
}

// M17.
std::vector<Measured> stretched(const CaseInput& in) {
  std::vector<std::string> sets;
  if (in.wrong)
    sets.push_back(
        "materials.elastic={ model = \"rankine\", density = 1000, young = 1e5, poisson = 0.3, tensile_strength = 1e4, "
        "softening = 1e5, debris = \"compressive\" }");
  const SceneRun mesh = in.scenes.run("m17_square", sets);
  const SceneRun particles = in.scenes.run("m17_square", {"body.square.cells=\"none\""});
  return {
      within("mesh: pieces at four times the length", "", mesh("last(square_pieces)"), 1, 0),
      within("mesh: length over that at rest", "", mesh("last(max_x) - last(min_x)"), 4, 0.02),
      at_least("particles, one per cell: pieces at four times the length", "", particles("last(square_pieces)"), 2, 2)};
}

}  // namespace

std::span<const Case> fracture_cases() {
  static const Case cases[] = {
      {"d1-strength", "A bar parts at its strength, once, on any grid", "closed form: 10 kPa at a strain of 0.01",
       "strength 1.1 times too large", false, tensile_strength},
      {"d2-energy", "A crack costs the same on any grid", "closed form: the fracture energy times the cross-section",
       "softening at a given rate, a model without a length", false, crack_energy},
      {"d3-beam", "A double cantilever beam parts along its glue",
       "elastica with the root correction of 0.67 h: 10.36 N/m; set-up of Nairn's DCBFracture",
       "0.6 of the fracture energy", false, cantilevers},
      {"d4-strength", "A bar that a phase field damages evenly",
       "closed form of AT2: 9/16 sqrt(E G_c / (3 l)) at a strain of sqrt(G_c / (3 l E))", "1.1 of the fracture energy",
       true, phase_field_strength},
      {"d4-profile", "The phase field around a crack", "closed form of AT2: exp(-distance / l), at a cost of G_c",
       "1.3 of the length", true, crack_profile},
      {"d5-tear", "A tear through a strained strip",
       "theory: no faster than Rayleigh's waves, 0.9262 of the shear speed", "a quarter of the density", false, tear},
      {"d6-halves", "What has parted does not heal", "definition: no pull between the halves, mass is kept",
       "a bar that does not break", true, halves},
      {"m17-stretch", "A mesh stays whole at four times its length", "Wang 2020, Fig. 3.17", "matter that breaks", true,
       stretched},
  };
  return cases;
}

}  // namespace knead
