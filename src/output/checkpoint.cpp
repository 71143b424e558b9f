#include "output/checkpoint.h"

#include "base/fnv.h"
#include "output/columns.h"
#include "output/hdf5.h"
#include "world/sound.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace knead {

namespace {

constexpr std::int64_t newest_checkpoint = 1;

// Calls f(name, member) for everything a World keeps beside its lists. The structured bindings stop
// compiling when a member is added to or taken from one of these structs, so that none is ever forgotten here.
template <class W, class F>
void for_each_number(W& world, F&& f) {
  auto& [dimension, clock, tally, particles, batches, reactions, followed, cells, mesh, flowed, next_id] = world;
  (void)particles, (void)batches, (void)reactions, (void)followed, (void)cells, (void)mesh, (void)flowed;
  f("dimension", dimension), f("next_id", next_id);
  auto& [time, step, frame, events] = clock;
  f("time", time), f("step", step), f("frame", frame), f("events", events);
  auto& [max_speed, max_gradient, max_wave_speed, dissipated, contact_work, body_work, heat_in, cracking, transfer_loss,
         impact_loss, grid_kinetic, drift_dt, swing, embedding_residual, frame_steps, frame_retries, frame_time,
         frame_min_dt, frame_max_dt, frame_bound, frame_newton, frame_cg, frame_contact_unsolved, frame_embeddings,
         frame_guarded, liquid] = tally;
  f("max_speed", max_speed), f("max_gradient", max_gradient), f("max_wave_speed", max_wave_speed);
  f("dissipated", dissipated), f("contact_work", contact_work), f("body_work", body_work);
  f("heat_in", heat_in), f("cracking", cracking);
  f("transfer_loss", transfer_loss), f("impact_loss", impact_loss), f("grid_kinetic", grid_kinetic);
  f("drift_dt", drift_dt), f("swing", swing), f("embedding_residual", embedding_residual);
  f("frame_steps", frame_steps), f("frame_retries", frame_retries);
  f("frame_time", frame_time), f("frame_min_dt", frame_min_dt), f("frame_max_dt", frame_max_dt);
  f("frame_bound", frame_bound), f("frame_newton", frame_newton), f("frame_cg", frame_cg);
  f("frame_contact_unsolved", frame_contact_unsolved), f("frame_embeddings", frame_embeddings);
  auto& [shed, few, flat, inverted, clamped] = frame_guarded;
  f("frame_shed", shed), f("frame_few", few), f("frame_flat", flat), f("frame_inverted", inverted);
  f("frame_clamped", clamped);
  auto& [mass_in, mass_out, mass_kept_out, last_dt, over_density, over_density_rms, least_pressure, liquid_volume,
         energy, lowest, frame_energy_rise, frame_residual, frame_pressure_iterations, frame_density_iterations,
         frame_unsolved] = liquid;
  f("mass_in", mass_in), f("mass_out", mass_out), f("mass_kept_out", mass_kept_out), f("last_dt", last_dt);
  f("over_density", over_density), f("over_density_rms", over_density_rms), f("least_pressure", least_pressure);
  f("liquid_volume", liquid_volume);
  f("energy", energy), f("lowest", lowest), f("frame_energy_rise", frame_energy_rise);
  f("frame_residual", frame_residual);
  f("frame_pressure_iterations", frame_pressure_iterations);
  f("frame_density_iterations", frame_density_iterations), f("frame_unsolved", frame_unsolved);
}

// Of a struct of doubles, or of a double.
template <class Row>
inline constexpr std::size_t doubles_in = sizeof(Row) / sizeof(double);  // NOLINT(bugprone-sizeof-expression)

// A list of structs of doubles as a dataset, a row each. An empty list is not written: HDF5 has no use for one.
template <class Row>
void write_rows(hdf5::Writer& out, const std::string& path, const std::vector<Row>& rows) {
  static_assert(sizeof(Row) % sizeof(double) == 0 && std::is_trivially_copyable_v<Row>);
  out.attribute("/", path, static_cast<std::int64_t>(rows.size()));
  if (!rows.empty()) out.dataset("/" + path, hdf5::Type::f64, {rows.size(), doubles_in<Row>}, rows.data());
}

template <class Row>
void read_rows(const hdf5::Reader& in, const std::string& path, std::vector<Row>& rows) {
  const std::int64_t count = in.integer("/", path);
  rows.clear();
  if (count == 0) return;
  const hdf5::Dataset set = in.describe("/" + path);
  if (set.type != hdf5::Type::f64 || set.extents.size() != 2 || set.extents[1] != doubles_in<Row> ||
      count != static_cast<std::int64_t>(set.extents[0]))
    in.damaged(fmt::format("its {} are of an unknown shape", path));
  rows.resize(set.extents[0]);
  in.read("/" + path, set, rows.data());
  const std::span<const double> numbers(reinterpret_cast<const double*>(rows.data()), rows.size() * doubles_in<Row>);
  if (!std::all_of(numbers.begin(), numbers.end(), [](double x) { return std::isfinite(x); }))
    in.damaged(fmt::format("its {} are not all finite numbers", path));
}

// A batch as three integers.
constexpr std::size_t batch_numbers = 3;

std::vector<std::int64_t> pack_batches(const std::vector<Batch>& batches) {
  std::vector<std::int64_t> numbers;
  for (const auto& [material, begin, end] : batches) numbers.insert(numbers.end(), {material, begin, end});
  return numbers;
}

// Numbers of the clock are judged with the scene (run/start.cpp). Without a step since the last frame nothing has been
// summed over it.
std::string fault_in_numbers(const World& world) {
  const Tally& tally = world.tally;
  std::string fault;
  for_each_number(world, [&]<class T>(const std::string& name, const T& member) {
    if constexpr (std::is_enum_v<T>) {
      if (member < T{} || member > Bound::longest_step) fault = fmt::format("its '{}' is {}", name, int(member));
    } else if constexpr (std::is_integral_v<T>) {
      const bool of_clock = name == "step" || name == "frame" || name == "events";
      if (member < 0 && !of_clock) fault = fmt::format("its '{}' is {}", name, member);
    }
    if (tally.frame_steps == 0 && name.starts_with("frame_") && member != T{})
      fault = fmt::format("its '{}' is {:g}, with no step since the frame", name, double(member));
  });
  if (tally.frame_steps > std::max<std::int64_t>(world.clock.step, 0))
    fault = fmt::format("{} steps since the frame are more than the {} since the start", tally.frame_steps,
                        world.clock.step);
  return fault;
}

// Batches follow each other; `all` of the entries are in them, or some.
std::vector<Batch> read_batches(const hdf5::Reader& in, const std::string& path, std::size_t entries, bool all) {
  const hdf5::Dataset set = in.describe(path);
  if (set.type != hdf5::Type::i64 || set.extents.size() != 2 || set.extents[1] != batch_numbers)
    in.damaged("its batches are of an unknown shape");
  std::vector<std::int64_t> numbers(set.extents[0] * batch_numbers);
  in.read(path, set, numbers.data());
  std::vector<Batch> batches;
  std::int64_t at = 0;
  for (std::size_t i = 0; i < numbers.size(); i += batch_numbers) {
    batches.push_back({static_cast<std::int32_t>(numbers[i]), numbers[i + 1], numbers[i + 2]});
    if (batches.back().material != numbers[i]) in.damaged(fmt::format("a batch is of material {}", numbers[i]));
    const auto [material, begin, end] = batches.back();
    if (begin < at || (all && begin > at) || end < begin) in.damaged("its batches overlap or leave gaps");
    at = end;
  }
  if (all ? at != static_cast<std::int64_t>(entries) : at > static_cast<std::int64_t>(entries))
    in.damaged(fmt::format("its batches hold {} of {} {}", at, entries, all ? "particles" : "cells"));
  return batches;
}

void write_batches(hdf5::Writer& out, const std::string& path, const std::vector<Batch>& batches) {
  out.dataset(path, hdf5::Type::i64, {batches.size(), batch_numbers}, pack_batches(batches).data());
}

void write_all_columns(hdf5::Writer& out, const Particles& particles, int dimension, const std::string& group) {
  std::vector<const Column*> columns;
  for (const Column& c : particles.columns()) columns.push_back(&c);
  begin_columns(out, particles.count(), columns, group);
  for (const Column* c : columns) write_column(out, *c, dimension, particles.count(), c->data.data(), group);
}

const std::string mesh_cells = "/mesh_cells", mesh_edges = "/mesh_edges", mesh_batches = "/mesh_batches";

}  // namespace

std::uint64_t state_layout_id() {
  std::string text = fmt::format(
      "state {}; batch: material begin end; reaction: impulse turn; followed: id start; mesh: cells edges; cells: "
      "block pressure; strain: .H; flowed; ",
      newest_checkpoint);
  World world;
  for_each_number(world, [&](const char* name, const auto& member) {
    using T = std::remove_cvref_t<decltype(member)>;
    text += fmt::format("{}:{}{} ", name, std::is_floating_point_v<T> ? 'f' : 'i', 8 * sizeof(T));
  });
  return fnv(text);
}

void write_checkpoint(const std::filesystem::path& path, const World& world, std::uint64_t scene_hash,
                      const WrittenSums& sums) {
  WholeFile file(path);
  hdf5::Writer out(file, path);
  out.attribute("/", "format", std::string("knead-checkpoint"));
  out.attribute("/", "version", newest_checkpoint);
  out.attribute("/", "scene_hash", scene_hash);
  out.attribute("/", "stats_sum", sums.stats);
  out.attribute("/", "frames_sum", sums.frames);
  out.attribute("/", "layout_id", state_layout_id());
  for_each_number(world, [&](const char* name, const auto& member) {
    if constexpr (std::is_floating_point_v<std::remove_cvref_t<decltype(member)>>)
      out.attribute("/", name, double(member));
    else
      out.attribute("/", name, static_cast<std::int64_t>(member));
  });
  write_batches(out, "/batches", world.batches);
  write_rows(out, "reactions", world.reactions);
  write_rows(out, "followed", world.followed);
  write_rows(out, "cells", world.cells);
  write_rows(out, "flowed", world.flowed);
  write_all_columns(out, world.particles, world.dimension, particles_group);
  out.attribute("/", "meshes", static_cast<std::int64_t>(world.mesh.cells.count() > 0));
  if (world.mesh.cells.count() > 0) {
    write_all_columns(out, world.mesh.cells, world.dimension, mesh_cells);
    write_all_columns(out, world.mesh.edges, world.dimension, mesh_edges);
    write_batches(out, mesh_batches, world.mesh.batches);
  }
  out.finish();
  file.keep();
}

Checkpoint read_checkpoint(const std::filesystem::path& path) {
  const hdf5::Reader in(path);
  check_format(in, path, "knead-checkpoint", newest_checkpoint);
  const std::uint64_t layout = in.hash("/", "layout_id");
  if (layout != state_layout_id())
    fail(Exit::bad_input,
         "'{}' was written by a build with another state layout ({:016x}, this build's is {:016x}); run the scene "
         "again from the start, or resume with the program that wrote it",
         path.string(), layout, state_layout_id());
  Checkpoint checkpoint;
  checkpoint.scene_hash = in.hash("/", "scene_hash");
  checkpoint.path = path;
  const auto sum = [&](const char* name) { return in.has("/", name) ? in.hash("/", name) : 0; };
  checkpoint.sums = {sum("stats_sum"), sum("frames_sum")};
  World& world = checkpoint.world;
  for_each_number(world, [&](const char* name, auto& member) {
    using T = std::remove_reference_t<decltype(member)>;
    if constexpr (std::is_floating_point_v<T>) {
      member = in.number("/", name);
      if (!std::isfinite(member)) in.damaged(fmt::format("its '{}' is not a finite number", name));
    } else {
      const std::int64_t number = in.integer("/", name);
      member = static_cast<T>(number);
      if (static_cast<std::int64_t>(member) != number) in.damaged(fmt::format("its '{}' is {}", name, number));
    }
  });
  if (const std::string fault = fault_in_numbers(world); !fault.empty()) in.damaged(fault);
  if (world.dimension != 2 && world.dimension != 3) in.damaged(fmt::format("its dimension is {}", world.dimension));
  world.particles = read_columns(in);
  world.batches = read_batches(in, "/batches", world.particles.count(), true);
  const std::int64_t meshes = in.integer("/", "meshes");
  if (meshes != 0 && meshes != 1) in.damaged(fmt::format("its 'meshes' is {}", meshes));
  if (meshes == 1) {
    world.mesh.cells = read_columns(in, mesh_cells), world.mesh.edges = read_columns(in, mesh_edges);
    world.mesh.batches = read_batches(in, mesh_batches, world.mesh.cells.count(), false);
  }
  read_rows(in, "reactions", world.reactions);
  read_rows(in, "followed", world.followed);
  read_rows(in, "cells", world.cells);
  read_rows(in, "flowed", world.flowed);
  if (const std::string fault = fault_of(world); !fault.empty()) in.damaged(fault);
  return checkpoint;
}

void save_checkpoint(const RunFolder& folder, const World& world, std::uint64_t scene_hash, const WrittenSums& sums,
                     int keep) {
  write_checkpoint(folder.checkpoint(world.clock.frame), world, scene_hash, sums);
  folder.keep_last_checkpoints(keep);
}

std::optional<Checkpoint> latest_good_checkpoint(const RunFolder& folder,
                                                 const std::function<void(const std::string&)>& warn) {
  const std::vector<std::int64_t> numbers = folder.checkpoints();
  for (auto number = numbers.rbegin(); number != numbers.rend(); ++number) {
    try {
      return read_checkpoint(folder.checkpoint(*number));
    } catch (const Failure& failure) {
      const char* next = std::next(number) == numbers.rend() ? "" : "; trying the checkpoint before it";
      if (warn) warn(failure.what() + std::string(next));
    }
  }
  return {};
}

}  // namespace knead
