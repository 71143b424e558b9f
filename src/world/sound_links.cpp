#include "world/sound_links.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace knead {

namespace {

using Ints = std::span<const std::int32_t>;

// All numbers of a column of whole numbers; none where it is missing or of another type.
Ints whole_numbers(const Particles& entries, std::string_view name, int components = 1) {
  const Column* column = entries.find(name);
  if (!column || column->scalar != Scalar::i32 || column->components != components) return {};
  return {reinterpret_cast<const std::int32_t*>(column->data.data()), column->data.size() / sizeof(std::int32_t)};
}

// Only drains and open sides take particles away, and there are none where there are meshes.
std::string fault_of_ids(const World& world) {
  const auto count = static_cast<std::int64_t>(world.particles.count());
  const bool some_went = world.tally.liquid.mass_out > 0 && world.mesh.cells.count() == 0;
  if (some_went ? world.next_id < count : world.next_id != count)
    return fmt::format("its 'next_id' is {} with {} particles{}", world.next_id, count,
                       some_went ? "" : ", of which none has left");
  const Ints ids = whole_numbers(world.particles, "id");
  if (ids.size() != world.particles.count()) return "it has no column 'id'";
  for (const std::int32_t id : ids)
    if (id >= world.next_id) return fmt::format("it has a particle {}, the last one born is {}", id, world.next_id - 1);
  for (const Followed& followed : world.followed)
    if (!(followed.id >= 0 && followed.id < double(world.next_id)) || followed.id != std::floor(followed.id))
      return fmt::format("a probe follows particle {}, the last one born is {}", followed.id, world.next_id - 1);
  return "";
}

// Of liquids: the places of cells are whole numbers that an int holds.
std::string fault_of_cells(const World& world) {
  constexpr double most = std::numeric_limits<int>::max();
  for (const CellPressures& cell : world.cells)
    for (int a = 0; a < 3; ++a)
      if (!(std::abs(cell.block[a]) <= most) || cell.block[a] != std::floor(cell.block[a]))
        return fmt::format("the place of a block of cells is {}", cell.block[a]);
  return "";
}

// A list in ascending order, -1 behind the last, where nothing fades.
std::string fault_of_neighbours(const Particles& particles) {
  const Column *list = particles.find(".neighbours"), *fades = particles.find(".fades");
  if (!list) return "";
  const auto n = static_cast<std::int32_t>(particles.count());
  const int most = list->components;
  if (list->scalar != Scalar::i32 || !fades || fades->components != most)
    return "the neighbours of particles are of another type";
  const Ints all = whole_numbers(particles, ".neighbours", most), id = whole_numbers(particles, "id");
  for (std::size_t i = 0; i < particles.count(); ++i) {
    std::int32_t last = -1;
    for (int k = 0; k < most; ++k) {
      const std::int32_t j = all[i * static_cast<std::size_t>(most) + static_cast<std::size_t>(k)];
      const bool is_end = j == -1 && fades->value(i, k) == 0;
      if (!is_end && (j <= last || j >= n)) return fmt::format("a neighbour of particle {} is {}", id[i], j);
      last = is_end ? n : j;
    }
  }
  return "";
}

// The bodies of the particles by their ids, which are 0 … N-1.
std::vector<std::int32_t> bodies_by_id(const Particles& particles) {
  const Ints id = whole_numbers(particles, "id"), body = whole_numbers(particles, "body");
  std::vector<std::int32_t> bodies(id.size(), -1);
  for (std::size_t i = 0; i < id.size() && i < body.size(); ++i) bodies[static_cast<std::size_t>(id[i])] = body[i];
  return bodies;
}

// What entries, the cells or the edges, name: particles of their own body.
std::string fault_of_names(const Particles& entries, const char* entry, const char* column, int components,
                           std::span<const std::int32_t> bodies) {
  const Ints names = whole_numbers(entries, column, components), body = whole_numbers(entries, "body");
  if (names.empty() || body.empty()) return fmt::format("it has no '{}' or 'body' of each {}", column, entry);
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::size_t at = i / static_cast<std::size_t>(components);
    if (names[i] < 0 || static_cast<std::size_t>(names[i]) >= bodies.size())
      return fmt::format("the column '{}' of {} {} names particle {} of {}", column, entry, at, names[i],
                         bodies.size());
    if (body[at] < 0 || bodies[static_cast<std::size_t>(names[i])] != body[at])
      return fmt::format("{} {} is of body {}, its particle {} of body {}", entry, at, body[at], names[i],
                         bodies[static_cast<std::size_t>(names[i])]);
  }
  return "";
}

// Of each cell a flag whether it has failed, and the first of the particles inside it, whose ids follow each other
// within a body; -1 where its body has none.
std::string fault_inside(const Particles& cells, int corners, std::size_t particles) {
  const Ints failed = whole_numbers(cells, "failed"), inside = whole_numbers(cells, "inside"),
             body = whole_numbers(cells, "body");
  if (failed.empty() || inside.empty()) return "it has no 'failed' or 'inside' of each cell";
  for (std::size_t e = 0; e < cells.count(); ++e) {
    if (failed[e] != 0 && failed[e] != 1) return fmt::format("the column 'failed' of cell {} is {}", e, failed[e]);
    const bool first = e == 0 || body[e] != body[e - 1];
    const std::int64_t due = first ? inside[e] : inside[e - 1] < 0 ? -1 : std::int64_t(inside[e - 1]) + corners;
    if (inside[e] < -1 || inside[e] != due || inside[e] + std::int64_t(corners) > std::int64_t(particles))
      return fmt::format("the column 'inside' of cell {} is {}", e, inside[e]);
  }
  return "";
}

// Those that bear stress are whole bodies, one each.
std::string fault_of_mesh_batches(const MeshState& mesh) {
  const Ints body = whole_numbers(mesh.cells, "body");
  const auto begins = [&](std::int64_t at) {
    const auto e = static_cast<std::size_t>(at);
    return e == 0 || e == body.size() || body[e] != body[e - 1];
  };
  for (const Batch& b : mesh.batches) {
    const bool there = 0 <= b.begin && b.begin < b.end && b.end <= static_cast<std::int64_t>(body.size());
    if (!there || !begins(b.begin) || !begins(b.end) ||
        body[static_cast<std::size_t>(b.begin)] != body[static_cast<std::size_t>(b.end - 1)])
      return fmt::format("the cells {} to {} are not one body", b.begin, b.end);
  }
  return "";
}

std::string fault_of_mesh(const World& world) {
  const MeshState& mesh = world.mesh;
  if (mesh.cells.count() == 0) return "";
  const std::vector<std::int32_t> bodies = bodies_by_id(world.particles);
  const int corners = world.dimension + 1;
  std::string fault = fault_of_names(mesh.cells, "cell", "corners", corners, bodies);
  if (fault.empty()) fault = fault_of_names(mesh.edges, "edge", "ends", 2, bodies);
  if (fault.empty()) fault = fault_inside(mesh.cells, corners, bodies.size());
  if (fault.empty()) fault = fault_of_mesh_batches(mesh);
  return fault;
}

}  // namespace

std::string fault_of_links(const World& world) {
  std::string fault = fault_of_ids(world);
  if (fault.empty()) fault = fault_of_cells(world);
  if (fault.empty()) fault = fault_of_neighbours(world.particles);
  if (fault.empty()) fault = fault_of_mesh(world);
  return fault;
}

}  // namespace knead
