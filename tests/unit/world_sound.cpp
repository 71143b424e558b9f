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
  for (std::size_t i = 0; i < particles; ++i) id[i] = std::int32_t(particles - i);  // not in order
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
                  fmt::format("the column '{}' of particle {} is not a finite number", column.name, particles - i));
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
    EXPECT_EQ(fault_of(world), fmt::format("the column '{}' of particle {} is negative", name, particles - 7));
    put(*world.particles.find(name), 7, 0);
    EXPECT_EQ(fault_of(world), fmt::format("the column '{}' of particle {} is 0", name, particles - 7));
  }
  for (const std::int32_t bad : {1, -1}) {
    World world = world_of_all_columns();
    world.particles.get<std::int32_t>("id")[0] = bad;
    EXPECT_EQ(fault_of(world), "the column 'id' has a repeated or negative number");
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
