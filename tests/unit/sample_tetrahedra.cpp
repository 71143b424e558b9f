// Shapes into triangles and tetrahedra: sound meshes, proven angles, volumes that converge, sharp edges kept.
#include "sample/tetrahedra.h"

#include "base/error.h"
#include "base/parallel.h"
#include "data/meshes.h"
#include "data/simplices.h"
#include "sample/fit_features.h"
#include "sample/stuffing.h"

#include <gtest/gtest.h>

namespace knead {
namespace {

using testing_meshes::expect_sound;

Shape prepared(Shape shape, int dim) { return shape.prepare(dim, ""), shape; }
Shape turned(Shape shape, int dim = 3) {
  return prepared(Shape{Transformed{std::move(shape), 1, dim == 2 ? Vec3d{0, 0, 0.3} : Vec3d{0.3, 0.4, 0.5}}}, dim);
}

template <int d>
double nearest_point(const SimplexMesh<d>& mesh, const Vec3d& p) {
  double best = 1e300;
  for (const auto& x : mesh.points) best = std::min(best, length(resized<double, 3>(x) - p));
  return best;
}

template <int d>
void expect_boundary_on(const SimplexMesh<d>& mesh, const Shape& shape, double tolerance) {
  for (const auto& f : boundary_facets(mesh))
    for (int p : f)
      ASSERT_NEAR(shape.distance(resized<double, 3>(mesh.points[static_cast<std::size_t>(p)])), 0, tolerance);
}

TEST(Stuffing, smooth_shapes_have_the_proven_dihedral_angles) {
  for (int i = 0; i < 8; ++i) {
    const double t = 0.37 * i;
    const Shape shape = prepared(Shape{Ellipsoid{{t, -t, 0.5 * t}, {0.5, 0.4 + 0.05 * i, 0.7 - 0.04 * i}}}, 3);
    const SimplexMesh<3> mesh = stuffed<3>(shape, 0.1);
    const SimplexQuality q = quality_of(mesh);
    EXPECT_GT(q.least_angle, 10.7) << i;  // Labelle and Shewchuk 2007, theorem 1
    EXPECT_LT(q.largest_angle, 164.8) << i;
    EXPECT_GT(q.least_altitude, sliver_altitude) << i;
    EXPECT_NEAR(q.mean_edge, 0.1, 0.01) << i;
    EXPECT_EQ(euler_number(mesh), 1) << i;
    expect_sound(mesh);
    expect_boundary_on(mesh, shape, 1e-9);
  }
}

TEST(Stuffing, a_ring_stays_a_ring) {
  const SimplexMesh<3> mesh = stuffed<3>(prepared(Shape{Torus{{0, 0, 0}, {0, 1, 0.3}, 0.6, 0.25}}, 3), 0.08);
  EXPECT_EQ(euler_number(mesh), 0);
  expect_sound(mesh);
}

TEST(Stuffing, volume_of_a_ball_converges_at_second_order) {
  const Shape ball = prepared(Shape{Sphere{{0.1, 0.2, 0.3}, 0.5}}, 3);
  const double coarse = ball.volume(3) - total_volume(stuffed<3>(ball, 0.1));
  const double fine = ball.volume(3) - total_volume(stuffed<3>(ball, 0.05));
  EXPECT_GT(fine, 0) << "an inscribed surface is smaller";
  EXPECT_NEAR(std::log2(coarse / fine), 2, 0.15);
  const Shape disc = prepared(Shape{Sphere{{0.1, 0.2, 0}, 0.5}}, 2);
  const double coarse_2d = disc.volume(2) - total_volume(stuffed<2>(disc, 0.1));
  const double fine_2d = disc.volume(2) - total_volume(stuffed<2>(disc, 0.025));
  EXPECT_NEAR(0.5 * std::log2(coarse_2d / fine_2d), 2, 0.3);  // the rim has few edges to average over
}

TEST(Stuffing, threads_do_not_matter) {
  const Shape shape = turned(Shape{Cylinder{}});
  auto hashed = [&](int threads) {
    const ThreadLimit limit(threads);
    return simplices_of<3>(shape, 0.1, Meshing::stuffed, 1);
  };
  const SimplexMesh<3> one = hashed(1), four = hashed(4);
  EXPECT_EQ(one.cells, four.cells);
  EXPECT_TRUE(one.points == four.points);
}

TEST(Stuffing, a_box_along_the_axes_is_exact) {
  const Shape box = prepared(Shape{Box{{0.1, 0.2, 0.3}, {1, 0.63, 0.41}}}, 3);
  const SimplexMesh<3> mesh = stuffed<3>(box, 0.1);
  expect_sound(mesh);
  EXPECT_NEAR(total_volume(mesh), box.volume(3), 1e-12);
}

TEST(Features, a_turned_box_keeps_its_edges_and_corners) {
  const Shape box = turned(Shape{Box{}});
  SimplexMesh<3> mesh = stuffed<3>(box, 0.1);
  EXPECT_LT(total_volume(mesh), 0.99) << "chamfered before";
  const FeatureFit fit = fit_features(mesh, box, 0.1);
  EXPECT_LE(fit.left, 4u) << "of more than a hundred";
  expect_sound(mesh);
  expect_boundary_on(mesh, box, 1e-6);
  const SimplexQuality q = quality_of(mesh);
  EXPECT_NEAR(q.volume, 1, 1e-3);
  EXPECT_GT(q.least_altitude, sliver_altitude);
  for (const Vec3d& corner : {Vec3d{0.5, 0.5, 0.5}, Vec3d{-0.5, 0.5, -0.5}, Vec3d{0.5, -0.5, -0.5}}) {
    const auto& t = std::get<Transformed>(box.value);
    EXPECT_LT(nearest_point(mesh, *t.rotation * corner), 1e-9);
  }
}

TEST(Features, a_cylinder_keeps_its_rims) {
  const Shape cylinder = turned(Shape{Cylinder{}});
  const SimplexMesh<3> mesh = simplices_of<3>(cylinder, 0.1, Meshing::stuffed, 1);
  expect_sound(mesh);
  expect_boundary_on(mesh, cylinder, 1e-5);  // rims are polygons of 720 corners
  const SimplexQuality q = quality_of(mesh);
  EXPECT_GT(q.least_altitude, sliver_altitude);
  // Chords of 0.1 in a circle of radius 0.5 leave out 0.1^2 / 6 / 0.5^2 of its area.
  EXPECT_NEAR(q.volume / cylinder.volume(3), 1 - 0.0067, 0.003);
}

TEST(Features, corners_of_flat_shapes_are_kept) {
  const Star star{{0.1, 0.2, 0}, 5, 0.25, 0.5, 0.1};
  const Shape shape = prepared(Shape{star}, 2);
  const SimplexMesh<2> mesh = simplices_of<2>(shape, 0.03, Meshing::stuffed, 1);
  expect_sound(mesh);
  for (const Vec3d& corner : star.outline()) EXPECT_LT(nearest_point(mesh, {corner[0], corner[1], 0}), 1e-9);
  const SimplexQuality q = quality_of(mesh);
  EXPECT_NEAR(q.volume, shape.volume(2), 1e-6);
  EXPECT_GT(q.least_altitude, sliver_altitude);
  EXPECT_EQ(euler_number(mesh), 1);
}

TEST(Features, sharp_edges_of_a_mesh_are_found) {
  const testing_meshes::TemporaryFolder folder;
  folder.write("box.obj", testing_meshes::obj_text(testing_meshes::box_mesh({}, {1, 1, 1})));
  MeshShape file;
  file.file = "box.obj";
  file.rotate = {0.3, 0.4, 0.5};
  Shape shape{file};
  shape.prepare(3, folder.path());
  const SimplexMesh<3> mesh = simplices_of<3>(shape, 0.15, Meshing::stuffed, 1);
  expect_sound(mesh);
  EXPECT_NEAR(total_volume(mesh), 1, 1e-3);
  EXPECT_GT(quality_of(mesh).least_altitude, sliver_altitude);
}

TEST(Stuffing, what_cannot_be_meshed_is_refused) {
  auto message = [](const Shape& shape, double edge) {
    try {
      simplices_of<3>(shape, edge, Meshing::stuffed, 1);
    } catch (const Failure& e) {
      return std::string(e.what());
    }
    return std::string("nothing failed");
  };
  EXPECT_EQ(message(prepared(Shape{Plane{}}, 3), 0.1), "the plane has no end and cannot be meshed");
  EXPECT_NE(message(prepared(Shape{Sphere{}}, 3), 1e-5).find("lattice points at edges of 1e-05 m"), std::string::npos);
  EXPECT_NE(message(prepared(Shape{Sphere{{}, 0.001}}, 3), 0.1).find("too thin for edges of 0.1 m"), std::string::npos);
  EXPECT_NE(message(prepared(Shape{Sphere{}}, 3), 0).find("longer than 0"), std::string::npos);
}

}  // namespace
}  // namespace knead
