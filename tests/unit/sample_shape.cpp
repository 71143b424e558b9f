// Sampling: counts, distances between points, coverage, the same points again, and what is refused.
#include "sample/sample.h"

#include "base/error.h"
#include "base/parallel.h"
#include "base/system.h"
#include "data/meshes.h"
#include "sample/poisson.h"

#include <gtest/gtest.h>

#include <random>

namespace knead {
namespace {

Shape flat(Shape shape) { return shape.prepare(2, ""), shape; }

const Shape ball{Sphere{{0.1, 0.2, 0.3}, 0.5}};
const Shape ring{Torus{{0, 0, 0}, {0, 1, 0.3}, 0.6, 0.25}};

template <class F>
Failure failure_of(F&& f) {
  try {
    f();
  } catch (const Failure& e) {
    return e;
  }
  return Failure(Exit::done, "nothing failed");
}

// Points by cells of a width, for questions about neighbours.
class Buckets {
 public:
  Buckets(const std::vector<Vec3d>& points, double width) : points_(points), width_(width) {
    for (std::size_t i = 0; i < points.size(); ++i) cells_[key(points[i])].push_back(i);
  }
  // The distance to the nearest point but `self`, as far as it is below the width.
  double nearest(const Vec3d& p, std::size_t self) const {
    double best = 1e300;
    for (int n = 0; n < 27; ++n) {
      const Vec3d q = p + width_ * Vec3d{n % 3 - 1.0, n / 3 % 3 - 1.0, n / 9 - 1.0};
      if (const auto found = cells_.find(key(q)); found != cells_.end())
        for (std::size_t i : found->second)
          if (i != self) best = std::min(best, length(points_[i] - p));
    }
    return best;
  }

 private:
  std::array<long, 3> key(const Vec3d& p) const {
    return {std::lround(p[0] / width_), std::lround(p[1] / width_), std::lround(p[2] / width_)};
  }
  const std::vector<Vec3d>& points_;
  double width_;
  std::map<std::array<long, 3>, std::vector<std::size_t>> cells_;
};

TEST(Sample, a_box_of_k_spacings_gets_k_points_along_each_side) {
  const double h = 0.1;
  for (int k : {1, 2, 3, 7, 10}) {
    const Shape box{Box{{0.35, -1.7, 4.3}, {k * h, 2 * h, 3 * h}}};
    const Sample s = sample_shape(box, 3, Sampling::lattice, h, 0);
    ASSERT_EQ(s.points.size(), static_cast<std::size_t>(6 * k));
    Vec3d middle{};
    for (const Vec3d& p : s.points) middle += p / static_cast<double>(s.points.size());
    EXPECT_LT(length(middle - Vec3d{0.35, -1.7, 4.3}), 1e-12) << "no bias";
    EXPECT_NEAR(s.points[0][0], 0.35 - (k - 1) * h / 2, 1e-12);
    EXPECT_DOUBLE_EQ(s.volume, 6 * k * h * h * h);
  }
}

TEST(Sample, count_times_cell_is_the_volume_within_two_percent) {
  for (Sampling how : {Sampling::lattice, Sampling::jittered, Sampling::poisson})
    for (const Shape& shape : {ball, ring, Shape{Box{{}, {1, 0.7, 0.45}}}, Shape{Difference{{ball, ring}}}}) {
      const double h = 0.025;
      const Sample s = sample_shape(shape, 3, how, h, 1);
      EXPECT_NEAR(static_cast<double>(s.points.size()) * h * h * h / s.volume, 1, 0.02)
          << shape.name() << " " << enum_names(how)[static_cast<std::size_t>(how)];
      EXPECT_NEAR(static_cast<double>(s.points.size()) / expected_count(shape, 3, h), 1, 0.02);
    }
  for (Sampling how : {Sampling::lattice, Sampling::jittered, Sampling::poisson})
    for (const Shape& shape : {flat(ball), flat(Shape{Star{}}), flat(Shape{Box{{}, {1, 0.3, 0}}})}) {
      const double h = 0.01;
      const Sample s = sample_shape(shape, 2, how, h, 1);
      EXPECT_NEAR(static_cast<double>(s.points.size()) * h * h / s.volume, 1, 0.02)
          << shape.name() << " " << enum_names(how)[static_cast<std::size_t>(how)];
      for (const Vec3d& p : s.points) ASSERT_EQ(p[2], 0);
    }
}

TEST(Sample, points_lie_inside) {
  for (Sampling how : {Sampling::lattice, Sampling::jittered, Sampling::poisson})
    for (const Vec3d& p : sample_shape(ring, 3, how, 0.03, 5).points) ASSERT_LE(ring.distance(p), 1e-8);
}

TEST(Sample, a_mesh_is_filled_like_the_shape_it_stands_for) {
  const testing_meshes::TemporaryFolder folder;
  folder.write("box.obj", testing_meshes::obj_text(testing_meshes::box_mesh({0.5, 0.5, 0.5}, {1, 1, 1})));
  Shape mesh{MeshShape{}};
  std::get<MeshShape>(mesh.value).file = "box.obj";
  mesh.prepare(3, folder.path());
  const Sample a = sample_shape(mesh, 3, Sampling::lattice, 0.05, 0);
  const Sample b = sample_shape(Shape{Box{{0.5, 0.5, 0.5}, {1, 1, 1}}}, 3, Sampling::lattice, 0.05, 0);
  EXPECT_EQ(a.points.size(), 8000u);
  EXPECT_EQ(a.points, b.points);
  EXPECT_NEAR(a.volume, 1, 1e-12);
}

TEST(Poisson, no_two_points_are_closer_than_the_radius) {
  for (int dim : {2, 3}) {
    const Shape shape = dim == 2 ? flat(ball) : ball;
    const double r = dim == 2 ? 0.01 : 0.04;
    const std::vector<Vec3d> points = poisson_points(shape, dim, r, 7);
    ASSERT_GT(points.size(), 3000u);
    const Buckets near(points, 2 * r);
    for (std::size_t i = 0; i < points.size(); ++i) ASSERT_GE(near.nearest(points[i], i), r);
  }
}

TEST(Poisson, no_room_is_left) {
  for (int dim : {2, 3}) {
    const Shape shape = dim == 2 ? flat(ball) : ball;
    const double r = dim == 2 ? 0.01 : 0.04;
    const std::vector<Vec3d> points = poisson_points(shape, dim, r, 7);
    const Buckets near(points, 2 * r);
    std::mt19937_64 random(1);
    std::uniform_real_distribution<double> unit(-0.5, 0.5);
    for (int i = 0; i < 50000; ++i) {
      Vec3d p{0.1 + unit(random), 0.2 + unit(random), dim == 3 ? 0.3 + unit(random) : 0.0};
      if (shape.distance(p) > 0) continue;
      // Gaps are looked for down to a sixteenth of a cell, whose diagonal is r.
      ASSERT_LE(near.nearest(p, points.size()), (1 + 1.0 / 16) * r);
    }
  }
}

TEST(Poisson, radius_gives_the_density_asked_for) {
  for (int dim : {2, 3}) {
    const Shape box = dim == 2 ? flat(Shape{Box{}}) : Shape{Box{}};
    const double h = dim == 2 ? 0.004 : 0.025;
    int in = 0;
    for (const Vec3d& p : poisson_points(box, dim, poisson_radius(h, dim), 3))
      in += std::max({std::abs(p[0]), std::abs(p[1]), std::abs(p[2])}) < 0.4;
    // Away from the surface; random sequential packings of this many points scatter by well under one percent.
    EXPECT_NEAR(in * std::pow(h / 0.8, dim), 1, 0.015) << dim;
  }
}

TEST(Poisson, memory_follows_the_shape_and_not_its_bounds) {
  // The bounds of this wire hold 3 * 10^9 cells.
  const Shape wire{Capsule{{0, 0, 0}, {1, 1, 1}, 2e-3}};
  const std::uint64_t before = peak_memory();
  const double h = 1.3e-3;
  const std::vector<Vec3d> points = poisson_points(wire, 3, poisson_radius(h, 3), 1);
  EXPECT_GT(static_cast<double>(points.size()), wire.volume(3) / (h * h * h));
  EXPECT_LT(peak_memory() - before, 200u << 20);
}

TEST(Sample, same_seed_same_points_on_any_number_of_threads) {
  for (Sampling how : {Sampling::lattice, Sampling::jittered, Sampling::poisson}) {
    std::vector<Vec3d> first;
    for (int threads : {1, 2, 5}) {
      const ThreadLimit limit(threads);
      const Sample s = sample_shape(ring, 3, how, 0.04, 11);
      if (first.empty()) first = s.points;
      EXPECT_EQ(s.points, first) << threads;
    }
    if (how != Sampling::lattice) {
      EXPECT_NE(sample_shape(ring, 3, how, 0.04, 12).points, first);
    }
  }
}

TEST(Sample, refuses_what_cannot_be_filled) {
  Failure f = failure_of([] { sample_shape(Shape{Plane{}}, 3, Sampling::lattice, 0.1, 0); });
  EXPECT_EQ(f.code, Exit::bad_input);
  EXPECT_STREQ(f.what(), "the plane is infinite and cannot be filled with particles; cut it with an \"intersection\"");

  f = failure_of([] { sample_shape(Shape{Sphere{{}, 1}}, 3, Sampling::lattice, 0.001, 0, 1'000'000); });
  EXPECT_EQ(f.code, Exit::resources);
  EXPECT_STREQ(
      f.what(),
      "the sphere would get 4.19e+09 particles, about 1.26e+03 GB of memory, but at most 1000000 are allowed; use a "
      "larger spacing than 0.001 m");

  f = failure_of([] { sample_shape(Shape{Shell{Shape{Sphere{{}, 1}}, 1e-5}}, 3, Sampling::lattice, 5e-4, 0); });
  EXPECT_EQ(f.code, Exit::resources);
  EXPECT_NE(std::string(f.what()).find("is so thin that its bounds contain 6.4e+10 cells"), std::string::npos)
      << f.what();

  const Shape apart{Intersection{{Shape{Sphere{{}, 1}}, Shape{Sphere{{5, 0, 0}, 1}}}}};
  f = failure_of([&] { sample_shape(apart, 3, Sampling::lattice, 0.1, 0); });
  EXPECT_EQ(f.code, Exit::bad_input);
  EXPECT_STREQ(f.what(), "the intersection is empty: nothing is left to fill with particles");

  const Shape thin{Torus{{}, {0, 1, 0}, 1, 0.01}};
  f = failure_of([&] { sample_shape(thin, 3, Sampling::lattice, 3, 0); });
  EXPECT_EQ(f.code, Exit::bad_input);
  EXPECT_NE(
      std::string(f.what()).find("the torus is too small for particles 3 m apart and gets none; try a spacing of"),
      std::string::npos)
      << f.what();
}

TEST(PointsCsv, reads_what_programs_write) {
  const testing_meshes::TemporaryFolder folder;
  const std::vector<Vec3d> expected{{1, 2, 3}, {-4, 5e-1, 6}};
  for (const char* text : {"x,y,z\n1,2,3\n-4,0.5,6\n", "1 2 3\n-4 .5 6", "# points\n\n1; 2; 3\r\n-4\t5e-1\t+6\r\n",
                           "\xEF\xBB\xBF\"x\" \"y\" \"z\"\n1,2,3 # one\n-4,0.5,6\n"})
    EXPECT_EQ(read_points_csv(folder.write("p.csv", text), 3), expected) << text;
  EXPECT_EQ(read_points_csv(folder.write("p.csv", "1,2\n3,4,0\n"), 2), (std::vector<Vec3d>{{1, 2, 0}, {3, 4, 0}}));
}

TEST(PointsCsv, names_the_line_that_is_wrong) {
  const testing_meshes::TemporaryFolder folder;
  const struct {
    const char* text;
    int dim;
    const char* message;
  } cases[] = {{"1,2,3\n1,2\n", 3, ":2: has 2 numbers but a point in 3D has 3"},
               {"x,y,z\n1,2,3\n1,nan,3\n", 3, ":3: the coordinate nan is not finite or beyond 1e12 m"},
               {"1,2,inf\n", 3, ":1: the coordinate inf is not finite or beyond 1e12 m"},
               {"1,2,3\n1,two,3\n", 3, ":2: 'two' is not a number"},
               {"1,2,3,4\n", 3, ":1: has more than 3 numbers; a line is one point"},
               {"1,2,3\n", 2, ":1: z is 3 but must be 0 or left out in 2D"},
               {"y,x,z\n1,2,3\n", 3, ":1: the header is 'y x z' but must be x, y, z"},
               {"Point ID,x\n1,2\n", 2, ":1: the header is 'point id x' but must be x, y"},
               {"", 3, ": has no points; write one per line: x, y, z"},
               {"x,y\n", 2, ": has no points; write one per line: x, y"}};
  for (const auto& c : cases) {
    const std::filesystem::path file = folder.write("p.csv", c.text);
    const Failure f = failure_of([&] { read_points_csv(file, c.dim); });
    EXPECT_EQ(f.code, Exit::bad_input);
    EXPECT_EQ(f.what(), file.string() + c.message);
  }
  const Failure many = failure_of([&] { read_points_csv(folder.write("p.csv", "1,2,3\n1,2,3\n1,2,3\n"), 3, 2); });
  EXPECT_EQ(many.code, Exit::resources);
  EXPECT_EQ(failure_of([&] { read_points_csv(folder / "none.csv", 3); }).code, Exit::bad_input);
}

}  // namespace
}  // namespace knead
