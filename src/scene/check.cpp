#include "scene/check.h"

#include "scene/checker.h"
#include "scene/crack_width.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace knead {

namespace {

constexpr std::size_t most_materials = 1000;
constexpr double most_frames = 1e7;

std::vector<std::string> words(std::span<const char* const> names) { return {names.begin(), names.end()}; }

}  // namespace

// The name becomes that of a folder.
void Checker::check_general() {
  const General& g = scene_.scene;
  if (g.name.size() > 100)
    wrong("scene.name", fmt::format("scene.name has {} characters; at most 100 are allowed", g.name.size()));
  if (g.name.find_first_of("/\\\n\t") != std::string::npos || g.name.starts_with("."))
    wrong("scene.name",
          "scene.name must be a plain name without slashes or leading dots, because a folder is named after it");
  if (dim_ == 2 && g.up == Up::z) wrong("scene.up", "scene.up is \"z\"; 2D scenes have y up");
  if (mistakes_.sound("scene.duration") && mistakes_.sound("scene.fps") && g.duration * g.fps > most_frames)
    wrong("scene.duration",
          fmt::format("scene.duration times scene.fps makes {:.3g} frames; at most {:.0e} are allowed",
                      g.duration * g.fps, most_frames));
}

void Checker::check_domain() {
  if (!scene_.scene.domain || !mistakes_.sound("scene.domain") || !mistakes_.sound("solver.dx")) return;
  const Domain& d = *scene_.scene.domain;
  check_friction(d.contact, d.friction, "scene.domain");
  for (int k = 0; d.contact == Contact::symmetry && k < dim_; ++k) {
    check_mirror(k, d.min[k], "scene.domain");
    check_mirror(k, d.max[k], "scene.domain");
  }
  for (int k = 0; k < dim_; ++k) {
    if (!(d.min[k] < d.max[k]))
      wrong("scene.domain",
            fmt::format("scene.domain is empty along {}: min is {} m and max is {} m; min must be < max", axis_names[k],
                        d.min[k], d.max[k]));
    else if (d.max[k] - d.min[k] < 2 * scene_.solver.dx)
      wrong("scene.domain", fmt::format("scene.domain is {} m wide along {}, less than two cells (solver.dx is {} m)",
                                        d.max[k] - d.min[k], axis_names[k], scene_.solver.dx));
  }
}

void Checker::check_solver() {
  const SolverSpec& s = scene_.solver;
  if (s.dt && s.dt_max && *s.dt > *s.dt_max)
    wrong("solver.dt", fmt::format("solver.dt is {} s, above solver.dt_max, {} s", *s.dt, *s.dt_max));
  if (s.dt && mistakes_.sound("solver.dt") && mistakes_.sound("scene.fps") && *s.dt * scene_.scene.fps > 1 + 1e-9)
    odd("solver.dt", fmt::format("solver.dt is {} s, longer than a frame; steps end at frames, so they will be {:.3g} "
                                 "s; give at most that, or a smaller scene.fps",
                                 *s.dt, 1 / scene_.scene.fps));
  // Their inertia is that of quadratic and cubic weights; that of linear ones vanishes on nodes.
  if (s.kernel == Kernel::linear && is_affine(s.transfer))
    wrong("solver.kernel", fmt::format("solver.kernel is \"linear\", which solver.transfer \"{}\" does not support; "
                                       "use transfer = \"flip\" (or \"pic\"), or a quadratic or cubic kernel",
                                       enum_names(s.transfer)[static_cast<std::size_t>(s.transfer)]));
  const MethodTraits& method = s.traits();
  const bool has_steps =
      s.is_explicit() || (s.integrator == Integrator::implicit ? method.implicit : method.semi_implicit);
  if (method.bonds && !has_steps)
    wrong("solver.integrator", fmt::format("solver.integrator is \"{}\"; of the methods without a grid only "
                                           "solver.method = \"mls\" has implicit steps; use \"explicit\"",
                                           enum_names(s.integrator)[static_cast<std::size_t>(s.integrator)]));
  const auto needs = [&](bool given, const char* key, bool there, const std::string& methods) {
    if (given && !there && mistakes_.sound("solver.method"))
      odd(key, fmt::format("{} has no effect with solver.method = \"{}\"; it is for {}", key, method.name, methods));
  };
  needs(s.meshless.self_contact, "solver.meshless.self_contact", method.self_contact,
        methods_with(&MethodTraits::self_contact));
  needs(s.meshless.stabilizer > 0 && s.meshless.stabilizer != MeshlessSpec{}.stabilizer, "solver.meshless.stabilizer",
        method.stabilizer || !method.bonds,
        methods_with(&MethodTraits::stabilizer) + ": composed matter remembers no shape in which to hold neighbours");
  needs(s.meshless.elastic_force == ElasticForce::cosine, "solver.meshless.elastic_force", method.elastic_forces,
        methods_with(&MethodTraits::elastic_forces));
  const SolverSpec usual;
  const std::string transferring = methods_with(&MethodTraits::transfers);
  needs(s.transfer != usual.transfer, "solver.transfer", method.transfers, transferring);
  needs(s.kernel != usual.kernel, "solver.kernel", method.transfers, transferring);
  needs(s.cfl != usual.cfl, "solver.cfl", method.transfers,
        transferring + (method.inflow ? "; use solver.liquid.cfl" : "; solver.dt_max limits the step"));
  needs(s.liquid.is_given(), "solver.liquid.flow", method.inflow, methods_with(&MethodTraits::inflow));
  needs(s.elastic_cfl.has_value(), "solver.elastic_cfl", method.transfers,
        transferring + "; solver.dt_max limits the step");
  if (s.meshless.basis == Basis::quadratic && (!method.quadratic_basis || !s.is_explicit()))
    wrong("solver.meshless.basis",
          "solver.meshless.basis is \"quadratic\", which only explicit steps of solver.method = \"mls\" support; leave "
          "it out, or use these");
}

void Checker::check_materials() {
  if (scene_.materials.empty() && mistakes_.sound("materials"))
    wrong("materials", "there is no material; add one under [materials.NAME]");
  if (scene_.materials.size() > most_materials)
    wrong("materials", fmt::format("{} materials; at most {} are allowed", scene_.materials.size(), most_materials),
          Exit::resources);
  for (std::size_t i = 0; i < scene_.materials.size(); ++i) {
    const std::string& name = scene_.materials[i].name;
    if (name.empty() || name.size() > 100 || name.find_first_of("\n\t") != std::string::npos)
      wrong("materials." + name, "a material's name must be 1 to 100 characters on one line");
    material_index_[name] = static_cast<int>(i);
    if (mistakes_.sound("solver.method") && mistakes_.sound("materials." + name)) check_law(scene_.materials[i]);
    if (mistakes_.sound("solver.dx") && mistakes_.sound("materials." + name)) {
      check_crack(scene_.materials[i]);
      check_crack_length(scene_.materials[i]);
    }
  }
  std::set<std::string> used;
  for (const Body& b : scene_.bodies) used.insert(b.material);
  for (const Event& e : scene_.events) used.insert(e.material);
  for (const Source& s : scene_.sources) used.insert(s.material);
  for (const MaterialEntry& m : scene_.materials)
    if (!used.contains(m.name)) odd("materials." + m.name, fmt::format("material '{}' is not used", m.name));
}

// Not every law works with every method.
void Checker::check_law(const MaterialEntry& entry) {
  const MethodTraits& method = scene_.solver.traits();
  const std::string path = "materials." + entry.name, key = path + ".model";
  if (!method.deformation) return;  // see check_liquid.cpp
  visit(entry.material, [&]<class Law>(const Law&) {
    if (Law::needs_rest_shape && !method.rest_shape_laws)
      wrong(key,
            fmt::format("{} is \"{}\", which needs solver.method = \"mls\"; use \"yield-flow\" or \"von-mises\" with "
                        "solver.method = \"{}\"",
                        key, Law::name, method.name));
    else if (!is_meshless_law<Law> && !method.any_law)
      wrong(key, fmt::format("{} is \"{}\", which needs solver.method = \"mpm\"", key, Law::name));
  });
}

// A phase field that falls from 1 to 1/e within less than two cells is not resolved.
void Checker::check_crack_length(const MaterialEntry& entry) {
  const std::string path = "materials." + entry.name;
  visit(entry.material, [&]<class Law>(const Law& law) {
    if constexpr (std::is_same_v<typename Law::Flow, PhaseFieldFlow>)
      if (const double l = law.flow.crack_length; l < 2 * scene_.solver.dx)
        odd(path + ".crack_length",
            fmt::format("{}.crack_length is {} m, less than two cells of solver.dx = {} m: cracks will cost more than "
                        "fracture_energy; make it larger, or solver.dx at most {:.3g} m",
                        path, l, scene_.solver.dx, l / 2));
  });
}

// Matter that breaks gives back the energy it holds; in a large cell that is more than the crack is to cost, and
// fracture_energy loses its meaning (docs/materials.md).
void Checker::check_crack(const MaterialEntry& entry) {
  const std::string path = "materials." + entry.name;
  visit(entry.material, [&]<class Law>(const Law& law) {
    if constexpr (requires { law.flow.softening.fracture_energy; }) {
      if (!law.flow.softening.fracture_energy) return;
      double strength = 0;
      if constexpr (requires { law.flow.tensile_strength; }) strength = law.flow.tensile_strength;
      if constexpr (requires { law.flow.yield_stress; })
        strength = std::max(strength, uniaxial_strain_share * law.flow.yield_stress);
      const double width =
          scene_.solver.traits().grid == Grid::nodes ? crack_width(scene_.solver.degree(), 1) : 1;  // of dx
      const double most = 4 * law.elastic.mu() * *law.flow.softening.fracture_energy / (strength * strength) / width;
      if (scene_.solver.dx > most)
        odd(path + ".fracture_energy",
            fmt::format("{}.fracture_energy is {} J/m^2, less than the elastic energy in the width of a crack at "
                        "failure with solver.dx = {} m: cracks will cost more than specified; make solver.dx at most "
                        "{:.3g} m ({:.3g} mu G_f/tau_C^2), or the strength smaller",
                        path, *law.flow.softening.fracture_energy, scene_.solver.dx, most, 4 / width));
    }
  });
}

// Temperatures need a method that conducts, matter that does, and colliders that say how well they touch.
void Checker::check_heat() {
  const MethodTraits& method = scene_.solver.traits();
  const bool sound = mistakes_.sound("solver.method");
  const auto needs_meshless = [&](const std::string& path) {
    if (sound && !method.heat && method.deformation)
      wrong(path,
            fmt::format(
                "{} is given; solver.method = \"{}\" does not compute heat; leave it out, or use solver.method = {}",
                path, method.name, methods_with(&MethodTraits::heat, " or ")));
  };
  for (std::size_t i = 0; i < scene_.bodies.size(); ++i)
    if (scene_.bodies[i].temperature) needs_meshless(fmt::format("body.{}.temperature", i));
  for (std::size_t i = 0; i < scene_.colliders.size(); ++i) {
    const Collider& c = scene_.colliders[i];
    const std::string path = fmt::format("collider.{}", i);
    if (c.temperature) needs_meshless(path + ".temperature");
    if (c.temperature.has_value() != c.heat_exchange.has_value())
      wrong(path + (c.temperature ? ".temperature" : ".heat_exchange"),
            fmt::format("{} ('{}') has {}; to heat or cool matter it needs both", path, c.name,
                        c.temperature ? "a temperature and no heat_exchange" : "heat_exchange and no temperature"));
  }
  for (const MaterialEntry& m : scene_.materials) {
    const std::string path = "materials." + m.name;
    if (!mistakes_.sound(path)) continue;
    if (scene_.has_heat() && scene_.solver.traits().heat && !heat_of(m.material).conductivity)
      wrong(path, fmt::format("{} has no conductivity, and the scene has temperatures; give it one in W/(m K), such as "
                              "0.2 for plastic, or 0",
                              path));
    if (melting_temperature_of(m.material) && !scene_.has_heat())
      wrong(path + ".melting_temperature",
            fmt::format("{}.melting_temperature is given and nothing has a temperature; give a [[body]] one", path));
  }
}

void Checker::check_output() {
  const Output& o = scene_.output;
  const std::vector<std::string> known = words(output_formats());
  for (std::size_t i = 0; i < o.formats.size(); ++i)
    if (std::find(known.begin(), known.end(), o.formats[i]) == known.end())
      wrong(fmt::format("output.formats.{}", i),
            fmt::format("output.formats.{} is \"{}\"; it must be one of {}{}", i, o.formats[i], listed(known),
                        did_you_mean(o.formats[i], known)));
  if (!mistakes_.sound("materials")) return;
  const std::vector<std::string> columns = column_names(scene_);
  for (std::size_t i = 0; i < o.columns.size(); ++i)
    if (std::find(columns.begin(), columns.end(), o.columns[i]) == columns.end())
      wrong(fmt::format("output.columns.{}", i),
            fmt::format("output.columns.{} is \"{:.60}\", which is not a column of this scene; it has {}{}", i,
                        o.columns[i], listed(columns), did_you_mean(o.columns[i], columns)));
}

void Checker::check_camera() {
  const Camera& c = scene_.camera;
  const std::vector<std::string> known = words(camera_colormaps());
  if (std::find(known.begin(), known.end(), c.colormap) == known.end())
    wrong("camera.colormap", fmt::format("camera.colormap is \"{}\"; it must be one of {}{}", c.colormap, listed(known),
                                         did_you_mean(c.colormap, known)));
  if (mistakes_.sound("materials")) check_quantity("camera.color", c.color, {"body", "material", "plain"});
  if (c.low && c.high && !(*c.low < *c.high))
    wrong("camera.low", fmt::format("camera.low is {} and camera.high is {}; low must be < high", *c.low, *c.high));
  if (c.position && c.target && *c.position == *c.target)
    wrong("camera.target", "camera.target is camera.position; the camera must look somewhere else");
}

void Checker::check_expects() {
  for (std::size_t i = 0; i < scene_.expects.size(); ++i) {
    Expect& e = scene_.expects[i];
    const std::string path = fmt::format("expect.{}", i);
    e.place = mistakes_.where(place_at(root_, path + ".value"));
    if (!e.min && !e.max) wrong(path, fmt::format("{} has neither min nor max; give at least one", path));
    if (e.min && e.max && *e.min > *e.max)
      wrong(path + ".min", fmt::format("{}.min is {}, above {}.max, {}", path, *e.min, path, *e.max));
    if (e.value.empty()) wrong(path + ".value", fmt::format("{}.value is empty", path));
  }
}

void check_scene(Scene& scene, const Node& root, Mistakes& mistakes) {
  Checker(scene, root, mistakes).run();
  check_liquid(scene, root, mistakes);
  check_control(scene, root, mistakes);
}

}  // namespace knead
