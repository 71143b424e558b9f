// Motion: poses at keyframes, velocities as the derivative of the pose, colliders that move.
#include "geometry/motion.h"

#include "geometry/collider.h"
#include "geometry/rotation.h"
#include "world/colliders.h"

#include <gtest/gtest.h>

#include <numbers>
#include <random>

namespace knead {
namespace {

constexpr double pi = std::numbers::pi;

Motion everything() {
  Motion m;
  m.velocity = {0.3, -0.2, 0.1};
  m.spin = {0.5, 1.5, -0.7};
  m.pivot = {0.2, 0.4, -0.1};
  m.keyframes = {{0.5, {0, 0, 0}, {0, 0, 0}}, {1.5, {1, 0, 0}, {0, 0, 2}}, {2, {1, 1, 0}, {1, 0.5, -1}}};
  const std::vector<std::string> time{"t"};
  m.translate.set(0, "0.3*sin(3*t)", time);
  m.translate.set(1, 0.25);
  m.rotate.set(0, "t^2", time);
  m.rotate.set(2, "1 - exp(-t)", time);
  return m;
}

TEST(Rotation, vector_and_matrix_invert_each_other) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> unit(-1, 1);
  for (int i = 0; i < 1000; ++i) {
    // Angles from next to nothing to next to a half turn.
    const double angle = i % 3 == 0 ? 1e-9 * (i + 1) : i % 3 == 1 ? pi - 1e-7 * i : 3 * std::abs(unit(random));
    const Vec3d w = angle * normalized(Vec3d{unit(random), unit(random), unit(random)});
    const Mat3d r = rotation_matrix(w);
    EXPECT_LT(norm2(r * transpose(r) - Mat3d::identity()), 1e-28);
    // Within 1e-6 of a half turn the angle comes from a sine of that size, known to 1e-16.
    EXPECT_LT(length(rotation_vector(r) - w), 1e-9) << i;
  }
}

TEST(Motion, velocity_is_the_derivative_of_the_pose) {
  const Motion m = everything();
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> unit(-1, 1);
  for (double t : {0.1, 0.7, 1.2, 1.7, 1.95, 2.5}) {  // before, between and after the keyframes
    const Vec3d x0{unit(random), unit(random), unit(random)};
    const double h = 1e-5;
    const Vec3d difference = (m.to_world(x0, t + h) - m.to_world(x0, t - h)) / (2 * h);
    EXPECT_LT(length(m.velocity_at(m.to_world(x0, t), t) - difference), 1e-8) << "at " << t;
  }
}

TEST(Motion, to_local_inverts_to_world) {
  const Motion m = everything();
  for (double t : {0.0, 0.6, 1.5, 1.8, 3.0})
    EXPECT_LT(length(m.to_local(m.to_world({0.3, 0.2, 0.1}, t), t) - Vec3d{0.3, 0.2, 0.1}), 1e-14);
}

TEST(Motion, keyframes_are_met_and_held) {
  Motion m;
  m.keyframes = {{1, {1, 0, 0}, {0, 0, 0.5}}, {2, {3, 0, 0}, {0, 0, 1.5}}};
  EXPECT_NEAR(m.pose(0).translation[0], 1, 1e-15);
  EXPECT_NEAR(m.pose(1.25).translation[0], 1.5, 1e-15);
  EXPECT_NEAR(m.pose(9).translation[0], 3, 1e-15);
  EXPECT_NEAR(rotation_vector(m.pose(1.25).rotation)[2], 0.75, 1e-14);
  EXPECT_EQ(m.velocity_at({5, 5, 5}, 0.5), Vec3d{});
  EXPECT_EQ(m.velocity_at({5, 5, 5}, 2.5), Vec3d{});
}

TEST(Motion, whole_turns_about_one_axis_are_turned) {
  Motion m;
  m.keyframes = {{0, {}, {}}, {1, {}, {0, 4 * pi, 0}}};
  EXPECT_NEAR(length(m.angular_velocity(0.3) - Vec3d{0, 4 * pi, 0}), 0, 1e-12);
  EXPECT_NEAR(m.to_world({1, 0, 0}, 0.125)[2], -1, 1e-12) << "a quarter turn about y takes x to -z";
}

// The derivative of an expression is exact, at rest, at small angles and beyond whole turns.
TEST(Motion, of_expressions_has_exact_velocities) {
  Motion m;
  m.translate.set(0, "0.1*t^2", std::vector<std::string>{"t"});
  m.rotate.set(1, "7*t", std::vector<std::string>{"t"});
  m.pivot = {1, 0, 0};
  EXPECT_TRUE(m.moves());
  EXPECT_TRUE(m.turns());
  for (double t : {0.0, 1e-9, 1e-5, 0.02, 1.0, 5.0}) {
    EXPECT_LT(length(m.angular_velocity(t) - Vec3d{0, 7, 0}), 1e-12) << t;
    EXPECT_LT(length(m.velocity_at({1 + 0.1 * t * t, 3, 0}, t) - Vec3d{0.2 * t, 0, 0}), 1e-12) << t;
  }
}

TEST(Motion, of_expressions_that_are_no_numbers_is_refused) {
  Motion m;
  m.translate.set(0, "sqrt(t)", std::vector<std::string>{"t"});
  ASSERT_EQ(m.check(3).size(), 1u);
  EXPECT_EQ(m.check(3)[0], "translate or its derivative is not a finite number at t = 0");
}

TEST(Motion, check_wants_rising_times) {
  Motion m;
  m.keyframes = {{0, {}, {}}, {1, {}, {}}, {1, {}, {}}};
  ASSERT_EQ(m.check(3).size(), 1u);
  EXPECT_EQ(m.check(3)[0], "keyframes must be in order of time, but keyframe 2 is at 1 s and keyframe 3 at 1 s");
  m.keyframes.clear();
  m.spin = {1, 0, 0};
  EXPECT_TRUE(m.check(3).empty());
  EXPECT_EQ(m.check(2)[0], "spin and rotate must be about z in 2D: [0, 0, angle]");
}

TEST(Collider, moves_its_shape) {
  Collider c;
  c.shape = Shape{Box{{2, 0, 0}, {1, 1, 1}}};
  c.motion.spin = {0, 0, pi / 2};
  c.motion.velocity = {0, 0, 1};
  // After a second the box has turned a quarter about the origin and risen by 1.
  EXPECT_NEAR(c.distance({0, 2, 1}, 1), -0.5, 1e-12);
  EXPECT_NEAR(c.distance({0, 3, 1}, 1), 0.5, 1e-12);

  // What the solver makes of it: sticky shows the velocity, slip the normal.
  c.contact = Contact::sticky;
  ColliderSet sticky({c}, 0.1);
  sticky.move_to(1);
  EXPECT_LT(length(sticky.all().collide(Vec3d{}, {0, 2, 1}) - Vec3d{-pi, 0, 1}), 1e-12);
  EXPECT_TRUE(sticky.near({0, 4, 1}, 1).empty());
  EXPECT_FALSE(sticky.near({0, 4, 1}, 1.6).empty());
  c.contact = Contact::slip;
  ColliderSet slip({c}, 0.1);
  slip.move_to(1);
  const Vec3d x{0, 2.49, 1}, v = c.motion.velocity_at(x, 1);
  EXPECT_LT(length(slip.all().collide(v + Vec3d{1, 2, 3}, x) - v - Vec3d{1, 0, 3}), 1e-9);
}

}  // namespace
}  // namespace knead
