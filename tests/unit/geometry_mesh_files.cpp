// What readers of mesh files keep: vertices, their order and digits, texture coordinates, polygons; through repairs
// too.
#include "data/meshes.h"
#include "geometry/polygon_triangles.h"
#include "geometry/rotation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>
#include <random>

namespace knead {
namespace {

using namespace testing_meshes;

// Texture coordinates that tell the place of a corner, and which side of the box it is on.
Vec2d uv_at(const Vec3d& x, const Vec3d& normal) {
  const double side = normal[0] + 2 * normal[1] + 4 * normal[2];
  return {x[0] / 3 + 0.1 * side, x[1] / 7 + 0.3 * x[2] + side};
}
Vec3d normal_of(const TriangleMesh& m, std::size_t i) {
  auto at = [&](int k) { return m.vertices[static_cast<std::size_t>(m.triangles[i][k])]; };
  return normalized(cross(at(1) - at(0), at(2) - at(0)), Vec3d{});
}
TriangleMesh mapped(TriangleMesh m) {
  for (std::size_t i = 0; i < m.triangles.size(); ++i) {
    auto& uv = m.uv.emplace_back();
    for (int k = 0; k < 3; ++k)
      uv[static_cast<std::size_t>(k)] = uv_at(m.vertices[static_cast<std::size_t>(m.triangles[i][k])], normal_of(m, i));
  }
  return m;
}
// Every triangle its own vertices.
TriangleMesh soup_of(const TriangleMesh& m) {
  TriangleMesh soup;
  soup.uv = m.uv;
  for (const Vec3i& t : m.triangles) {
    const int first = static_cast<int>(soup.vertices.size());
    for (int k = 0; k < 3; ++k) soup.vertices.push_back(m.vertices[static_cast<std::size_t>(t[k])]);
    soup.triangles.push_back({first, first + 1, first + 2});
  }
  return soup;
}

TEST(MeshFiles, obj_keeps_vertices_in_order_with_all_digits) {
  const TemporaryFolder folder;
  // Triangles use the vertices in another order than they stand in, and two vertices not at all.
  TriangleMesh box = box_mesh({1. / 3, 0.1, 1e-9}, {1, 2, 3});
  std::reverse(box.triangles.begin(), box.triangles.end());
  const std::vector<Vec3d> wanted = box.vertices;
  const std::vector<Vec3i> triangles = box.triangles;
  box.vertices.insert(box.vertices.begin() + 3, Vec3d{9, 9, 9});
  box.vertices.push_back({7, 7, 7});
  for (Vec3i& t : box.triangles)
    for (int k = 0; k < 3; ++k) t[k] += t[k] >= 3;
  const TriangleMesh read = read_mesh(folder.write("box.obj", obj_text(box)));
  EXPECT_TRUE(read.vertices == wanted);
  EXPECT_TRUE(read.triangles == triangles);
  EXPECT_TRUE(read.uv.empty());
}

TEST(MeshFiles, obj_texture_coordinates_are_those_of_corners) {
  const TemporaryFolder folder;
  // Quads with a seam at every edge of the box, in all spellings of corners; indices count from 1 and back.
  std::string text = "vt 0.1 0.3\nvt 0.7 0.30000000000000004\nvt 1e-3\nvt 0.2 -1.25 0\nvt 5 6 # far\n";
  for (const Vec3d& v : box_mesh({}, {1, 2, 3}).vertices) text += fmt::format("v {} {} {}\n", v[0], v[1], v[2]);
  text +=
      "f 1/1/9 3/2/9 4/3/9 2/4/9\nf 5/-1 6/-2 8/-3 7/-4\nvt 0 1\nf 1/5 2/6 6/-1 5/-2\nf 3//1 7//1 8//1 4//1\n"
      "f 1 5 7 3\nf 2/1/ 4/2/ 8/3/ 6/4/\n";
  const TriangleMesh mesh = read_mesh(folder.write("quads.obj", text));
  ASSERT_EQ(mesh.triangles.size(), 12u);
  ASSERT_EQ(mesh.uv.size(), 12u);
  const Vec2d a{0.1, 0.3}, b{0.7, 0.30000000000000004}, c{1e-3, 0}, d{0.2, -1.25}, e{5, 6}, f{0, 1}, o{};
  const std::array<Vec2d, 3> wanted[12] = {{a, b, c}, {a, c, d}, {e, d, c}, {e, c, b}, {e, f, f}, {e, f, e},
                                           {o, o, o}, {o, o, o}, {o, o, o}, {o, o, o}, {a, b, c}, {a, c, d}};
  for (std::size_t i = 0; i < 12; ++i) EXPECT_TRUE(mesh.uv[i] == wanted[i]) << i;
  EXPECT_EQ(mesh.triangles[0], (Vec3i{0, 2, 3}));
  EXPECT_EQ(mesh.triangles[1], (Vec3i{0, 3, 1}));
}

TEST(MeshFiles, ply_and_gltf_have_texture_coordinates_too) {
  const TemporaryFolder folder;
  const TriangleMesh box = mapped(box_mesh({}, {1, 2, 3})), soup = soup_of(box);
  // Of the corners, in digits that only doubles have.
  std::string ply = fmt::format(
      "ply\nformat ascii 1.0\nelement face 13\nproperty list uchar double texcoord\nproperty list uchar int "
      "vertex_index\nelement vertex {}\nproperty double x\nproperty double y\nproperty double z\nend_header\n",
      box.vertices.size());
  for (std::size_t i = 0; i < 12; ++i) {
    ply += "6";
    for (const Vec2d& uv : box.uv[i]) ply += fmt::format(" {} {}", uv[0], uv[1]);
    ply += fmt::format(" 3 {} {} {}\n", box.triangles[i][0], box.triangles[i][1], box.triangles[i][2]);
  }
  ply += "0 3 0 0 1\n";  // without any, and without an area
  for (const Vec3d& v : box.vertices) ply += fmt::format("{} {} {}\n", v[0], v[1], v[2]);
  const TriangleMesh corners = read_mesh(folder.write("corners.ply", ply));
  EXPECT_TRUE(corners.vertices == box.vertices && corners.triangles == box.triangles && corners.uv == box.uv);

  // Of vertices: those at a seam stand there several times.
  ply = fmt::format(
      "ply\nformat ascii 1.0\nelement vertex 36\nproperty double x\nproperty double y\nproperty double z\nproperty "
      "double s\nproperty double t\nelement face 12\nproperty list uchar int vertex_indices\nend_header\n");
  const std::vector<Vec2d> uv = vertex_uv(soup);
  for (std::size_t i = 0; i < 36; ++i)
    ply += fmt::format("{} {} {} {} {}\n", soup.vertices[i][0], soup.vertices[i][1], soup.vertices[i][2], uv[i][0],
                       uv[i][1]);
  for (const Vec3i& t : soup.triangles) ply += fmt::format("3 {} {} {}\n", t[0], t[1], t[2]);
  EXPECT_TRUE(read_mesh(folder.write("vertices.ply", ply)).uv == box.uv);

  const TriangleMesh gltf = read_mesh(folder.write("box.glb", glb(soup)));
  ASSERT_EQ(gltf.uv.size(), 12u);
  for (std::size_t i = 0; i < 12; ++i)
    for (std::size_t k = 0; k < 3; ++k) EXPECT_LT(length(gltf.uv[i][k] - box.uv[i][k]), 1e-6) << i;  // floats
}

TEST(MeshFiles, repairs_keep_texture_coordinates_with_their_corners) {
  const TriangleMesh box = mapped(box_mesh({}, {1, 2, 3}));
  TriangleMesh soup = soup_of(box);
  // Turned, repeated, flat; then all of it inside out.
  auto turn = [&](std::size_t i) {
    std::swap(soup.triangles[i][1], soup.triangles[i][2]), std::swap(soup.uv[i][1], soup.uv[i][2]);
  };
  soup.triangles.insert(soup.triangles.begin() + 5, Vec3i{4, 4, 7}),
      soup.uv.insert(soup.uv.begin() + 5, std::array<Vec2d, 3>{});
  soup.triangles.push_back(soup.triangles[3]), soup.uv.push_back({});
  turn(2), turn(8);
  for (std::size_t i = 0; i < soup.triangles.size(); ++i) turn(i);
  const MeshReport report = repair(soup, "soup");
  EXPECT_TRUE(report.flipped && report.turned == 2 && report.degenerate == 1 && report.duplicate == 1);
  ASSERT_EQ(soup.triangles.size(), 12u);
  ASSERT_EQ(soup.uv.size(), 12u);
  for (std::size_t i = 0; i < 12; ++i)
    for (int k = 0; k < 3; ++k)
      EXPECT_EQ(soup.uv[i][static_cast<std::size_t>(k)],
                uv_at(soup.vertices[static_cast<std::size_t>(soup.triangles[i][k])], normal_of(soup, i)));
  // Of equal vertices the first stays, and they stand in their order.
  std::vector<Vec3d> wanted;
  for (const Vec3d& x : soup_of(box).vertices)
    if (std::find(wanted.begin(), wanted.end(), x) == wanted.end()) wanted.push_back(x);
  EXPECT_TRUE(soup.vertices == wanted);
}

// Triangles that face as the polygon does, and have its area together, can neither overlap nor leave a gap.
void expect_cut(const std::vector<Vec3d>& polygon, const char* what) {
  std::vector<std::array<int, 3>> triangles;
  cut_polygon(polygon, triangles);
  ASSERT_EQ(triangles.size(), polygon.size() - 2) << what;
  Vec3d whole{};
  for (std::size_t i = 0; i < polygon.size(); ++i)
    whole += 0.5 * cross(polygon[i] - polygon[0], polygon[(i + 1) % polygon.size()] - polygon[0]);
  double sum = 0;
  for (const auto& [a, b, c] : triangles) {
    const Vec3d& x = polygon[static_cast<std::size_t>(a)];
    const double area =
        0.5 * dot(cross(polygon[static_cast<std::size_t>(b)] - x, polygon[static_cast<std::size_t>(c)] - x),
                  normalized(whole));
    EXPECT_GT(area, 1e-9 * length(whole)) << what << ": a triangle is flat or turned";
    sum += area;
  }
  EXPECT_NEAR(sum, length(whole), 1e-12 * length(whole)) << what;
}

TEST(MeshFiles, hollow_polygons_are_cut_into_triangles_inside) {
  const std::pair<const char*, std::vector<Vec2d>> outlines[] = {
      {"quad with a hollow corner", {{0, 0}, {4, 0}, {1, 1}, {0, 4}}},
      {"the same from another corner", {{4, 0}, {1, 1}, {0, 4}, {0, 0}}},
      {"L", {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}}},
      {"corners on straight sides", {{1, 0}, {2, 0}, {2, 1}, {2, 2}, {1, 2}, {0, 2}, {0, 1}, {0, 0}}},
      {"a triangle with corners on its sides", {{0, 0}, {1, 0}, {2, 0}, {3, 0}, {2, 1}, {1, 2}, {0, 3}, {0, 1}}},
      {"comb", {{0, 0}, {7, 0}, {7, 3}, {6, 3}, {6, 1}, {5, 1}, {5, 3}, {3, 3}, {3, 1}, {2, 1}, {2, 3}, {0, 3}}},
      {"spiral", {{0, 0}, {5, 0}, {5, 5}, {1, 5}, {1, 2}, {3, 2}, {3, 3}, {2, 3}, {2, 4}, {4, 4}, {4, 1}, {0, 1}}},
      {"square with a hole, by a bridge",
       {{0, 0}, {3, 0}, {3, 3}, {0, 3}, {0, 0}, {1, 1}, {1, 2}, {2, 2}, {2, 1}, {1, 1}}}};
  std::mt19937 random(1);
  std::uniform_real_distribution<double> unit;
  for (const auto& [what, outline] : outlines)
    for (int way = 0; way < 8; ++way) {
      // In its own plane, turned at random, the other way round; beginning at any corner.
      const Mat3d turn =
          way % 4 == 0 ? Mat3d::identity() : rotation_matrix({unit(random), 3 * unit(random), -unit(random)});
      std::vector<Vec3d> polygon;
      for (const Vec2d& p : outline) polygon.push_back(turn * Vec3d{p[0], p[1], 0.5} + Vec3d{100, -20, 3});
      if (way % 2) std::reverse(polygon.begin(), polygon.end());
      std::rotate(polygon.begin(), polygon.begin() + way % 4, polygon.end());
      expect_cut(polygon, what);
    }
  for (int i = 0; i < 50; ++i) {
    std::vector<Vec3d> star;
    const int n = 3 + i;
    for (int k = 0; k < n; ++k) {
      const double angle = 2 * std::numbers::pi * k / n, r = 0.2 + unit(random);
      star.push_back({r * std::cos(angle), 0.3, r * std::sin(angle)});
    }
    expect_cut(star, "star");
  }
}

TEST(MeshFiles, a_convex_polygon_is_a_fan_about_its_first_corner) {
  std::vector<Vec3d> polygon;
  for (int k = 0; k < 7; ++k) polygon.push_back({std::cos(0.9 * k), std::sin(0.9 * k), 1});
  std::vector<std::array<int, 3>> triangles;
  cut_polygon(polygon, triangles);
  for (int k = 0; k < 5; ++k) EXPECT_EQ(triangles[static_cast<std::size_t>(k)], (std::array{0, k + 1, k + 2}));
}

}  // namespace
}  // namespace knead
