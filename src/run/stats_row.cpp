#include "run/stats_row.h"

#include "output/expect.h"
#include "run/probes.h"

#include <limits>
#include <set>

namespace knead {

namespace {

struct Cell {
  std::string name, unit;
  StatsCell value;
};

// Every column with its unit and what stands in it: one list, so that header and rows agree.
std::vector<Cell> cells(const World& w, const Ledger& l) {
  std::vector<Cell> c;
  const auto add = [&](const char* name, const char* unit, StatsCell value) {
    c.push_back({name, unit, std::move(value)});
  };
  const auto count = [&](const char* name, auto number) { add(name, "", double(number)); };
  const auto add_vector = [&](const std::string& name, const char* unit, const Vec3d& v) {
    for (int a = 0; a < 3; ++a) c.push_back({name + "_" + "xyz"[a], unit, v[a]});
  };
  const Tally& t = w.tally;
  count("frame", w.clock.frame), add("time", "s", w.clock.time), count("step", w.clock.step);
  count("steps", t.frame_steps), count("retries", t.frame_retries);
  count("newton", t.frame_newton), count("cg", t.frame_cg);
  count("contact_unsolved", t.frame_contact_unsolved);
  add("dt_min", "s", t.frame_min_dt), add("dt_max", "s", t.frame_max_dt), add("bound", "", name_of(t.frame_bound));
  count("particles", w.particles.count()), add("mass", "kg", l.mass), add("volume", "m^3", l.volume);
  add_vector("momentum", "kg m/s", l.momentum), add_vector("angular_momentum", "kg m^2/s", l.angular_momentum);
  add("kinetic", "J", l.kinetic), add("elastic", "J", l.elastic), add("gravitational", "J", l.gravitational);
  add("dissipated", "J", l.dissipated), add("contact_work", "J", l.contact_work), add("body_work", "J", l.body_work);
  add("heat", "J", l.heat), add("heat_in", "J", l.heat_in);
  add("total", "J", l.kinetic + l.elastic + l.gravitational);
  add_vector("center", "m", l.center), add_vector("min", "m", l.min), add_vector("max", "m", l.max);
  add("max_speed", "m/s", l.max_speed), count("collapsed", l.collapsed);
  add("least_stretch", "", l.least_stretch), add("most_stretch", "", l.most_stretch);
  const Guarded& guarded = t.frame_guarded;
  count("turned", guarded.turned()), count("turned_shed", guarded.shed);
  count("turned_few", guarded.few), count("turned_flat", guarded.flat);
  count("turned_inverted", guarded.inverted), count("volume_clamped", guarded.clamped);
  count("embeddings", t.frame_embeddings), add("embedding_residual", "", t.embedding_residual);
  const LiquidTally& liquid = t.liquid;
  add("mass_in", "kg", liquid.mass_in), add("mass_out", "kg", liquid.mass_out);
  add("mass_kept_out", "kg", liquid.mass_kept_out);
  add("over_density", "", liquid.over_density), add("over_density_rms", "", liquid.over_density_rms);
  add("least_pressure", "Pa", liquid.least_pressure), add("liquid_volume", "m^3", liquid.liquid_volume);
  add("energy_rise", "", liquid.frame_energy_rise);
  add("lcp_residual", "", liquid.frame_residual);
  count("lcp_unsolved", liquid.frame_unsolved);
  count("pressure_iterations", liquid.frame_pressure_iterations);
  count("density_iterations", liquid.frame_density_iterations);
  return c;
}

// Whether the mistakes of the scene leave the names of the columns as they are: those of probes come from their names
// and types, and a particle's from what it is made of.
bool knows_columns(const Scene& scene, const IsSound& sound) {
  if (scene.probes.empty()) return sound("probe");
  for (std::size_t i = 0; i < scene.probes.size(); ++i)
    if (!sound(fmt::format("probe.{}.name", i)) || !sound(fmt::format("probe.{}.type", i))) return false;
  return sound("scene.dimension") && sound("solver.method");
}

}  // namespace

std::vector<std::string> stats_columns(const Scene& scene) {
  std::vector<std::string> names;
  for (const Cell& cell : cells({}, {})) names.push_back(cell.name);
  for (const ProbeCell& cell : probe_cells(scene)) names.push_back(cell.name);
  return names;
}

std::map<std::string, std::string> stats_units(const Scene& scene) {
  std::map<std::string, std::string> units;
  for (const Cell& cell : cells({}, {})) units.emplace(cell.name, cell.unit);
  for (const ProbeCell& cell : probe_cells(scene)) units.emplace(cell.name, cell.unit);
  return units;
}

std::vector<std::pair<std::string, std::string>> wrong_measurements(const Scene& scene, const IsSound& sound) {
  if (!knows_columns(scene, sound)) return {};
  // A table of two empty rows, at the scene's start and end.
  StatsTable table;
  table.names = stats_columns(scene);
  std::vector<std::pair<std::string, std::string>> wrong;
  std::set<std::string> seen;
  for (const std::string& name : table.names)
    if (!seen.insert(name).second)
      wrong.emplace_back(
          "probe",
          fmt::format("a [[probe]] adds the column '{}', which stats.csv already has; give the probe another name",
                      name));
  table.values.assign(table.names.size(), {0.0, 0.0});
  table.words.assign(table.names.size(), {"0", "0"});
  const bool ends = sound("scene.duration") && sound("scene.fps");
  table.values[static_cast<std::size_t>(table.find("time"))][1] =
      ends ? scene.frames() / scene.scene.fps : std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < scene.expects.size(); ++i) {
    const Expect& e = scene.expects[i];
    try {
      if (!e.value.empty()) judge(e, table);  // an empty one has been told of
    } catch (const Failure& f) {
      wrong.emplace_back(fmt::format("expect.{}.value", i), fmt::format("[[expect]] '{}': {}", e.name, f.what()));
    }
  }
  return wrong;
}

void check_expectations(const Scene& scene) {
  std::string text;
  for (const auto& [path, what] : wrong_measurements(scene, [](std::string_view) { return true; })) {
    const bool expect = path.starts_with("expect.");
    const std::size_t i = expect ? static_cast<std::size_t>(std::stoul(path.substr(7))) : 0;
    text += (text.empty() ? "" : "\n") + one_line((expect ? scene.expects[i].place + ": " : "") + what);
  }
  if (!text.empty()) throw Failure(Exit::bad_input, text);
}

std::vector<StatsCell> stats_row(const Scene& scene, const World& world, const Solver& solver, const Ledger& ledger) {
  std::vector<StatsCell> row;
  for (Cell& cell : cells(world, ledger)) row.push_back(std::move(cell.value));
  for (const ProbeCell& cell : probe_cells(scene, &world, &solver)) row.emplace_back(cell.value);
  return row;
}

}  // namespace knead
