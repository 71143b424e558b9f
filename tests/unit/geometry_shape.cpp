// Shapes: sign, gradient and bounds of the distance, volumes against a count of random points, and what check()
// refuses.
#include "geometry/shape.h"

#include "geometry/rotation.h"

#include <gtest/gtest.h>

#include <numbers>
#include <random>

namespace knead {
namespace {

struct Case {
  const char* name;
  Shape shape;
  int dim = 3;
  bool exact = true;  // the gradient of the distance has length 1 nearly everywhere
};

Shape prepared(Shape shape, int dim) {
  EXPECT_TRUE(shape.check(dim).empty()) << shape.check(dim)[0];
  shape.prepare(dim, "");
  return shape;
}

std::vector<Case> cases() {
  const Shape ball{Sphere{{0.1, 0.2, -0.1}, 0.6}}, cube{Box{{0.3, 0, 0}, {1, 0.6, 0.8}}};
  const Shape wedge{Polygon{{{-0.5, -0.5, 0}, {0.7, -0.4, 0}, {0.1, 0, 0}, {0.2, 0.8, 0}, {-0.6, 0.3, 0}}, 0.8, 0.1}};
  std::vector<Case> all = {
      {"box", cube},
      {"rounded_box", Shape{RoundedBox{{0.1, 0, 0}, {1, 0.7, 0.9}, 0.2}}},
      {"sphere", ball},
      {"ellipsoid", Shape{Ellipsoid{{0, 0.1, 0}, {0.9, 0.3, 0.5}}}},
      {"cylinder", Shape{Cylinder{{0, 0, 0.1}, {1, 2, 0.5}, 0.4, 0.9}}},
      {"capsule", Shape{Capsule{{-0.5, -0.2, 0}, {0.4, 0.3, 0.2}, 0.3}}},
      {"cone", Shape{Cone{{0, -0.5, 0}, {0.3, 0.6, 0.1}, 0.5, 0}}},
      {"cut cone", Shape{Cone{{0, -0.5, 0}, {0.3, 0.6, 0.1}, 0.5, 0.2}}},
      {"torus", Shape{Torus{{0, 0, 0}, {0.2, 1, 0.1}, 0.6, 0.25}}},
      {"heightfield", Shape{Heightfield{{0.1, 0.4, 0.2, 0.3, 0, 0.5}, 3, {-0.8, 0, -0.7}, {0.8, 0, 0.7}, -0.5}}, 3,
       false},
      {"polygon", wedge},
      {"star", Shape{Star{{0.1, 0, 0}, 5, 0.35, 0.9, 0.3, 0.7}}},
      {"union", Shape{Union{{ball, cube}}}, 3, false},
      {"union of parts apart", Shape{Union{{ball, Shape{Box{{2, 0, 0}, {1, 1, 1}}}}}}, 3, false},
      {"difference", Shape{Difference{{cube, ball}}}, 3, false},
      {"intersection", Shape{Intersection{{cube, ball}}}, 3, false},
      {"cut by a plane", Shape{Intersection{{ball, Shape{Plane{{0, 0.1, 0}, {0.3, 1, 0}}}}}}, 3, false},
      {"shell of a ball", Shape{Shell{ball, 0.1}}},
      {"shell of a box", Shape{Shell{cube, 0.1}}, 3, false},
      {"transform", Shape{Transformed{cube, 1.3, {0.3, -0.5, 0.9}, {0.1, 0.2, 0.3}}}},
  };
  const std::vector<Case> flat = {
      {"rectangle", Shape{Box{{0.3, 0, 0}, {1, 0.6, 0}}}, 2},
      {"rounded rectangle", Shape{RoundedBox{{0.1, 0, 0}, {1, 0.7, 0}, 0.2}}, 2},
      {"disc", ball, 2},
      {"ellipse", Shape{Ellipsoid{{0, 0.1, 0}, {0.9, 0.3, 0}}}, 2},
      {"stadium", Shape{Capsule{{-0.5, -0.2, 0}, {0.4, 0.3, 0}, 0.3}}, 2},
      {"outline", wedge, 2},
      {"flat star", Shape{Star{{0.1, 0, 0}, 7, 0.35, 0.9}}, 2},
      {"profile", Shape{Heightfield{{0.1, 0.4, 0.2, 0.3}, 0, {-0.8, 0, 0}, {0.8, 0, 0}, -0.5}}, 2, false},
      {"flat difference", Shape{Difference{{cube, ball}}}, 2, false},
      {"ring", Shape{Shell{ball, 0.1}}, 2},
      {"turned rectangle", Shape{Transformed{cube, 0.7, {0, 0, 0.6}, {0.1, 0.2, 0}}}, 2},
  };
  all.insert(all.end(), flat.begin(), flat.end());
  for (Case& c : all) c.shape = prepared(c.shape, c.dim);
  return all;
}

Vec3d random_in(std::mt19937_64& random, const Bounds& box, int dim) {
  std::uniform_real_distribution<double> unit;
  Vec3d p{};
  for (int i = 0; i < dim; ++i) p[i] = box.lo[i] + unit(random) * (box.hi[i] - box.lo[i]);
  return p;
}

TEST(Shape, volume_agrees_with_a_count_of_random_points) {
  for (const Case& c : cases()) {
    std::mt19937_64 random(1);
    const Bounds box = c.shape.bounds(c.dim);
    const int n = 100000;
    int in = 0;
    for (int i = 0; i < n; ++i) in += c.shape.distance(random_in(random, box, c.dim)) < 0;
    const double share = static_cast<double>(in) / n;
    // Five standard deviations of a count.
    const double tolerance = 5 * std::sqrt(share * (1 - share) / n) * box.volume(c.dim) + 1e-9;
    EXPECT_NEAR(c.shape.volume(c.dim), share * box.volume(c.dim), tolerance) << c.name;
  }
}

TEST(Shape, lies_within_its_bounds) {
  for (const Case& c : cases()) {
    std::mt19937_64 random(2);
    const Bounds box = c.shape.bounds(c.dim), wide = box.grown(0.5);
    for (int i = 0; i < 20000; ++i) {
      const Vec3d p = random_in(random, wide, c.dim);
      if (c.shape.distance(p) < -1e-12) {
        ASSERT_TRUE(box.contains(p, c.dim)) << c.name;
      }
    }
  }
}

TEST(Shape, distance_changes_by_no_more_than_the_way) {
  for (const Case& c : cases()) {
    std::mt19937_64 random(3);
    const Bounds wide = c.shape.bounds(c.dim).grown(0.5);
    for (int i = 0; i < 10000; ++i) {
      const Vec3d p = random_in(random, wide, c.dim);
      const Vec3d q = i % 2 ? random_in(random, wide, c.dim) : p + 0.01 * (random_in(random, wide, c.dim) - p);
      ASSERT_LE(std::abs(c.shape.distance(p) - c.shape.distance(q)), length(p - q) + 1e-9) << c.name;
    }
  }
}

TEST(Shape, exact_distances_have_unit_gradient) {
  for (const Case& c : cases()) {
    if (!c.exact) continue;
    std::mt19937_64 random(4);
    const Bounds wide = c.shape.bounds(c.dim).grown(0.5);
    int odd = 0;
    for (int i = 0; i < 2000; ++i) {
      const Vec3d p = random_in(random, wide, c.dim);
      Vec3d g{};
      for (int k = 0; k < c.dim; ++k) {
        const Vec3d h = 1e-5 * Vec3d::axis(k);
        g[k] = (c.shape.distance(p + h) - c.shape.distance(p - h)) / 2e-5;
      }
      odd += std::abs(length(g) - 1) > 1e-4;
    }
    // Differences across a ridge, where two surface points are equally near, may come out short: few points are that
    // close.
    EXPECT_LE(odd, 5) << c.name;
  }
}

// Steps along the normal by the distance must land on the surface, inside and outside: the distance is the true one.
TEST(Shape, exact_distances_lead_to_the_surface) {
  for (const Case& c : cases()) {
    if (!c.exact) continue;
    std::mt19937_64 random(5);
    const Bounds wide = c.shape.bounds(c.dim).grown(0.5);
    int missed = 0;
    for (int i = 0; i < 2000; ++i) {
      const Vec3d p = random_in(random, wide, c.dim);
      const Vec3d foot = p - c.shape.distance(p) * c.shape.normal(p, c.dim);
      missed += std::abs(c.shape.distance(foot)) > 1e-5;
    }
    EXPECT_LE(missed, 5) << c.name;
  }
}

TEST(Shape, quadrature_reaches_one_in_ten_thousand) {
  // Against closed forms that the quadrature does not know.
  const double pi = std::numbers::pi;
  const Shape ball = prepared(Shape{Sphere{{0.1, 0.2, 0.3}, 0.7}}, 3), disc = prepared(ball, 2);
  EXPECT_NEAR(volume_by_quadrature(ball, ball.bounds(3), 3) / ball.volume(3), 1, 1e-4);
  EXPECT_NEAR(volume_by_quadrature(disc, disc.bounds(2), 2) / disc.volume(2), 1, 1e-4);
  const Shape half{Intersection{{ball, Shape{Plane{{0.1, 0.2, 0.3}, {1, 2, 3}}}}}};
  EXPECT_NEAR(half.volume(3) / (ball.volume(3) / 2), 1, 1e-4);
  // A cap of height h: pi h^2 (3 r - h) / 3.
  const Shape cap{Difference{{ball, Shape{Plane{{0.1, 0.6, 0.3}, {0, 1, 0}}}}}};
  EXPECT_NEAR(cap.volume(3) / (pi * 0.3 * 0.3 * (3 * 0.7 - 0.3) / 3), 1, 1e-4);
  const Shape wall{Shell{Shape{Box{{}, {1, 1, 1}}}, 0.1}};
  EXPECT_NEAR(wall.volume(3) / (1 - 0.8 * 0.8 * 0.8), 1, 1e-4);
}

TEST(Shape, transform_moves_distance_and_volume_with_the_shape) {
  const Shape inner{Cone{{0, 0, 0}, {0, 1, 0}, 0.5, 0.1}};
  const Shape moved = prepared(Shape{Transformed{inner, 2, {0.4, 0.1, -0.7}, {1, 2, 3}}}, 3);
  const Mat3d r = rotation_matrix({0.4, 0.1, -0.7});
  std::mt19937_64 random(6);
  for (int i = 0; i < 100; ++i) {
    const Vec3d y = random_in(random, inner.bounds(3).grown(0.5), 3);
    EXPECT_NEAR(moved.distance(r * (2.0 * y) + Vec3d{1, 2, 3}), 2 * inner.distance(y), 1e-12);
  }
  EXPECT_NEAR(moved.volume(3), 8 * inner.volume(3), 1e-12);
}

TEST(Shape, star_is_the_polygon_of_its_outline) {
  const Star star{{0.2, -0.1, 0}, 6, 0.3, 0.8, 0.2, 1};
  const Polygon polygon{star.outline(), 1, 0};
  std::mt19937_64 random(7);
  for (int i = 0; i < 1000; ++i) {
    const Vec3d p = random_in(random, star.bounds(3).grown(0.3), 3);
    EXPECT_NEAR(star.distance(p), polygon.distance(p), 1e-12);
  }
  EXPECT_NEAR(star.volume(2), polygon.volume(2), 1e-12);
}

TEST(Shape, plane_and_bottomless_ground_are_unbounded) {
  EXPECT_EQ(Shape{Plane{}}.volume(3), Bounds::infinity);
  EXPECT_FALSE(Shape{Plane{}}.bounds(3).finite(3));
  EXPECT_EQ(Shape{Plane{}}.bounds(3).hi[1], 0);
  const Shape ground{Heightfield{{0, 1}, 0, {0, 0, 0}, {1, 0, 1}, {}}};
  EXPECT_EQ(ground.volume(3), Bounds::infinity);
  EXPECT_LT(ground.distance({0.5, -100, 0.5}), 0);
}

TEST(Shape, normal_points_out) {
  const Shape ball{Sphere{{1, 0, 0}, 0.5}};
  const Vec3d n = ball.normal({2, 0, 0}, 3);
  EXPECT_NEAR(n[0], 1, 1e-9);
  EXPECT_NEAR(length(ball.normal({1, 0, 0}, 3)), 1, 1e-12) << "even at the centre";
  EXPECT_EQ((Shape{Plane{{}, {0, 2, 0}}}.normal({3, -4, 5}, 2)), (Vec3d{0, 1, 0}));
}

std::string first_complaint(const Shape& shape, int dim) {
  const std::vector<std::string> wrong = shape.check(dim);
  return wrong.empty() ? "" : wrong[0];
}

TEST(Shape, check_says_what_is_wrong) {
  EXPECT_EQ(first_complaint(Shape{Polygon{{{0, 0, 0}, {1, 0, 0}}}}, 2),
            "points has 2 points but a polygon needs at least 3");
  EXPECT_EQ(first_complaint(Shape{Polygon{{{0, 0, 0}, {1, 1, 0}, {1, 0, 0}, {0, 1, 0}}}}, 2),
            "the outline crosses itself: the edge after point 1 meets the edge after point 3");
  EXPECT_EQ(first_complaint(Shape{Polygon{{{0, 0, 0}, {1, 1, 0}, {2, 2, 0}}}}, 2),
            "the points lie on a line: a polygon needs an area");
  EXPECT_EQ(first_complaint(Shape{Cylinder{}}, 2),
            "a cylinder exists in 3D only; in 2D use a \"disc\" or a \"rectangle\"");
  EXPECT_EQ(first_complaint(Shape{Union{{Shape{Box{}}, Shape{Torus{}}}}}, 2),
            "in shape 2 of the union (torus): a torus exists in 3D only; in 2D use a \"shell\" of a \"disc\"");
  EXPECT_EQ(first_complaint(Shape{Cone{{}, {}, 1, 0}}, 3),
            "apex and base must not be the same point: a cone needs a height");
  EXPECT_EQ(first_complaint(Shape{RoundedBox{{}, {1, 1, 0.2}, 0.2}}, 3),
            "radius is 0.2 m but may be at most half the least size, 0.1 m");
  EXPECT_EQ(first_complaint(Shape{Transformed{Shape{Box{}}, 1, {1, 0, 0}, {}}}, 2),
            "rotate must be about z in 2D: [0, 0, angle]");
  EXPECT_EQ(first_complaint(Shape{MeshShape{}}, 3), "file is empty but must name an OBJ, PLY, STL, glTF or GLB file");
  EXPECT_EQ(first_complaint(Shape{Heightfield{{1, 2, 3}, 2, {}, {1, 0, 1}, {}}}, 3),
            "3 heights do not fill rows of 2 columns");
}

TEST(Shape, table_reaches_a_shape_within_a_shape) {
  Shape shape{Shell{}};
  const Field& of = Shell::table().fields[0];
  void* inner = of.type.value(of.at(&std::get<Shell>(shape.value)));
  for (const Alternative& a : of.type.one_of().alternatives)
    if (a.table->name == "torus") static_cast<Torus*>(a.emplace(inner))->tube = 0.125;
  EXPECT_EQ(std::get<Torus>(std::get<Shell>(shape.value).of->value).tube, 0.125);
  const Shape copy = shape;
  std::get<Torus>(std::get<Shell>(shape.value).of->value).tube = 0.5;
  EXPECT_EQ(std::get<Torus>(std::get<Shell>(copy.value).of->value).tube, 0.125) << "copies are apart";
}

TEST(Shape, every_alternative_has_a_name_and_rows) {
  EXPECT_EQ(Shape::alternatives().alternatives.size(), 18u);
  for (const Alternative& a : Shape::alternatives().alternatives) {
    EXPECT_FALSE(a.table->name.empty());
    EXPECT_FALSE(a.table->fields.empty()) << a.table->name;
    Shape s;
    a.emplace(&s);
    EXPECT_EQ(s.name(), a.table->name);
  }
}

}  // namespace
}  // namespace knead
