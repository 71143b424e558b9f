// Meshes: every format gives the same surface, repairs, signed distance against the shape that was tessellated.
#include "geometry/mesh.h"

#include "base/error.h"
#include "data/meshes.h"
#include "geometry/distance_grid.h"
#include "geometry/mesh_distance.h"
#include "geometry/shape.h"

#include <gtest/gtest.h>

#include <numbers>
#include <random>

namespace knead {
namespace {

using namespace testing_meshes;

const Vec3d center{0.3, -0.2, 0.1}, size{1, 2, 3};

Vec3d random_in(std::mt19937_64& random, const Bounds& box) {
  std::uniform_real_distribution<double> unit;
  Vec3d p{};
  for (int i = 0; i < 3; ++i) p[i] = box.lo[i] + unit(random) * (box.hi[i] - box.lo[i]);
  return p;
}

MeshDistance distance_of(TriangleMesh mesh) {
  const MeshReport report = repair(mesh, "mesh");
  return MeshDistance(std::move(mesh), report);
}

TEST(Mesh, every_format_gives_the_same_box) {
  const TemporaryFolder folder;
  const TriangleMesh box = box_mesh(center, size);
  const struct {
    const char* name;
    std::string content;
    double shift;  // of the glTF node
  } files[] = {{"box.obj", obj_text(box), 0},
               {"box.OBJ", obj_text(box), 0},
               {"text.stl", stl_text(box), 0},
               {"binary.stl", stl_binary(box), 0},
               {"binary2.stl", stl_binary(box, "made by a program"), 0},
               {"text.ply", ply_text(box), 0},
               {"little.ply", ply_binary(box, false), 0},
               {"big.ply", ply_binary(box, true), 0},
               {"box.glb", glb(box), 1},
               {"box.gltf", gltf_json(box, "box.bin"), 1}};
  folder.write("box.bin", gltf_data(box));
  for (const auto& f : files) {
    MeshReport report;
    const TriangleMesh read = read_mesh(folder.write(f.name, f.content), &report);
    EXPECT_EQ(read.vertices.size(), 8u) << f.name;
    EXPECT_EQ(read.triangles.size(), 12u) << f.name;
    EXPECT_TRUE(report.warnings.empty()) << f.name << ": " << report.warnings[0];
    EXPECT_NEAR(signed_volume(read), 6, 1e-6) << f.name;  // float coordinates
    EXPECT_NEAR(bounds_of(read).lo[0], center[0] - 0.5 + f.shift, 1e-6) << f.name;
  }
}

TEST(Mesh, obj_accepts_what_programs_write) {
  const TemporaryFolder folder;
  // Quads, texture and normal indices, relative indices, groups, materials, lines, no newline at the end, CRLF.
  std::string text = "# comment\r\nmtllib ../../secret.mtl\r\no thing\r\n";
  for (const Vec3d& v : box_mesh(center, size).vertices) text += fmt::format("v {} {} {} 1 0 0\r\n", v[0], v[1], v[2]);
  text += "vt 0 0\nvn 0 0 1\nusemtl secret\ns off\nl 1 2\nl 1\np 3\n";
  text +=
      "f 1/1/1 3/1/1 4/1/1 2/1/1\nf 5//1 6//1 8//1 7//1\nf 1 2 6 \\\n 5\nf -6 -2 -1 -5 # relative\ng side\nf 1/1 5/1 "
      "7/1 3/1\nf 2 4 8 6";
  MeshReport report;
  const TriangleMesh mesh = read_mesh(folder.write("quads.obj", text), &report);
  EXPECT_EQ(mesh.vertices.size(), 8u);
  EXPECT_EQ(mesh.triangles.size(), 12u);
  EXPECT_NEAR(signed_volume(mesh), 6, 1e-5);
  EXPECT_TRUE(report.warnings.empty());
}

TEST(Mesh, volume_of_a_fine_sphere_approaches_the_ball) {
  const double exact = 4.0 / 3 * std::numbers::pi;
  double previous = exact - signed_volume(sphere_mesh(center, 1, 2));
  for (int levels : {3, 4, 5}) {
    const double error = exact - signed_volume(sphere_mesh(center, 1, levels));
    EXPECT_GT(error, 0) << "an inscribed surface is smaller";
    EXPECT_NEAR(previous / error, 4, 0.4) << "second order";
    previous = error;
  }
}

TEST(Mesh, repairs_are_made_and_reported) {
  // Inside out as a whole.
  TriangleMesh mesh = inside_out(box_mesh(center, size));
  EXPECT_TRUE(repair(mesh, "m").flipped);
  EXPECT_NEAR(signed_volume(mesh), 6, 1e-12);

  // Some triangles turned, some twice there, some without an area, vertices apart.
  TriangleMesh soup;
  for (const Vec3i& t : box_mesh(center, size).triangles)
    for (int k = 0; k < 3; ++k)
      soup.vertices.push_back(box_mesh(center, size).vertices[static_cast<std::size_t>(t[k])]);
  for (int i = 0; i < 12; ++i) soup.triangles.push_back({3 * i, 3 * i + 1, 3 * i + 2});
  std::swap(soup.triangles[2][0], soup.triangles[2][1]);
  std::swap(soup.triangles[7][0], soup.triangles[7][1]);
  soup.triangles.push_back(soup.triangles[4]);
  soup.triangles.push_back({0, 0, 1});
  soup.triangles.push_back({0, 0, 0});
  const MeshReport report = repair(soup, "soup");
  EXPECT_EQ(report.welded, 28u);
  EXPECT_EQ(report.turned, 2u);
  EXPECT_EQ(report.duplicate, 1u);
  EXPECT_EQ(report.degenerate, 2u);
  EXPECT_TRUE(report.manifold);
  EXPECT_NEAR(signed_volume(soup), 6, 1e-12);
  EXPECT_EQ(report.warnings[0], "soup: 2 triangles without an area were removed");
}

TEST(Mesh, nearly_equal_vertices_are_welded_where_the_surface_would_be_open) {
  TriangleMesh mesh = box_mesh(center, size);
  mesh.vertices.push_back(mesh.vertices[1] + Vec3d{1e-8, -1e-8, 0});
  mesh.triangles[0][2] = 8;
  EXPECT_EQ(repair(mesh, "m").welded, 1u);
  EXPECT_EQ(mesh.vertices.size(), 8u);
}

TEST(Mesh, a_hollow_stays_a_hollow_and_a_stray_part_is_flipped) {
  TriangleMesh hollow = joined(sphere_mesh({}, 1, 3), inside_out(sphere_mesh({}, 0.5, 3)));
  const double wall = signed_volume(hollow);
  EXPECT_FALSE(repair(hollow, "m").flipped);
  EXPECT_NEAR(signed_volume(hollow), wall, 1e-12);
  EXPECT_NEAR(distance_of(hollow)({0, 0.01, 0}), 0.49, 0.01) << "the middle is outside";

  TriangleMesh two = joined(sphere_mesh({}, 1, 3), inside_out(sphere_mesh({3, 0, 0}, 0.5, 3)));
  EXPECT_TRUE(repair(two, "m").flipped);
  EXPECT_LT(distance_of(two)({3, 0, 0}), 0);
}

TEST(Mesh, overlapping_parts_are_told_and_count_once) {
  TriangleMesh two = joined(box_mesh({}, {1, 1, 1}), box_mesh({0.5, 0.1, 0.2}, {1, 1, 1}));
  const MeshReport report = repair(two, "m");
  EXPECT_TRUE(report.intersects_itself);
  const TemporaryFolder folder;
  folder.write("two.obj", obj_text(two));
  Shape shape{MeshShape{}};
  std::get<MeshShape>(shape.value).file = "two.obj";
  std::vector<std::string> warnings;
  shape.prepare(3, folder.path(), &warnings);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("the surface crosses itself"), std::string::npos);
  // The parts share 0.5 x 0.9 x 0.8.
  EXPECT_NEAR(shape.volume(3), 2 - 0.36, 2e-4);
  EXPECT_LT(shape.distance({0.25, 0, 0}), 0) << "inside both";
  EXPECT_LT(shape.distance({0.9, 0, 0}), 0);
  EXPECT_GT(shape.distance({-0.3, 0.6, 0}), 0);
}

TEST(MeshDistance, of_a_box_is_that_of_the_box) {
  const MeshDistance mesh = distance_of(box_mesh(center, size));
  const Box box{center, size};
  std::mt19937_64 random(1);
  for (int i = 0; i < 20000; ++i) {
    Vec3d p = random_in(random, mesh.bounds().grown(1));
    // Some points exactly over edges and corners, where the sign is hardest.
    if (i % 4 == 1) p[0] = center[0] + 0.5 * size[0];
    if (i % 4 == 2) p[0] = center[0] + 0.5 * size[0], p[1] = center[1] - 0.5 * size[1];
    ASSERT_NEAR(mesh(p), box.distance(p), 1e-12);
  }
}

TEST(MeshDistance, of_a_concave_prism_is_that_of_the_polygon) {
  const Star star{{}, 5, 0.4, 1, 0, 1};
  // The star as a mesh: two fans and a side.
  TriangleMesh mesh;
  const std::vector<Vec3d> outline = star.outline();
  const int n = static_cast<int>(outline.size());
  for (const Vec3d& p : outline) mesh.vertices.push_back(p - Vec3d{0, 0, 0.5});
  for (const Vec3d& p : outline) mesh.vertices.push_back(p + Vec3d{0, 0, 0.5});
  mesh.vertices.push_back({0, 0, -0.5});
  mesh.vertices.push_back({0, 0, 0.5});
  for (int i = 0; i < n; ++i) {
    const int j = (i + 1) % n;
    mesh.triangles.push_back({2 * n, j, i});
    mesh.triangles.push_back({2 * n + 1, n + i, n + j});
    mesh.triangles.push_back({i, j, n + j});
    mesh.triangles.push_back({i, n + j, n + i});
  }
  const MeshDistance distance = distance_of(mesh);
  std::mt19937_64 random(2);
  for (int i = 0; i < 20000; ++i) {
    const Vec3d p = random_in(random, distance.bounds().grown(0.5));
    ASSERT_NEAR(distance(p), star.distance(p), 1e-12);
  }
}

TEST(MeshDistance, winding_tells_inside_as_normals_do) {
  TriangleMesh mesh = sphere_mesh(center, 1, 4);
  MeshReport report = repair(mesh, "m");
  const MeshDistance by_normal(mesh, report);
  report.intersects_itself = true;
  const MeshDistance by_winding(mesh, report);
  std::mt19937_64 random(3);
  for (int i = 0; i < 5000; ++i) {
    const Vec3d p = random_in(random, by_normal.bounds());
    ASSERT_EQ(by_normal(p), by_winding(p));
  }
}

TEST(DistanceGrid, follows_the_exact_distance) {
  const MeshDistance mesh = distance_of(sphere_mesh(center, 1, 4));
  const double cell = 0.02;
  const auto made = DistanceGrid::make([&](const Vec3d& p) { return mesh(p); }, mesh.bounds(), cell);
  ASSERT_TRUE(made);
  const DistanceGrid& grid = *made;
  std::mt19937_64 random(4);
  for (int i = 0; i < 20000; ++i) {
    const Vec3d p = random_in(random, mesh.bounds().grown(0.5));
    const double exact = mesh(p);
    // Near the surface: what trilinear interpolation loses to curvature and facets. Farther away blocks are eight cells
    // wide, their error is half a diagonal, and it is taken off.
    if (std::abs(exact) < 0.9 * cell) {
      ASSERT_NEAR(grid(p), exact, 0.1 * cell) << "at distance " << exact;
    }
    if (mesh.bounds().contains(p, 3)) {
      ASSERT_GE(std::abs(grid(p)), std::abs(exact) - 14 * cell) << "at distance " << exact;
    }
    if (std::abs(exact) > 2 * cell) {
      ASSERT_LE(std::abs(grid(p)), std::abs(exact) + 1e-6);
      if (mesh.bounds().contains(p, 3) && exact > -0.3) {
        ASSERT_GT(dot(normalized(grid.gradient(p)), normalized(p - center)), 0.9);
      }
    }
    if (std::abs(exact) > 0.1 * cell) {
      ASSERT_EQ(grid(p) < 0, exact < 0);
    }
  }
}

TEST(MeshShape, a_wide_plate_keeps_its_thickness) {
  const TemporaryFolder folder;
  folder.write("plate.obj", obj_text(box_mesh({0, -0.2, 0}, {200, 0.4, 200})));
  MeshShape mesh;
  mesh.file = "plate.obj";
  Shape shape{mesh};
  shape.prepare(3, folder.path());
  shape.bake(0.05);
  for (const double x : {-99.0, -33.3, 0.0, 0.123, 71.7})
    for (const double depth : {0.01, 0.1, 0.19}) {
      EXPECT_NEAR(shape.distance({x, -depth, x / 2}), -depth, 1e-6) << x;
      EXPECT_NEAR(shape.normal({x, -depth, x / 2}, 3)[1], 1, 1e-6) << x;
      EXPECT_NEAR(shape.normal({x, 0, x / 2}, 3)[1], 1, 1e-6) << x;
    }
}

TEST(MeshShape, is_scaled_turned_and_moved_as_it_is_loaded) {
  const TemporaryFolder folder;
  folder.write("box.obj", obj_text(box_mesh({}, size)));
  MeshShape mesh;
  mesh.file = "box.obj", mesh.scale = 2, mesh.rotate = {0, 0, std::numbers::pi / 2}, mesh.translate = {10, 0, 0};
  Shape shape{mesh};
  shape.prepare(3, folder.path());
  EXPECT_NEAR(shape.volume(3), 48, 1e-9);
  EXPECT_NEAR(shape.bounds(3).lo[0], 8, 1e-12);
  EXPECT_NEAR(shape.bounds(3).hi[1], 1, 1e-12);
  EXPECT_NEAR(shape.distance({13, 0, 0}), 1, 1e-12);
  shape.bake(0.05);
  EXPECT_NEAR(shape.distance({13, 0, 0}), 1, 0.5) << "far away the grid is coarse";
  EXPECT_NEAR(shape.distance({12.04, 0, 0}), 0.04, 1e-6) << "a flat face is interpolated exactly";
  EXPECT_LT(length(shape.normal({12.01, 0, 0}, 3) - Vec3d{1, 0, 0}), 1e-5);
}

}  // namespace
}  // namespace knead
