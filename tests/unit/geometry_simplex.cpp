// Meshes of triangles and tetrahedra: measures of cells known in closed form, and changes in place.
#include "geometry/simplex_edges.h"
#include "geometry/simplex_edit.h"
#include "geometry/simplex_measure.h"

#include "data/simplices.h"

#include <gtest/gtest.h>

namespace knead {
namespace {

using testing_meshes::expect_sound;

// Six tetrahedra around the diagonal of a unit cube.
SimplexMesh<3> cube_mesh() {
  SimplexMesh<3> m;
  for (int i = 0; i < 8; ++i) m.points.push_back({double(i & 1), double(i >> 1 & 1), double(i >> 2)});
  for (const auto& [a, b] : {std::array{1, 3}, {3, 2}, {2, 6}, {6, 4}, {4, 5}, {5, 1}}) m.cells.push_back({0, a, b, 7});
  return m;
}

TEST(Simplex, regular_tetrahedron_has_its_angles_and_altitude) {
  const SimplexMesh<3> m{{{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}}, {{0, 2, 1, 3}}};
  const SimplexQuality q = quality_of(m);
  EXPECT_NEAR(q.least_angle, 70.528779, 1e-6);  // arccos(1/3)
  EXPECT_NEAR(q.largest_angle, 70.528779, 1e-6);
  EXPECT_NEAR(q.mean_edge, std::sqrt(8.0), 1e-12);
  EXPECT_NEAR(q.least_altitude, std::sqrt(2.0 / 3), 1e-12);
  EXPECT_NEAR(q.volume, 8.0 / 3, 1e-12);
  EXPECT_EQ(q.slivers, 0u);
  EXPECT_EQ(boundary_facets(m).size(), 4u);
  expect_sound(m);
}

TEST(Simplex, right_triangle_has_its_angles_and_altitude) {
  const SimplexMesh<2> m{{{0, 0}, {3, 0}, {0, 4}}, {{0, 1, 2}}};
  const SimplexQuality q = quality_of(m, 12.0);
  EXPECT_NEAR(q.least_angle, 36.869898, 1e-6);
  EXPECT_NEAR(q.largest_angle, 90, 1e-6);
  EXPECT_NEAR(q.least_altitude, 2.4 / 4, 1e-12);
  EXPECT_NEAR(q.volume, 6, 1e-12);
  EXPECT_EQ(to_lines(q).back(), "volume 6 m², the shape's 12 (-50.000 %)");
  expect_sound(m);
}

TEST(Simplex, slivers_are_counted) {
  const SimplexMesh<3> m{{{0, 0, 0}, {1, 0, 0.05}, {1, 1, 0}, {0, 1, 0.05}}, {{0, 3, 1, 2}}};
  const SimplexQuality q = quality_of(m);
  EXPECT_EQ(q.slivers, 1u);
  EXPECT_LT(q.least_angle, 15);
  EXPECT_GT(q.largest_angle, 165);
}

// Parts that share a corner are one.
TEST(Simplex, parts_are_counted) {
  SimplexMesh<2> m{{{0, 0}, {1, 0}, {0, 1}, {-1, 0}, {0, -1}, {5, 5}, {6, 5}, {5, 6}}, {{0, 1, 2}, {0, 3, 4}}};
  EXPECT_EQ(quality_of(m).parts, 1u);
  m.cells.push_back({5, 6, 7});
  EXPECT_EQ(quality_of(m).parts, 2u);
  EXPECT_EQ(to_lines(quality_of(m)).front().substr(0, 22), "3 triangles in 2 parts");
}

TEST(Simplex, cube_has_the_counts_of_a_ball) {
  SimplexMesh<3> m = cube_mesh();
  expect_sound(m);
  EXPECT_NEAR(total_volume(m), 1, 1e-12);
  EXPECT_EQ(sorted_edges(m).size(), 19u);  // 12 of the cube, 6 diagonals of sides, 1 through the middle
  EXPECT_EQ(boundary_facets(m).size(), 12u);
  EXPECT_EQ(euler_number(m), 1);
  m.points.insert(m.points.begin(), Vec3d{9, 9, 9});
  for (auto& cell : m.cells)
    for (int& p : cell) ++p;
  EXPECT_EQ(drop_unused_points(m), 1u);
  EXPECT_NEAR(total_volume(m), 1, 1e-12);
}

TEST(Simplex, changes_keep_the_mesh_sound_and_refuse_flat_cells) {
  SimplexMesh<3> m = cube_mesh();
  SimplexEdit<3> edit(m, 1);
  EXPECT_EQ(edit.split(0, 7, {0.5, 0.5, 0.5}, 0.5), -1) << "halves are flatter than that";
  const int middle = edit.split(0, 7, {0.4, 0.5, 0.6}, 0.05);
  ASSERT_EQ(middle, 8);
  EXPECT_FALSE(edit.move(middle, {0.5, 0.5, 1}, 0.05)) << "on the top";
  const double before = edit.score_at(middle);
  edit.improve(middle, SimplexEdit<3>::Freedom::everywhere());
  EXPECT_GT(edit.score_at(middle), before);
  edit.finish();
  EXPECT_EQ(m.cells.size(), 12u);
  expect_sound(m);
  EXPECT_NEAR(total_volume(m), 1, 1e-12);
}

}  // namespace
}  // namespace knead
