// What no matter can be is found in whatever column it stands.
#include "world/sound.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

namespace knead {
namespace {

constexpr std::size_t particles = 100'000;  // more than one chunk of the search

// New columns are not filled.
void clear(Particles& p) {
  for (Column& column : p.columns()) std::memset(column.data.data(), 0, column.data.size());
}

// Puts a number into the last place of a particle's entry.
void put(Column& column, std::size_t i, double value) {
  const auto last = (i + 1) * column.stride();
  if (column.scalar == Scalar::f32) {
    const auto single = float(value);
    std::memcpy(column.data.data() + last - sizeof single, &single, sizeof single);
  } else {
    std::memcpy(column.data.data() + last - sizeof value, &value, sizeof value);
  }
}

World world_of_all_columns() {
  World world;
  Particles& p = world.particles;
  p.resize(particles);
  p.add<std::int32_t>("id");
  p.add<std::int32_t>("body");
  p.add<Vec3d>("x", "m");
  p.add<Vec3f>("v", "m/s");
  p.add<Mat3f>("F");
  for (const char* name : {"mass", "volume", "J_p", "temperature"}) p.add<float>(name);
  p.add("tau", Scalar::f64, 6, "Pa");
  clear(p);
  for (const char* name : {"mass", "volume"})
    for (std::size_t i = 0; i < particles; ++i) put(*p.find(name), i, 1);
  const auto id = p.get<std::int32_t>("id");
  for (std::size_t i = 0; i < particles; ++i) id[i] = std::int32_t(particles - 1 - i);  // not in order
  world.next_id = particles;
  return world;
}

TEST(Sound, a_number_that_is_not_finite_is_found_in_any_column) {
  World world = world_of_all_columns();
  EXPECT_EQ(fault_of(world), "");
  for (Column& column : world.particles.columns()) {
    if (column.scalar == Scalar::i32) continue;
    for (const double bad : {std::nan(""), -std::nan(""), std::numeric_limits<double>::infinity(),
                             -std::numeric_limits<double>::infinity()})
      for (const std::size_t i : {std::size_t(0), particles / 2, particles - 1}) {
        put(column, i, bad);
        EXPECT_EQ(fault_of(world),
                  fmt::format("the column '{}' of particle {} is not a finite number", column.name, particles - 1 - i));
        put(column, i, column.name == "mass" || column.name == "volume" ? 1 : 0);
      }
  }
}

TEST(Sound, numbers_at_the_ends_of_their_range_are_sound) {
  World world = world_of_all_columns();
  put(*world.particles.find("J_p"), 3, std::numeric_limits<float>::max());
  put(*world.particles.find("tau"), 3, std::numeric_limits<double>::lowest());
  put(*world.particles.find("x"), 3, std::numeric_limits<double>::denorm_min());
  EXPECT_EQ(fault_of(world), "");
}

TEST(Sound, negative_masses_and_repeated_ids_are_found) {
  for (const char* name : {"mass", "volume"}) {
    World world = world_of_all_columns();
    put(*world.particles.find(name), 7, -1e-30);
    EXPECT_EQ(fault_of(world), fmt::format("the column '{}' of particle {} is negative", name, particles - 8));
    put(*world.particles.find(name), 7, 0);
    EXPECT_EQ(fault_of(world), fmt::format("the column '{}' of particle {} is 0", name, particles - 8));
  }
  for (const std::int32_t bad : {1, -1}) {
    World world = world_of_all_columns();
    world.particles.get<std::int32_t>("id")[0] = bad;
    EXPECT_EQ(fault_of(world), "the column 'id' has a repeated or negative number");
  }
}

TEST(Sound, ids_are_those_that_have_been_given) {
  World world = world_of_all_columns();
  world.particles.get<std::int32_t>("id")[0] = 1 << 30;
  EXPECT_EQ(fault_of(world), "it has a particle 1073741824, the last one born is 99999");
  world = world_of_all_columns();
  for (const std::int64_t next : {std::int64_t(-1), std::int64_t(1) << 30}) {
    world.next_id = next;
    EXPECT_EQ(fault_of(world), fmt::format("its 'next_id' is {} with 100000 particles, of which none has left", next));
  }
  world.tally.liquid.mass_out = 1;
  EXPECT_EQ(fault_of(world), "");
  world.followed = {{1e6, {}}};
  EXPECT_EQ(fault_of(world), "");  // it has left
  world.followed[0].id = 0.5;
  EXPECT_EQ(fault_of(world), "a probe follows particle 0.5, the last one born is 1073741823");
}

// Two triangles with particles inside, of a body each.
World world_of_two_meshes() {
  World world;
  world.dimension = 2;
  Particles &p = world.particles, &cells = world.mesh.cells, &edges = world.mesh.edges;
  p.resize(12), cells.resize(2), edges.resize(2);
  const auto id = p.add<std::int32_t>("id"), body = p.add<std::int32_t>("body");
  for (int i = 0; i < 12; ++i)
    id[static_cast<std::size_t>(i)] = (i + 5) % 12, body[static_cast<std::size_t>(i)] = (i + 5) % 12 / 6;
  const auto corners = cells.add<Vec<std::int32_t, 3>>("corners");
  const auto inside = cells.add<std::int32_t>("inside"), of_cell = cells.add<std::int32_t>("body");
  cells.add<std::int32_t>("failed");
  const auto ends = edges.add<Vec<std::int32_t, 2>>("ends");
  const auto of_edge = edges.add<std::int32_t>("body");
  clear(cells), clear(edges);
  for (const int b : {0, 1}) {
    const auto k = static_cast<std::size_t>(b);
    corners[k] = {6 * b, 6 * b + 1, 6 * b + 2}, inside[k] = 6 * b + 3, of_cell[k] = of_edge[k] = b;
    ends[k] = {6 * b, 6 * b + 1};
  }
  world.mesh.batches = {{0, 1, 2}};
  world.next_id = 12;
  return world;
}

TEST(Sound, cells_and_edges_name_particles_that_are_there) {
  const auto fault = [](auto&& change) {
    World world = world_of_two_meshes();
    change(world, world.mesh);
    return fault_of(world);
  };
  EXPECT_EQ(fault([](World&, MeshState&) {}), "");
  const auto set = [](Particles& entries, const char* column, std::int32_t value) {
    std::memcpy(entries.find(column)->data.data(), &value, sizeof value);
  };
  const auto of_cells = [&](const char* column, std::int32_t value) {
    return fault([&](World&, MeshState& mesh) { set(mesh.cells, column, value); });
  };
  const auto of_edges = [&](const char* column, std::int32_t value) {
    return fault([&](World&, MeshState& mesh) { set(mesh.edges, column, value); });
  };
  EXPECT_EQ(of_cells("corners", 12), "the column 'corners' of cell 0 names particle 12 of 12");
  EXPECT_EQ(of_cells("corners", 7), "cell 0 is of body 0, its particle 7 of body 1");
  EXPECT_EQ(of_cells("body", -1), "cell 0 is of body -1, its particle 0 of body 0");
  EXPECT_EQ(of_cells("inside", -2), "the column 'inside' of cell 0 is -2");
  EXPECT_EQ(of_cells("inside", 10), "the column 'inside' of cell 0 is 10");
  EXPECT_EQ(of_cells("inside", -1), "");  // a body without
  EXPECT_EQ(of_cells("failed", 2), "the column 'failed' of cell 0 is 2");
  EXPECT_EQ(of_edges("ends", -1), "the column 'ends' of edge 0 names particle -1 of 12");
  EXPECT_EQ(of_edges("body", 1), "edge 0 is of body 1, its particle 0 of body 0");
  EXPECT_EQ(fault([](World&, MeshState& mesh) { mesh.batches[0].begin = 0; }), "the cells 0 to 2 are not one body");
  EXPECT_EQ(fault([](World&, MeshState& mesh) { mesh.batches[0].end = 3; }), "the cells 1 to 3 are not one body");
}

TEST(Sound, neighbours_are_a_list_of_particles) {
  World world;
  world.particles.resize(4), world.next_id = 4;
  const auto id = world.particles.add<std::int32_t>("id");
  const auto list = world.particles.add<Vec<std::int32_t, 3>>(".neighbours");
  const auto fades = world.particles.add<Vec<float, 3>>(".fades");
  for (std::size_t i = 0; i < 4; ++i) id[i] = std::int32_t(i), list[i] = {0, 2, -1}, fades[i] = {1, 1, 0};
  EXPECT_EQ(fault_of(world), "");
  for (const Vec<std::int32_t, 3> wrong : {Vec<std::int32_t, 3>{0, 4, -1}, {2, 0, -1}, {0, 2, 1}, {0, -1, -1}}) {
    list[3] = wrong;
    EXPECT_TRUE(fault_of(world).starts_with("a neighbour of particle 3 is ")) << wrong[0] << wrong[1] << wrong[2];
  }
}

TEST(Sound, cells_and_edges_are_judged_too) {
  World cells, edges;
  cells.mesh.cells.resize(3), edges.mesh.edges.resize(3);
  cells.mesh.cells.add<float>("strain"), edges.mesh.edges.add<double>("stretch");
  clear(cells.mesh.cells), clear(edges.mesh.edges);
  cells.mesh.cells.get<float>("strain")[2] = std::numeric_limits<float>::quiet_NaN();
  edges.mesh.edges.get<double>("stretch")[1] = std::numeric_limits<double>::infinity();
  EXPECT_EQ(fault_of(cells), "the column 'strain' of cell 2 is not a finite number");
  EXPECT_EQ(fault_of(edges), "the column 'stretch' of edge 1 is not a finite number");
}

}  // namespace
}  // namespace knead
