// Shapes into triangles and tetrahedra: sound meshes, proven angles, volumes that converge, sharp edges kept.
#include "sample/tetrahedra.h"

#include "base/error.h"
#include "base/parallel.h"
#include "data/meshes.h"
#include "data/simplices.h"
#include "geometry/shape_features.h"
#include "sample/delaunay.h"
#include "sample/fit_features.h"
#include "sample/poisson.h"
#include "sample/stuffing.h"

#include <gtest/gtest.h>

#include <map>
#include <numbers>
#include <random>

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

// How far p is from the nearest of the edges.
double distance_to(const std::vector<SharpEdge>& edges, const Vec3d& p) {
  double best = 1e300;
  for (const SharpEdge& e : edges) {
    const Vec3d along = e.to - e.from;
    const double t = std::clamp(dot(p - e.from, along) / std::max(1e-300, dot(along, along)), 0.0, 1.0);
    best = std::min(best, length(e.from + t * along - p));
  }
  return best;
}

TEST(Meetings, of_two_balls_is_a_circle) {
  // Radii 0.5 and 0.4, 0.6 apart along x: they meet at x = (0.6^2 + 0.5^2 - 0.4^2) / (2 * 0.6) = 0.375.
  const std::vector<Shape> balls{Shape{Sphere{{0, 0, 0}, 0.5}}, Shape{Sphere{{0.6, 0, 0}, 0.4}}};
  const double x = 0.375, radius = std::sqrt(0.5 * 0.5 - x * x);
  for (const Shape& shape : {Shape{Union{balls}}, Shape{Difference{balls}}, Shape{Intersection{balls}}}) {
    const Features f = features_of(prepared(shape, 3), 3, 0.02);
    EXPECT_TRUE(f.corners.empty());
    ASSERT_FALSE(f.edges.empty());
    for (const SharpEdge& e : f.edges)
      for (const Vec3d& p : {e.from, e.to}) {
        EXPECT_NEAR(p[0], x, 1e-8);
        EXPECT_NEAR(std::hypot(p[1], p[2]), radius, 1e-8);
      }
    // Nothing of the circle is missing; chords of 0.015 leave it by 0.015^2 / 8 / radius.
    for (int i = 0; i < 1000; ++i)
      EXPECT_LT(distance_to(f.edges, {x, radius * std::cos(0.00628 * i), radius * std::sin(0.00628 * i)}), 1e-4);
    // 0.6 apart, the outward normals have this cosine; a ball that is cut away turns its own.
    const double c = (0.25 + 0.16 - 0.36) / (2 * 0.5 * 0.4);
    EXPECT_NEAR(dot(f.edges[0].normals[0], f.edges[0].normals[1]),
                std::holds_alternative<Difference>(shape.value) ? -c : c, 1e-3);
  }
  const std::vector<Shape> apart{Shape{Sphere{{0, 0, 0}, 0.5}}, Shape{Sphere{{2, 0, 0}, 0.4}}};
  EXPECT_TRUE(features_of(prepared(Shape{Union{apart}}, 3), 3, 0.02).edges.empty());
}

// A post through a beam: they meet in two squares.
const Shape cross_of_boxes{Union{{Shape{Box{{}, {1.4, 0.4, 0.5}}}, Shape{Box{{}, {0.3, 1.2, 0.3}}}}}};

TEST(Meetings, of_two_boxes_have_corners) {
  const Features f = features_of(prepared(cross_of_boxes, 3), 3, 0.02);
  for (const double y : {-0.2, 0.2})
    for (int i = 0; i < 100; ++i) {
      const double t = 0.3 * (i / 99. - 0.5);
      for (const Vec3d& p : {Vec3d{t, y, 0.15}, Vec3d{t, y, -0.15}, Vec3d{0.15, y, t}, Vec3d{-0.15, y, t}})
        EXPECT_LT(distance_to(f.edges, p), 1e-7);
    }
  for (int i = 0; i < 8; ++i) {
    const Vec3d corner{i & 1 ? 0.15 : -0.15, i & 2 ? 0.2 : -0.2, i & 4 ? 0.15 : -0.15};
    double nearest = 1;
    for (const Vec3d& p : f.corners) nearest = std::min(nearest, length(p - corner));
    EXPECT_LT(nearest, 1e-9);
  }
  // Boxes that share the planes of sides have no edge there but their own; three balls meet in two points.
  const Shape row = prepared(Shape{Union{{Shape{Box{{0, 0, 0}}}, Shape{Box{{0.7, 0, 0}}}}}}, 3);
  EXPECT_EQ(features_of(row, 3, 0.05).edges.size(), features_of(row, 3).edges.size());
  const Shape three = prepared(Shape{Intersection{{Shape{Sphere{{0.2, 0, 0}, 0.5}}, Shape{Sphere{{-0.1, 0.2, 0}, 0.5}},
                                                   Shape{Sphere{{-0.1, -0.2, 0}, 0.5}}}}},
                               3);
  const std::vector<Vec3d> corners = features_of(three, 3, 0.02).corners;
  ASSERT_EQ(corners.size(), 2u);
  // Equally far from all centres: (x - 0.2)^2 = (x + 0.1)^2 + 0.2^2 in the plane y = 0.
  for (const Vec3d& p : corners) {
    EXPECT_NEAR(p[0], -1. / 60, 1e-8);
    EXPECT_NEAR(p[1], 0, 1e-8);
    EXPECT_NEAR(std::abs(p[2]), std::sqrt(0.25 - 0.0469444444444), 1e-8);
  }
}

TEST(Meetings, are_sharp_in_stuffed_meshes) {
  const Shape crossed = turned(cross_of_boxes);
  SimplexMesh<3> mesh = stuffed<3>(crossed, 0.08);
  const FeatureFit fit = fit_features(mesh, crossed, 0.08);
  expect_sound(mesh);
  EXPECT_LE(fit.left, 2u) << "of more than a hundred";
  EXPECT_GT(quality_of(mesh).least_altitude, sliver_altitude);
  EXPECT_NEAR(total_volume(mesh), 1.4 * 0.4 * 0.5 + (1.2 - 0.4) * 0.3 * 0.3, 2e-4);

  const Shape drilled =
      turned(Shape{Difference{{Shape{Box{{}, {1, 0.6, 1}}}, Shape{Cylinder{{}, {0, 1, 0}, 0.25, 2}}}}});
  const SimplexMesh<3> holed = simplices_of<3>(drilled, 0.1, Meshing::stuffed, 1);
  expect_sound(holed);
  EXPECT_EQ(euler_number(holed), 0);
  // Chords of 0.1 in a circle of radius 0.25 leave out 0.1^2 / 6 / 0.25^2 of its area.
  const double hole = 3.14159265358979 * 0.25 * 0.25 * 0.6;
  EXPECT_NEAR(total_volume(holed), 0.6 - hole * (1 - 0.027), 0.01 * 0.6);

  const Shape bitten = prepared(Shape{Difference{{Shape{Box{}}, Shape{Sphere{{0.5, 0.1, 0}, 0.3}}}}}, 2);
  const SimplexMesh<2> flat = simplices_of<2>(bitten, 0.05, Meshing::stuffed, 1);
  expect_sound(flat);
  for (const double y : {-0.2, 0.4}) EXPECT_LT(nearest_point(flat, {0.5, y, 0}), 1e-9);
}

// The surface's points come first and unmoved, its facets are the boundary.
template <int d>
void expect_kept(const ClosedSurface<d>& surface, const SimplexMesh<d>& mesh) {
  expect_sound(mesh);
  ASSERT_GE(mesh.points.size(), surface.points.size());
  for (std::size_t p = 0; p < surface.points.size(); ++p) ASSERT_TRUE(mesh.points[p] == surface.points[p]);
  // From the least corner on, in the same sense.
  auto turned_facets = [](std::vector<typename SimplexMesh<d>::Facet> facets) {
    for (auto& f : facets) std::rotate(f.begin(), std::min_element(f.begin(), f.end()), f.end());
    if (d == 2)
      for (auto& f : facets) std::sort(f.begin(), f.end());
    std::sort(facets.begin(), facets.end());
    return facets;
  };
  EXPECT_EQ(turned_facets(boundary_facets(mesh)), turned_facets(surface.facets));
}

// A unit cube of n^2 squares a side, each cut along one of its diagonals at random: four points on a circle everywhere.
ClosedSurface<3> cube_of_squares(int n) {
  ClosedSurface<3> s;
  std::map<std::array<int, 3>, int> known;
  std::mt19937 random(3);
  for (std::size_t axis = 0; axis < 3; ++axis)
    for (int far = 0; far < 2; ++far)
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
          std::array<int, 4> corner{};
          for (std::size_t k = 0; k < 4; ++k) {
            std::array<int, 3> at{};
            at[axis] = far * n;
            at[(axis + 1) % 3] = i + (k == 1 || k == 2);
            at[(axis + 2) % 3] = j + (k >= 2);
            const auto [found, fresh] = known.try_emplace(at, static_cast<int>(s.points.size()));
            if (fresh) s.points.push_back(Vec3d{double(at[0]), double(at[1]), double(at[2])} / double(n));
            corner[k] = found->second;
          }
          if (far == 0) std::swap(corner[1], corner[3]);
          const std::size_t r = random() % 2;
          s.facets.push_back({corner[r], corner[1 + r], corner[(2 + r) % 4]});
          s.facets.push_back({corner[r], corner[(2 + r) % 4], corner[(3 + r) % 4]});
        }
  return s;
}

std::vector<Vec3d> poisson_inside(const Shape& shape, double edge) {
  std::vector<Vec3d> inside;
  for (const Vec3d& p : poisson_points(shape, 3, 0.8 * edge, 1))
    if (shape.distance(p) < -0.5 * edge) inside.push_back(p);
  return inside;
}

TEST(Delaunay, triangles_of_the_surface_are_kept) {
  const ClosedSurface<3> cube = cube_of_squares(8);
  const Shape box = prepared(Shape{Box{{0.5, 0.5, 0.5}}}, 3);
  expect_kept(cube, delaunay_between<3>(cube, poisson_inside(box, 0.125), 0.125));
  const ClosedSurface<3> ball = closed_surface(testing_meshes::sphere_mesh({}, 0.5, 3));
  expect_kept(ball, delaunay_between<3>(ball, poisson_inside(prepared(Shape{Sphere{}}, 3), 0.1), 0.1));
  const ClosedSurface<3> coarse = closed_surface(testing_meshes::box_mesh({}, {1, 1, 1}));
  expect_kept(coarse, delaunay_between<3>(coarse, poisson_inside(prepared(Shape{Box{}}, 3), 0.2), 0.2));
}

TEST(Delaunay, a_mesh_file_is_kept_however_it_is_moved) {
  const testing_meshes::TemporaryFolder folder;
  const TriangleMesh ball = testing_meshes::sphere_mesh({}, 0.5, 2);
  folder.write("ball.obj", testing_meshes::obj_text(ball));
  MeshShape file;
  file.file = "ball.obj", file.scale = 3, file.translate = {1, 0, 0};
  Shape shape{Transformed{Shape{file}, 0.5, {0, 0, std::numbers::pi / 2}, {0, 0, 2}}};
  shape.prepare(3, folder.path());
  const std::optional<TriangleMesh> surface = surface_of_file(shape);
  ASSERT_TRUE(surface);
  EXPECT_TRUE(surface->triangles == ball.triangles);
  for (std::size_t v = 0; v < ball.vertices.size(); ++v) {
    const Vec3d& x = ball.vertices[v];
    EXPECT_LT(length(surface->vertices[v] - Vec3d{-1.5 * x[1], 0.5 + 1.5 * x[0], 2 + 1.5 * x[2]}), 1e-15);
  }
  expect_kept(closed_surface(*surface), simplices_of<3>(shape, 0.4, Meshing::delaunay, 1));
  EXPECT_FALSE(surface_of_file(prepared(Shape{Sphere{}}, 3)));
}

TEST(Delaunay, surfaces_that_delaunay_would_cut_otherwise_are_kept) {
  // Even squares around a ring: no weights favour one diagonal everywhere. And a star with sharp and hollow edges.
  const Shape ring = prepared(Shape{Torus{{}, {0, 1, 0}, 0.5, 0.2}}, 3);
  ClosedSurface<3> squares;
  const int n = 32, m = 14;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < m; ++j) {
      const double u = 6.283185307179586 * i / n, v = 6.283185307179586 * j / m, r = 0.5 + 0.2 * std::cos(v);
      squares.points.push_back({r * std::cos(u), 0.2 * std::sin(v), r * std::sin(u)});
      const int a = i * m + j, b = (i + 1) % n * m + j, c = (i + 1) % n * m + (j + 1) % m, e = i * m + (j + 1) % m;
      squares.facets.push_back({a, c, b});
      squares.facets.push_back({a, e, c});
    }
  expect_kept(squares, delaunay_between<3>(squares, poisson_inside(ring, 0.09), 0.09));
  const Shape star = prepared(Shape{Star{{}, 5, 0.25, 0.5, 0, 0.3}}, 3);
  const ClosedSurface<3> tips = boundary_of(simplices_of<3>(star, 0.08, Meshing::stuffed, 1));
  expect_kept(tips, delaunay_between<3>(tips, poisson_inside(star, 0.08), 0.08));
}

TEST(Delaunay, a_filled_ball_has_few_slivers_and_the_wanted_edges) {
  const Shape ball = prepared(Shape{Sphere{}}, 3);
  const SimplexMesh<3> mesh = simplices_of<3>(ball, 0.1, Meshing::delaunay, 1);
  expect_sound(mesh);
  const SimplexQuality q = quality_of(mesh);
  EXPECT_NEAR(q.mean_edge, 0.1, 0.01);
  EXPECT_EQ(q.slivers, 0u);
  EXPECT_EQ(euler_number(mesh), 1);
  // Another seed, other points; the same seed, the same.
  EXPECT_TRUE(simplices_of<3>(ball, 0.1, Meshing::delaunay, 1).points == mesh.points);
  EXPECT_FALSE(simplices_of<3>(ball, 0.1, Meshing::delaunay, 2).points == mesh.points);
}

// Most of the points lie in two planes, on a lattice: many ways to cut them are as good as each other.
TEST(Delaunay, a_thin_plate_is_filled) {
  const Shape plate = prepared(Shape{Box{{}, {0.5, 0.5, 0.02}}}, 3);
  for (const double edge : {0.03, 0.02, 0.013}) {
    const SimplexMesh<3> mesh = simplices_of<3>(plate, edge, Meshing::delaunay, 1);
    expect_sound(mesh);
    EXPECT_NEAR(total_volume(mesh), 0.005, 1e-6 * 0.005);
    EXPECT_LE(quality_of(mesh).slivers, mesh.cells.size() / 10000);
    EXPECT_EQ(euler_number(mesh), 1);
  }
}

TEST(Delaunay, flat_shapes_keep_their_outline) {
  const Shape star = prepared(Shape{Star{}}, 2);
  const ClosedSurface<2> outline = boundary_of(simplices_of<2>(star, 0.05, Meshing::stuffed, 1));
  const SimplexMesh<2> mesh = simplices_of<2>(star, 0.05, Meshing::delaunay, 1);
  expect_kept(outline, mesh);
  EXPECT_NEAR(quality_of(mesh).mean_edge, 0.05, 0.005);
}

TEST(Delaunay, points_next_to_the_surface_do_no_harm) {
  const ClosedSurface<3> coarse = closed_surface(testing_meshes::box_mesh({}, {1, 1, 1}));
  // Next to the middle of a side, nearly in the plane of its triangles, and in the very middle.
  const SimplexMesh<3> mesh = delaunay_between<3>(coarse, {{0.1, 0.2, 0.4999}, {0, 0, 0}}, 1);
  expect_kept(coarse, mesh);
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
  EXPECT_EQ(message(prepared(Shape{Plane{}}, 3), 0.1), "the plane is infinite and cannot be meshed");
  EXPECT_NE(message(prepared(Shape{Sphere{}}, 3), 1e-5).find("lattice points at edges of 1e-05 m"), std::string::npos);
  EXPECT_NE(message(prepared(Shape{Sphere{{}, 0.001}}, 3), 0.1).find("too thin for edges of 0.1 m"), std::string::npos);
  EXPECT_NE(message(prepared(Shape{Sphere{}}, 3), 0).find("longer than 0"), std::string::npos);
}

}  // namespace
}  // namespace knead
