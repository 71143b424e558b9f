#include "view/solid_mesh.h"

#include <gtest/gtest.h>

#include <numbers>
#include <set>

namespace knead {
namespace {

const Bounds box{{-3, -3, -3}, {3, 3, 3}};

// By the divergence theorem: positive where the triangles look outwards.
double volume_of(const SolidMesh& mesh) {
  double sum = 0;
  for (const auto& [a, b, c] : mesh.triangles)
    sum += dot(mesh.points[std::size_t(a)], cross(mesh.points[std::size_t(b)], mesh.points[std::size_t(c)])) / 6;
  return sum;
}

double area_of(const SolidMesh& mesh) {
  double sum = 0;
  for (const auto& [a, b, c] : mesh.triangles)
    sum += cross(mesh.points[std::size_t(b)] - mesh.points[std::size_t(a)],
                 mesh.points[std::size_t(c)] - mesh.points[std::size_t(a)])[2] /
           2;
  return sum;
}

int euler_number(const SolidMesh& mesh) {
  std::set<std::pair<int, int>> edges;
  for (const auto& t : mesh.triangles)
    for (std::size_t i = 0; i < 3; ++i) edges.insert(std::minmax(t[i], t[(i + 1) % 3]));
  return int(mesh.points.size()) - int(edges.size()) + int(mesh.triangles.size());
}

// Points of the surface lie between those of the grid, a fortieth of the diameter apart: the error is of its square.
TEST(SolidMesh, a_ball_has_its_volume_and_looks_outwards) {
  const SolidMesh mesh = solid_mesh({Sphere{.center = {0.5, 1, -0.3}, .radius = 0.7}}, 3, box);
  const double exact = 4 * std::numbers::pi / 3 * std::pow(0.7, 3);
  EXPECT_NEAR(volume_of(mesh), exact, 0.01 * exact);
  EXPECT_EQ(euler_number(mesh), 2);
}

TEST(SolidMesh, a_ring_has_one_hole) {
  const SolidMesh mesh = solid_mesh({Torus{}}, 3, box);
  EXPECT_EQ(euler_number(mesh), 0);
  EXPECT_GT(volume_of(mesh), 0);
}

TEST(SolidMesh, a_box_is_exact) {
  const SolidMesh mesh = solid_mesh({Box{.center = {1, 2, 3}, .size = {1, 2, 3}}}, 3, box);
  EXPECT_NEAR(volume_of(mesh), 6, 1e-12);
}

TEST(SolidMesh, a_disc_has_its_area_and_its_outline) {
  const SolidMesh mesh = solid_mesh({Sphere{.center = {0.2, 0.1, 0}, .radius = 0.5}}, 2, box);
  EXPECT_NEAR(area_of(mesh), std::numbers::pi * 0.25, 0.002);
  double length_sum = 0;
  for (const auto& [a, b] : mesh.edges) length_sum += length(mesh.points[std::size_t(a)] - mesh.points[std::size_t(b)]);
  EXPECT_NEAR(length_sum, std::numbers::pi, 0.01);
}

TEST(SolidMesh, what_has_no_end_is_cut_off) {
  const SolidMesh half = solid_mesh({Plane{.point = {0, -1, 0}, .normal = {0, 1, 0}}}, 2, box);
  EXPECT_NEAR(area_of(half), 6 * 2, 0.6);  // a cell more on each side
  EXPECT_FALSE(solid_mesh({Plane{}}, 3, box).triangles.empty());
}

}  // namespace
}  // namespace knead
