#include "run/bench.h"

#include "base/elementary.h"
#include "base/parallel.h"
#include "base/system.h"
#include "levels/make_solver.h"
#include "mpm/reference.h"
#include "mpm/solver.h"
#include "run/simulation.h"
#include "scene/read.h"

#include <fmt/ranges.h>

#include <chrono>
#include <ctime>
#include <map>
#include <random>
#include <thread>

namespace knead {

namespace {

struct BenchCase {
  const char* group;  // what `knead bench` calls them together
  const char* name;
  int dimension;
  const char* solver;    // lines of [solver]
  const char* material;  // lines of [materials.m]
  bool usual;            // measured when no case is named
  int a_cell;            // particles a cell, along an axis; 0: the body is a mesh
  long particles;        // when no number is given
};

constexpr const char* jelly = "model = \"fixed-corotated\"\nyoung = 1e5\npoisson = 0.3\ndensity = 1000\n";
constexpr const char* metal = "model = \"von-mises\"\nyoung = 1e5\npoisson = 0.3\ndensity = 1000\nyield_stress = 5e3\n";
constexpr const char* mls = "method = \"mpm\"\ntransfer = \"mls\"\n";
constexpr const char* putty = "model = \"yield-flow\"\nyoung = 2e5\nyield_stress = 5e3\nflow_rate = 20\n";
constexpr const char* skin = "model = \"strain-yield\"\nyoung = 5e5\nvolume_stiffness = 5e5\n";
constexpr const char* composed = "method = \"composed\"\nmeshless = { viscosity = 20, support = 2 }\n";
constexpr const char* composed_wide = "method = \"composed\"\nmeshless = { viscosity = 20, support = 3 }\n";
constexpr const char* embedded = "method = \"embedded\"\nmeshless = { viscosity = 2 }\n";
constexpr const char* rest_shape = "method = \"mls\"\n";
constexpr const char* liquid = "method = \"liquid\"\n";
constexpr const char* water = "model = \"fluid\"\n";
constexpr const char* grid = "method = \"mpm\"\n";
constexpr const char* brittle =
    "model = \"rankine\"\nyoung = 1e5\npoisson = 0.3\ndensity = 1000\ntensile_strength = 1e4\nfracture_energy = 500\n";

const BenchCase all_cases[] = {
    {"mpm", "jelly3d", 3, mls, jelly, true, 2, 1000000},
    {"mpm", "metal3d", 3, mls, metal, true, 2, 1000000},
    {"mpm", "sand3d", 3, mls, "model = \"sand\"\n", true, 2, 1000000},
    {"mpm", "snow3d", 3, mls, "model = \"snow\"\n", true, 2, 1000000},
    {"mpm", "water3d", 3, mls, "model = \"fluid\"\nsound_speed = 30\n", true, 2, 1000000},
    {"mpm", "jelly2d", 2, mls, jelly, true, 2, 1000000},
    {"mpm", "sand2d", 2, mls, "model = \"sand\"\n", true, 2, 1000000},
    {"mpm", "snow2d", 2, mls, "model = \"snow\"\n", true, 2, 1000000},
    {"mpm", "jelly3d-apic", 3, "method = \"mpm\"\ntransfer = \"apic\"\n", jelly, false, 2, 1000000},
    {"mpm", "jelly3d-flip", 3, "method = \"mpm\"\ntransfer = \"flip\"\n", jelly, false, 2, 1000000},
    {"mpm", "jelly3d-cubic", 3, "method = \"mpm\"\ntransfer = \"mls\"\nkernel = \"cubic\"\n", jelly, false, 2, 1000000},
    {"mpm", "jelly3d-double", 3, "method = \"mpm\"\ntransfer = \"mls\"\nprecision = \"double\"\n", jelly, false, 2,
     1000000},
    {"meshless", "composed3d", 3, composed, putty, true, 1, 24000},
    {"meshless", "embedded3d", 3, embedded, putty, true, 1, 8000},
    {"meshless", "mls3d", 3, rest_shape, skin, true, 1, 400},
    {"meshless", "mls3d-implicit", 3, "method = \"mls\"\nintegrator = \"implicit\"\ndt_max = 0.01\n", skin, true, 1,
     400},
    {"meshless", "composed3d-wide", 3, composed_wide, putty, false, 1, 24000},  // the default neighbourhood
    {"meshless", "composed2d", 2, composed, putty, false, 1, 24000},
    {"meshless", "embedded2d", 2, embedded, putty, false, 1, 8000},
    {"meshless", "mls2d", 2, rest_shape, skin, false, 1, 400},
    {"liquid", "dam3d", 3, liquid, water, true, 2, 1056768},
    {"liquid", "dam3d-27", 3, liquid, water, true, 3, 1056768},
    {"liquid", "dam3d-mprgp", 3, "method = \"liquid\"\nliquid = { solver = \"mprgp\" }\n", water, false, 2, 1056768},
    {"liquid", "dam3d-incompressible", 3, "method = \"liquid\"\nliquid = { pressure = \"incompressible\" }\n", water,
     false, 2, 1056768},
    {"liquid", "dam3d-apic", 3, "method = \"liquid\"\nliquid = { transfer = \"apic\" }\n", water, false, 2, 1056768},
    {"liquid", "dam2d", 2, liquid, water, false, 3, 100000},
    {"fracture", "pull3d", 3, grid, brittle, true, 2, 60000},
    {"fracture", "pull3d-mesh", 3, grid, brittle, true, 0, 60000},
    {"fracture", "pull3d-8k", 3, grid, brittle, true, 2, 8000},
    {"fracture", "pull3d-mesh-8k", 3, grid, brittle, true, 0, 8000},
};

std::vector<const BenchCase*> cases_of(const std::string& group) {
  std::vector<const BenchCase*> cases;
  for (const BenchCase& c : all_cases)
    if (c.group == group) cases.push_back(&c);
  if (cases.empty())
    fail(Exit::usage,
         "no benchmark of '{}'; there are mpm, meshless, liquid, fracture, lcp and scene files (SCENE.toml)", group);
  return cases;
}

const BenchCase* case_named(const std::string& name, const std::vector<const BenchCase*>& cases) {
  std::vector<std::string> names;
  for (const BenchCase* c : cases) {
    if (c->name == name) return c;
    names.emplace_back(c->name);
  }
  fail(Exit::usage, "no benchmark '{}'; there are {}", name, fmt::join(names, ", "));
}

// A column of about n particles of water that collapses in a tank, a quarter of which it fills: 43 x 48 x 64 cells of
// 128 x 64 x 64 with a million particles, 8 a cell.
Scene dam_of(const BenchCase& c, double n) {
  const double cells = n / elementary::power(double(c.a_cell), c.dimension);
  const double across =
      std::max(4.0, std::round(elementary::pow(
                        cells / (43.0 * 48.0 * (c.dimension == 3 ? 64.0 : 1.0)) * elementary::power(64.0, c.dimension),
                        1.0 / c.dimension)));
  const double dx = 1 / across, wide = std::round(43.0 / 64 * across) * dx, high = std::round(0.75 * across) * dx;
  const std::string text = fmt::format(
      "format = 1\n[scene]\nname = \"bench\"\ndimension = {}\ndomain = {{ min = [0, 0, 0], max = [2, 1, 1] }}\n"
      "[solver]\ndx = {}\n{}[materials.m]\n{}"
      "[[body]]\nname = \"dam\"\nmaterial = \"m\"\nsampling = \"lattice\"\nparticles_per_cell = {}\n"
      "shape = {{ type = \"box\", center = [{}, {}, 0.5], size = [{}, {}, 1] }}\n",
      c.dimension, dx, c.solver, c.material, elementary::power(double(c.a_cell), c.dimension), wide / 2, high / 2, wide,
      high);
  return read_scene_text(text, "bench", ".");
}

// A cube of about n particles, its ends held, that is pulled to the side and upwards (Wang 2020, Fig. 3.6). A mesh has
// about 40 particles a cell: two corners and four particles in each of ten tetrahedra.
Scene pulled_of(const BenchCase& c, double n) {
  const double cells =
      std::max(5.0, c.a_cell > 0 ? std::round(elementary::cbrt(n) / c.a_cell) : elementary::cbrt(n / 40));
  const double dx = 1 / cells, held = 2.01 * dx;
  const std::string text = fmt::format(
      "format = 1\n[scene]\nname = \"bench\"\ngravity = [0, 0, 0]\n[solver]\ndx = {}\n{}[materials.m]\n{}"
      "[[body]]\nname = \"cube\"\nmaterial = \"m\"\ncells = \"{}\"\nparticles_per_cell = 8\n"
      "shape = {{ type = \"box\", size = [1, 1, 1] }}\n"
      "[[grip]]\nname = \"bottom\"\nshape = {{ type = \"box\", center = [0, {}, 0], size = [2, 1, 2] }}\n"
      "[[grip]]\nname = \"top\"\nshape = {{ type = \"box\", center = [0, {}, 0], size = [2, 1, 2] }}\n"
      "motion = {{ velocity = [1, 1, 0] }}\n",
      dx, c.solver, c.material, c.a_cell > 0 ? "none" : "stuffed", -1 + held, 1 - held);
  return read_scene_text(text, "bench", ".");
}

// A cube of about n particles one cell above the floor, thrown at it with 5 m/s: jittered, 2^d a cell, or a lattice of
// one a cell for the methods without a grid.
Scene scene_of(const BenchCase& c, double n) {
  if (std::string_view(c.group) == "liquid") return dam_of(c, n);
  if (std::string_view(c.group) == "fracture") return pulled_of(c, n);
  const double cells = std::max(1.0, std::round(elementary::pow(n, 1.0 / c.dimension) / c.a_cell)), dx = 1 / cells;
  const std::string text = fmt::format(
      "format = 1\n[scene]\nname = \"bench\"\ndimension = {}\n[solver]\ndx = {}\n{}"
      "[materials.m]\n{}"
      "[[body]]\nname = \"cube\"\nmaterial = \"m\"\nvelocity = [0, -5, 0]\nsampling = \"{}\"\n"
      "shape = {{ type = \"box\", center = [0, {}, 0], size = [1, 1, 1] }}\n"
      "[[collider]]\nname = \"floor\"\nfriction = 0.5\nshape = {{ type = \"plane\" }}\n",
      c.dimension, dx, c.solver, c.material, c.a_cell == 1 ? "lattice" : "jittered", 0.5 + dx);
  return read_scene_text(text, "bench", ".");
}

double wall_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double median(std::vector<double> v) {
  std::sort(v.begin(), v.end());
  return v.size() % 2 ? v[v.size() / 2] : (v[v.size() / 2 - 1] + v[v.size() / 2]) / 2;
}

// ns per particle and step of the textbook's step, jelly in one thread: the yardstick of this machine at this moment.
// Its particles are fewer and in order, so that they and its dense grid stay in the cache.
template <int D>
double reference_ns() {
  constexpr int side = D == 2 ? 128 : 24;
  ReferenceScene<D> scene{};
  scene.dx = 2.0f / side, scene.dt = 1e-4f, scene.cells = side / 2 + 8;
  scene.volume = elementary::power(scene.dx / 2, D), scene.mass = 1000 * scene.volume;
  scene.mu = 1e5f / 2.6f, scene.lambda = 1e5f * 0.3f / (1.3f * 0.4f);
  scene.gravity[1] = -9.81f;
  std::mt19937 random(1);
  std::uniform_real_distribution<float> jitter(-0.45f, 0.45f);
  std::size_t nodes = 1, count = 1;
  for (int a = 0; a < D; ++a) nodes *= static_cast<std::size_t>(scene.cells), count *= side;
  scene.grid.resize(nodes);
  for (std::size_t i = 0; i < count; ++i) {
    ReferenceParticle<D> p{};
    std::size_t rest = i;
    for (int a = D - 1; a >= 0; --a, rest /= side)
      p.x[a] = (float(rest % side) + 0.5f + jitter(random)) * (scene.dx / 2) + 4 * scene.dx;
    p.v[1] = -5;
    p.F = Mat<float, D>::identity();
    for (float& e : p.F.e) e += 0.1f * jitter(random);  // as strained as in an impact
    scene.particles.push_back(p);
  }
  std::vector<double> ns;
  for (int repeat = 0; repeat < 7; ++repeat) {
    const double start = cpu_seconds();
    run_reference_step(scene);
    ns.push_back((cpu_seconds() - start) / double(count) * 1e9);
  }
  return median(ns);
}

// Several runs of a scene, each from the same start.
BenchResult measure(const std::string& name, const Scene& scene, const BenchOptions& options, int threads) {
  constexpr int warm_up = 6;  // steps in which all memory is found
  const ThreadLimit limit(threads);
  Simulation simulation(scene);
  World& world = simulation.world;
  Solver* const solver = simulation.solver.get();
  const World start = world;
  const auto run_steps = [&](int steps) {
    for (int i = 0; i < steps; ++i)
      if (const StepResult r = solver->step(world, simulation.max_dt().dt); !r.ok())
        fail(Exit::numerical, "{}: {}", name, r.problem->what);
  };
  BenchResult m;
  m.name = name, m.particles = world.particles.count(), m.threads = threads;
  m.steps = options.steps.value_or(64), m.runs = options.runs.value_or(5);
  const double scale = 1e9 / (double(m.particles) * m.steps);
  std::vector<double> wall, cpu;
  std::map<std::string, std::vector<double>> stages;
  std::vector<std::string> order;
  for (int run = 0; run < m.runs; ++run) {
    world = start;
    solver->prepare(world);
    run_steps(warm_up);
    solver->profile.reset();
    const double wall_start = wall_seconds(), cpu_start = cpu_seconds();
    run_steps(m.steps);
    wall.push_back((wall_seconds() - wall_start) * scale);
    cpu.push_back((cpu_seconds() - cpu_start) * scale);
    for (const Profile::Stage& s : solver->profile.stages()) {
      if (run == 0) order.emplace_back(s.name);
      stages[s.name].push_back(s.seconds * scale);
    }
  }
  m.ns = median(wall), m.cpu_ns = median(cpu);
  for (const std::string& stage : order) m.stages.emplace_back(stage, median(stages[stage]));
  m.reference_ns = scene.scene.dimension == 2 ? reference_ns<2>() : reference_ns<3>();
  m.grid_bytes = double(solver->grid_blocks()) * 64 * 4 * (scene.solver.precision == Precision::f64 ? 8 : 4);
  double bytes = double(solver->scratch_bytes()) - m.grid_bytes;
  for (const Column& column : world.particles.columns()) bytes += double(column.data.size());
  m.bytes_a_particle = bytes / double(m.particles);
  return m;
}

}  // namespace

void run_bench(const BenchOptions& options, const std::function<void(const BenchResult&)>& done) {
  struct Chosen {
    std::string name;
    Scene scene;
  };
  std::vector<Chosen> chosen;
  if (options.method.ends_with(".toml")) {
    if (!options.cases.empty() || options.particles)
      fail(Exit::usage, "--case and --particles are not for a scene file; use --set to change its values");
    chosen.push_back({std::filesystem::path(options.method).stem(), read_scene(options.method, options.sets)});
  } else {
    if (!options.sets.empty()) fail(Exit::usage, "--set is for a scene file, as in knead bench SCENE.toml");
    const std::vector<const BenchCase*> there = cases_of(options.method);
    const auto add = [&](const BenchCase& c) {
      chosen.push_back({c.name, scene_of(c, double(options.particles.value_or(c.particles)))});
    };
    for (const std::string& name : options.cases) add(*case_named(name, there));
    if (options.cases.empty())
      for (const BenchCase* c : there)
        if (c->usual) add(*c);
  }
  for (const Chosen& c : chosen) {
    // Without a wish: on one thread, and the first case on all of them too.
    std::vector<int> threads{options.threads.value_or(1)};
    const int cores = static_cast<int>(std::thread::hardware_concurrency());
    if (!options.threads && cores > 1 && &c == &chosen.front()) threads.push_back(cores);
    for (int n : threads) done(measure(c.name, c.scene, options, n));
  }
}

}  // namespace knead
