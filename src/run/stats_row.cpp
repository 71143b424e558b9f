#include "run/stats_row.h"

#include "output/expect.h"
#include "run/probes.h"

#include <limits>
#include <set>

namespace knead {

namespace {

// Every column with what stands in it: one list, so that header and rows agree.
std::vector<std::pair<std::string, StatsCell>> cells(const World& w, const Ledger& l) {
  std::vector<std::pair<std::string, StatsCell>> c;
  const auto add = [&](const char* name, StatsCell value) { c.emplace_back(name, std::move(value)); };
  const auto add_vector = [&](const std::string& name, const Vec3d& v) {
    for (int a = 0; a < 3; ++a) c.emplace_back(name + "_" + "xyz"[a], v[a]);
  };
  const Tally& t = w.tally;
  add("frame", double(w.clock.frame)), add("time", w.clock.time), add("step", double(w.clock.step));
  add("steps", double(t.frame_steps)), add("retries", double(t.frame_retries));
  add("newton", double(t.frame_newton)), add("cg", double(t.frame_cg));
  add("dt_min", t.frame_min_dt), add("dt_max", t.frame_max_dt), add("bound", name_of(t.frame_bound));
  add("particles", double(w.particles.count())), add("mass", l.mass), add("volume", l.volume);
  add_vector("momentum", l.momentum), add_vector("angular_momentum", l.angular_momentum);
  add("kinetic", l.kinetic), add("elastic", l.elastic), add("gravitational", l.gravitational);
  add("dissipated", l.dissipated), add("contact_work", l.contact_work), add("body_work", l.body_work);
  add("heat", l.heat), add("heat_in", l.heat_in);
  add("total", l.kinetic + l.elastic + l.gravitational);
  add_vector("center", l.center), add_vector("min", l.min), add_vector("max", l.max);
  add("max_speed", l.max_speed), add("collapsed", double(l.collapsed));
  add("least_stretch", l.least_stretch), add("most_stretch", l.most_stretch);
  const Guarded& guarded = t.frame_guarded;
  add("turned", double(guarded.turned())), add("turned_shed", double(guarded.shed));
  add("turned_few", double(guarded.few)), add("turned_flat", double(guarded.flat));
  add("turned_inverted", double(guarded.inverted)), add("volume_clamped", double(guarded.clamped));
  add("embeddings", double(t.frame_embeddings)), add("embedding_residual", t.embedding_residual);
  const LiquidTally& liquid = t.liquid;
  add("mass_in", liquid.mass_in), add("mass_out", liquid.mass_out), add("mass_kept_out", liquid.mass_kept_out);
  add("over_density", liquid.over_density), add("over_density_rms", liquid.over_density_rms);
  add("least_pressure", liquid.least_pressure), add("liquid_volume", liquid.liquid_volume);
  add("energy_rise", liquid.frame_energy_rise);
  add("lcp_residual", liquid.frame_residual);
  add("lcp_unsolved", double(liquid.frame_unsolved));
  add("pressure_iterations", double(liquid.frame_pressure_iterations));
  add("density_iterations", double(liquid.frame_density_iterations));
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
  for (auto& [name, value] : cells({}, {})) names.push_back(name);
  for (auto& [name, value] : probe_cells(scene)) names.push_back(name);
  return names;
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
    text += (text.empty() ? "" : "\n") + (expect ? scene.expects[i].place + ": " : "") + what;
  }
  if (!text.empty()) fail(Exit::bad_input, "{}", text);
}

std::vector<StatsCell> stats_row(const Scene& scene, const World& world, const Solver& solver, const Ledger& ledger) {
  std::vector<StatsCell> row;
  for (auto& [name, value] : cells(world, ledger)) row.push_back(std::move(value));
  for (auto& [name, value] : probe_cells(scene, &world, &solver)) row.emplace_back(value);
  return row;
}

}  // namespace knead
