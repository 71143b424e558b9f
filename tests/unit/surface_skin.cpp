// The skin around particles: closed, of the right size, one piece where they are near each other and several where not.
#include "surface/skin.h"

#include "base/parallel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <random>

namespace knead {
namespace {

SurfaceMesh skin(const std::vector<Vec3d>& points, double radius, int dimension, double cell, double reach) {
  return skin_of(points, std::vector<double>(points.size(), radius), dimension, {cell, reach, 2 * radius});
}

// Each edge once there and once back.
void expect_closed(const SurfaceMesh& mesh) {
  std::map<std::pair<int, int>, int> ways;
  for (const Vec3i& t : mesh.triangles)
    for (int k = 0; k < 3; ++k) ++ways[{t[k], t[(k + 1) % 3]}];
  for (const auto& [way, count] : ways) {
    ASSERT_EQ(count, 1);
    ASSERT_TRUE(ways.contains({way.second, way.first}));
  }
}

double volume(const SurfaceMesh& mesh) {
  double sum = 0;
  for (const Vec3i& t : mesh.triangles) {
    const auto at = [&](int k) { return mesh.points[static_cast<std::size_t>(t[k])]; };
    sum += dot(at(0), cross(at(1), at(2))) / 6;
  }
  return sum;
}

int pieces(const SurfaceMesh& mesh) {
  std::vector<int> parent(mesh.points.size());
  for (std::size_t i = 0; i < parent.size(); ++i) parent[i] = static_cast<int>(i);
  const auto root = [&](int i) {
    while (parent[static_cast<std::size_t>(i)] != i) i = parent[static_cast<std::size_t>(i)];
    return i;
  };
  for (const Vec3i& t : mesh.triangles)
    for (int k = 1; k < 3; ++k) parent[static_cast<std::size_t>(root(t[k]))] = root(t[0]);
  int count = 0;
  for (std::size_t i = 0; i < parent.size(); ++i) count += parent[i] == static_cast<int>(i);
  return count;
}

void expect_nearest_points(const SurfaceMesh& mesh, const std::vector<Vec3d>& points) {
  ASSERT_EQ(mesh.vertex.size(), mesh.points.size());
  for (std::size_t i = 0; i < mesh.points.size(); ++i) {
    const auto away = [&](const Vec3d& p) { return length(p - mesh.points[i]); };
    const auto nearest = std::min_element(points.begin(), points.end(),
                                          [&](const Vec3d& a, const Vec3d& b) { return away(a) < away(b); });
    ASSERT_EQ(away(points.at(static_cast<std::size_t>(mesh.vertex[i]))), away(*nearest));
  }
}

std::vector<Vec3d> lattice(int along, double spacing, int dimension) {
  std::vector<Vec3d> points;
  for (int i = 0; i < along; ++i)
    for (int j = 0; j < along; ++j)
      for (int k = 0; k < (dimension == 3 ? along : 1); ++k)
        points.push_back({(i + 0.5) * spacing, (j + 0.5) * spacing, dimension == 3 ? (k + 0.5) * spacing : 0});
  return points;
}

TEST(Skin, of_one_particle_is_a_sphere) {
  const SurfaceMesh mesh = skin({{0.3, -0.2, 5.1}}, 0.1, 3, 0.01, 0.2);
  expect_closed(mesh);
  EXPECT_EQ(pieces(mesh), 1);
  EXPECT_NEAR(volume(mesh), 4 * std::numbers::pi / 3 * 1e-3, 0.02 * 4e-3);
  for (const Vec3d& x : mesh.points) EXPECT_NEAR(length(x - Vec3d{0.3, -0.2, 5.1}), 0.1, 0.002);
}

TEST(Skin, has_a_piece_for_each_group_of_particles) {
  const auto of_two = [](double apart) { return pieces(skin({{0, 0, 0}, {apart, 0, 0}}, 0.1, 3, 0.02, 0.4)); };
  EXPECT_EQ(of_two(0.1), 1);
  EXPECT_EQ(of_two(0.5), 2);  // each is within the other's reach
  EXPECT_EQ(of_two(1), 2);
}

TEST(Skin, of_a_block_is_as_large_as_the_block) {
  for (const int dimension : {2, 3}) {
    const double spacing = 0.1;
    const SurfaceMesh mesh =
        skin(lattice(12, spacing, dimension), 0.68 * spacing, dimension, 0.5 * spacing, 2.5 * spacing);
    if (dimension == 3) {
      expect_closed(mesh);
      EXPECT_NEAR(volume(mesh), 1.2 * 1.2 * 1.2, 0.05 * 1.728);
    }
    EXPECT_EQ(pieces(mesh), 1);
    Vec3d low{9, 9, 9}, high{-9, -9, -9};
    for (const Vec3d& x : mesh.points)
      for (int a = 0; a < 3; ++a) low[a] = std::min(low[a], x[a]), high[a] = std::max(high[a], x[a]);
    for (int a = 0; a < dimension; ++a) {
      EXPECT_NEAR(low[a], 0, 0.1 * spacing);
      EXPECT_NEAR(high[a], 1.2, 0.1 * spacing);
    }
  }
}

TEST(Skin, of_any_particles_is_closed) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> place(-1, 1), size(0.02, 0.2);
  std::vector<Vec3d> points;
  std::vector<double> radii;
  for (int i = 0; i < 300; ++i)
    points.push_back({place(random), place(random), place(random)}), radii.push_back(size(random));
  points[100] = {std::nan(""), 0, 0};
  points.push_back({1e30, 0, 0}), radii.push_back(0.1);
  const SurfaceMesh mesh = skin_of(points, radii, 3, {0.05, 0.45, 0.25});
  EXPECT_GT(mesh.triangles.size(), 1000u);
  expect_closed(mesh);
  expect_nearest_points(mesh, points);
  EXPECT_GT(volume(mesh), 0);
}

// Shares are those of the field's mean place: constants stay, and a linear field is followed where particles lie all
// around, but for the side that has none, by less than their distance.
TEST(Skin, shares_of_particles_make_means) {
  const double spacing = 0.1;
  const std::vector<Vec3d> points = lattice(8, spacing, 3);
  SkinShares shares;
  const SurfaceMesh mesh = skin_of(points, std::vector<double>(points.size(), 0.68 * spacing), 3,
                                   {0.5 * spacing, 2.5 * spacing, 1.36 * spacing}, &shares);
  ASSERT_EQ(shares.begin.size(), mesh.points.size() + 1);
  for (std::size_t p = 0; p < mesh.points.size(); ++p) {
    double sum = 0;
    Vec3d mean{};
    for (std::size_t k = shares.begin[p]; k < shares.begin[p + 1]; ++k) {
      EXPECT_GE(shares.share[k], 0);
      sum += shares.share[k];
      mean += points[static_cast<std::size_t>(shares.particle[k])] * shares.share[k];
    }
    EXPECT_NEAR(sum, 1, 1e-12);
    EXPECT_LT(length(mean - mesh.points[p]), 1.5 * spacing);
  }
}

TEST(Skin, has_one_normal_a_point_so_that_files_share_vertices) {
  const SurfaceMesh mesh = skin(lattice(6, 0.1, 3), 0.068, 3, 0.05, 0.25);
  EXPECT_EQ(split_corners(mesh).point.size(), mesh.points.size());
  EXPECT_TRUE(mesh.rest.empty()) << "a skin alone does not know it";
}

// What the lines go around is what the triangles fill.
TEST(Skin, in_2d_is_filled_up_to_its_outline) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> place(-1, 1);
  std::vector<Vec3d> points;
  for (int i = 0; i < 80; ++i) points.push_back({place(random), place(random), 0});
  const SurfaceMesh mesh = skin(points, 0.1, 2, 0.04, 0.3);
  const auto doubled = [&](int a, int b) {
    const Vec3d &p = mesh.points[static_cast<std::size_t>(a)], &q = mesh.points[static_cast<std::size_t>(b)];
    return p[0] * q[1] - p[1] * q[0];
  };
  double filled = 0, around = 0;
  for (const Vec3i& t : mesh.triangles) {
    const double twice = doubled(t[0], t[1]) + doubled(t[1], t[2]) + doubled(t[2], t[0]);
    EXPECT_GT(twice, 0);
    filled += twice / 2;
  }
  std::map<int, int> balance;
  for (const Vec2i& line : mesh.lines) around += doubled(line[0], line[1]) / 2, ++balance[line[0]], --balance[line[1]];
  for (const auto& [point, sum] : balance) EXPECT_EQ(sum, 0);
  EXPECT_NEAR(filled, around, 1e-9);
  EXPECT_GT(filled, 1);
}

TEST(Skin, is_the_same_on_any_number_of_threads) {
  const std::vector<Vec3d> points = lattice(9, 0.1, 3);
  std::vector<Vec3d> first;
  for (const int threads : {1, 2, 5}) {
    const ThreadLimit limit(threads);
    const SurfaceMesh mesh = skin(points, 0.055, 3, 0.04, 0.2);
    if (threads == 1) first = mesh.points;
    EXPECT_TRUE(mesh.points == first);
  }
}

}  // namespace
}  // namespace knead
