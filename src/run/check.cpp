#include "run/check.h"

#include "base/elementary.h"
#include "base/system.h"
#include "liquid/opening.h"
#include "run/disk_estimate.h"
#include "run/progress.h"
#include "run/simulation.h"
#include "run/stats_row.h"
#include "run/warnings.h"
#include "scene/presence.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>

namespace knead {

namespace {

// Particles that sources have brought by a time; drains and open sides are not looked at.
double come_by(const Scene& scene, double time) {
  double count = 0;
  for (const Source& s : scene.sources) {
    const int dimension = scene.scene.dimension;
    const double spacing = scene.solver.dx / std::round(elementary::pow(scene.particles_per_cell(s), 1.0 / dimension));
    const std::size_t points = opening(s, spacing, dimension).size();
    const double stop = points ? stop_of(s, points, spacing, dimension) : 0;
    if (stop > s.start) count += double(points) * double(rows_by(time, s, stop, spacing));
  }
  return count;
}

// Frame files that a run writes: the first, every so many, and the last.
int frame_files(const Scene& scene) { return (scene.frames() + scene.output.every - 1) / scene.output.every + 1; }

// What later events do to the step: parameters and materials of bodies change, and with them the elastic wave; and
// gravity, on which the steps of liquids and melts depend.
struct StepCount {
  double steps = 0;
  double least_dt = std::numeric_limits<double>::max();  // s
  std::string after;                                     // the event that makes it so
};

// As it would start under another gravity.
std::unique_ptr<Simulation> start_under(const Vec3d& gravity, Scene scene) {
  scene.scene.gravity = gravity;
  for (Event& e : scene.events) e.gravity.reset();
  return std::make_unique<Simulation>(std::move(scene));
}

StepCount count_steps(const Scene& scene, const Solver& solver, World& world) {
  std::vector<Material> materials;
  for (const MaterialEntry& m : scene.materials) materials.push_back(m.material);
  std::vector<int> of_body;
  for (const Body& b : scene.bodies) of_body.push_back(b.material_index);
  const auto wave = [&] {
    double fastest = 0;
    for (int m : of_body) fastest = std::max(fastest, wave_speed_of(materials[static_cast<std::size_t>(m)]));
    return fastest;
  };
  std::vector<std::size_t> order(scene.events.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return scene.events[a].time < scene.events[b].time; });

  const Tally tally = world.tally;
  const double at_start = wave(), end = scene.frames() / scene.scene.fps;
  StepCount count;
  const bool feels_gravity = scene.solver.traits().inflow || scene.can_melt();
  std::unique_ptr<Simulation> other;  // under the gravity of an event
  const auto pass = [&](double time, const std::string& after) {
    world.tally.max_wave_speed = at_start > 0 ? tally.max_wave_speed * wave() / at_start : 0;
    const TimeStep step = (other ? *other->solver : solver).max_dt(world);
    const double dt = std::min(step.dt, 1 / scene.scene.fps);  // a step ends on each frame
    count.steps += std::max(0.0, time) / dt;
    if (dt < count.least_dt * (1 - 1e-9)) count.least_dt = dt, count.after = after;
  };
  double now = 0;
  std::string after;
  for (std::size_t i : order) {
    const Event& event = scene.events[i];
    if (event.time >= end) break;
    pass(event.time - now, after);
    now = event.time;
    if (event.gravity && feels_gravity) other = start_under(*event.gravity, scene);
    if (event.changed) materials[static_cast<std::size_t>(event.material_index)] = *event.changed;
    if (event.body_index >= 0 && event.material_index >= 0)
      of_body[static_cast<std::size_t>(event.body_index)] = event.material_index;
    const auto place = scene.places.find(fmt::format("event.{}", i));
    after = fmt::format("the event at {:.4g} s{}", event.time,
                        place == scene.places.end() ? "" : " (" + place->second + ")");
  }
  pass(end - now, after);
  count.steps = std::ceil(count.steps - 1e-9);
  world.tally = tally;
  return count;
}

// Sand, liquids and pastes, which flow far from where they started.
bool flows_far(const Material& material) {
  return visit(material, []<class Law>(const Law&) {
    using Flow = typename Law::Flow;
    return std::is_same_v<Flow, SandFlow> || std::is_same_v<Flow, FluidFlow> || std::is_same_v<Flow, ViscoplasticFlow>;
  });
}

// Bodies of such matter that start on a lattice, of methods that move it through a grid.
std::vector<std::string> flowing_lattices(const Scene& scene) {
  std::vector<std::string> names;
  if (!scene.solver.traits().transfers) return names;
  for (const Body& b : scene.bodies)
    if (scene.sampling(b) == Sampling::lattice &&
        flows_far(scene.materials[static_cast<std::size_t>(b.material_index)].material))
      names.push_back(b.name);
  return names;
}

// Not wrong, but seldom what a new user expects.
std::vector<std::string> notes_on(const Scene& scene, const CheckReport& r) {
  std::vector<std::string> notes;
  const Vec3d gravity = scene.gravity_at(scene.frames() / scene.scene.fps);
  if (length(gravity) > 0 && scene.scene.body_force.is_zero() && scene.grips.empty() &&
      !can_land(scene, normalized(gravity)))
    notes.push_back(
        "nothing stops matter from falling forever; give scene.domain, a [[collider]] below it, or gravity = 0 along "
        "every axis");
  const auto other_material = [&](const Body& b) { return b.material_index != scene.bodies[0].material_index; };
  if (scene.solver.traits().one_velocity_field && std::any_of(scene.bodies.begin(), scene.bodies.end(), other_material))
    notes.push_back(
        "bodies stick together where they touch: solver.method = \"mpm\" has one velocity field for all of them");
  if (const std::vector<std::string> names = flowing_lattices(scene); !names.empty())
    notes.push_back(fmt::format(
        "{} {}: {} on a lattice, whose rows stay visible where matter flows; sampling = "
        "\"jittered\" looks smoother",
        names.size() == 1 ? "body" : "bodies", fmt::join(names, ", "), names.size() == 1 ? "it starts" : "they start"));
  if (scene.solver.is_explicit() && scene.solver.traits().implicit && scene.solver.traits().grid == Grid::nodes &&
      r.bound == name_of(Bound::elastic_wave) && r.steps > 1e5)
    notes.push_back(
        fmt::format("{:.2g} steps, because an elastic wave may cross only part of a cell per step; if the motion is "
                    "slow, solver.integrator = \"implicit\" may be much cheaper (docs/implicit.md)",
                    r.steps));
  return notes;
}

std::vector<std::string> disk_warnings(const Scene& scene, const CheckReport& r) {
  if (r.disk_free <= 0 || r.disk < r.disk_free) return {};
  return {
      fmt::format("{}the run would write about {}, and {} are free on this disk; write fewer frames "
                  "(output.every), columns (output.columns) or formats, or give --out on another disk",
                  scene.at_place("output"), bytes_text(r.disk), bytes_text(r.disk_free))};
}

}  // namespace

CheckReport check_scene(const Scene& scene, std::chrono::steady_clock::time_point given_at) {
  using Watch = std::chrono::steady_clock;
  check_expectations(scene);
  Simulation simulation(scene);
  const double start_up = std::chrono::duration<double>(Watch::now() - given_at).count();
  World& world = simulation.world;
  CheckReport r;
  r.warnings = simulation.warnings;
  r.particles = static_cast<std::int64_t>(world.particles.count());
  const TimeStep first = simulation.max_dt();
  r.dt = first.dt;
  r.bound = name_of(first.bound);
  r.wave_speed = world.tally.max_wave_speed;
  for (std::string& w : step_warnings(simulation)) r.warnings.push_back(std::move(w));
  const StepCount count = count_steps(scene, *simulation.solver, world);
  r.steps = count.steps, r.least_dt = count.least_dt, r.stiffest = count.after;

  // A few real steps tell the grid's size and the speed of this machine.
  double seconds = 0;
  int steps = 0;
  for (; steps < 8 && seconds < 2; ++steps) {
    const auto start = Watch::now();
    if (!simulation.solver->step(world, std::min(simulation.max_dt().dt, 1 / scene.scene.fps)).ok()) break;
    const double took = std::chrono::duration<double>(Watch::now() - start).count();
    seconds += steps == 0 ? 0 : took;  // the first one allocates
  }
  // Liquid from sources comes at a steady rate, or nearly so.
  const double end = scene.frames() / scene.scene.fps, start = double(r.particles),
               now = double(world.particles.count());
  r.coming = come_by(scene, end);
  const double mean = start + come_by(scene, end / 2), most = start + r.coming;
  r.cells = static_cast<std::int64_t>(simulation.solver->grid_blocks()) * 64;
  const double stepping = steps > 1 && now > 0 ? r.steps * seconds / (steps - 1) * std::max(1.0, mean / now) : 0;
  // Checkpoints are files much like those of frames.
  const double files = frame_files(scene) + double(scene.frames()) / scene.output.checkpoint_every;
  r.seconds = start_up + stepping + files * frame_seconds(scene, world, mean);
  double entry = 0;  // bytes a particle
  for (const Column& c : world.particles.columns()) entry += double(c.stride());
  r.memory = entry * most + double(simulation.solver->scratch_bytes()) * (now > 0 ? std::max(1.0, most / now) : 1);
  r.disk = frame_bytes(scene, world, mean) * frame_files(scene) +
           entry * most * std::min(scene.output.keep_checkpoints, scene.frames() + 1);
  r.film = film_bytes(scene, frame_files(scene));
  std::error_code unknown;
  const std::filesystem::space_info space = std::filesystem::space(".", unknown);
  if (!unknown) r.disk_free = double(space.available);
  for (std::string& w : disk_warnings(scene, r)) r.warnings.push_back(std::move(w));
  r.notes = notes_on(scene, r);
  r.notes.insert(r.notes.end(), simulation.notes.begin(), simulation.notes.end());
  return r;
}

namespace {

// Two digits of what is only an estimate.
double rough(double seconds) { return std::strtod(fmt::format("{:.2g}", seconds).c_str(), nullptr); }

}  // namespace

std::string to_text(const Scene& scene, const CheckReport& r) {
  std::string t = fmt::format("{}: {}D, {} {}, {} {}\n", scene.scene.name, scene.scene.dimension, scene.bodies.size(),
                              scene.bodies.size() == 1 ? "body" : "bodies", scene.colliders.size(),
                              scene.colliders.size() == 1 ? "collider" : "colliders");
  const auto line = [&](const char* name, const std::string& value) {
    t += fmt::format("  {:<14} {}\n", name, one_line(value));
  };
  line("particles", r.coming > 0
                        ? fmt::format("{} at the start, and {} from sources until the end", r.particles, r.coming)
                        : fmt::format("{}", r.particles));
  if (scene.solver.traits().grid == Grid::none)
    line("spacing", fmt::format("dx = {:.4g} m; there is no grid", scene.solver.dx));
  else
    line("grid", fmt::format("{} nodes at the start, dx = {:.4g} m", r.cells, scene.solver.dx));
  line("memory", bytes_text(r.memory));
  const std::string formats =
      scene.output.formats.empty() ? "" : fmt::format(" ({})", fmt::join(scene.output.formats, ", "));
  line("disk", fmt::format("{} for {} frames{} and the last {} checkpoints; {} are free here", bytes_text(r.disk),
                           frame_files(scene), formats, scene.output.keep_checkpoints, bytes_text(r.disk_free)));
  line("film", fmt::format("about {} more with --film, {} by {} pixels", bytes_text(r.film), scene.camera.width,
                           scene.camera.height));
  if (r.wave_speed > 0) line("wave speed", fmt::format("{:.4g} m/s", r.wave_speed));
  line("first step", fmt::format("{:.4g} s, set by: {}", r.dt, r.bound));
  if (!r.stiffest.empty()) line("smallest step", fmt::format("{:.4g} s, after {}", r.least_dt, r.stiffest));
  line("steps", !std::isfinite(r.steps) ? "infinitely many"
                : r.steps < 1e9         ? fmt::format("about {:.0f}", r.steps)
                                        : fmt::format("about {:.3g}", r.steps));
  const std::string time = duration_text(rough(r.seconds));
  line("time", fmt::format("{}{} on this machine", time.starts_with("more") ? "" : "about ", time));
  return t;
}

std::string to_json(const CheckReport& r) {
  // JSON has no infinity, and no words for what is not a number.
  const auto number = [](double value, int digits = 17) {
    return std::isfinite(value) ? fmt::format("{:.{}g}", value, digits) : std::string("null");
  };
  return fmt::format(
      "{{\"particles\": {}, \"from_sources\": {:.0f}, \"cells\": {}, \"memory\": {:.0f}, \"disk\": {:.0f}, "
      "\"film\": {:.0f}, \"disk_free\": {:.0f}, "
      "\"wave_speed\": {}, \"dt\": {}, "
      "\"bound\": \"{}\", \"least_dt\": {}, \"steps\": {}, "
      "\"seconds\": {}, \"warnings\": {}}}\n",
      r.particles, r.coming, r.cells, r.memory, r.disk, r.film, r.disk_free, number(r.wave_speed), number(r.dt),
      r.bound, number(r.least_dt), number(r.steps), number(r.seconds, 2), r.warnings.size());
}

}  // namespace knead
