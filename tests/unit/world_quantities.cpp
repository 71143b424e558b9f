// Quantities: one language of names and expressions, with the same values in worlds and in frames.
#include "world/quantities.h"

#include "base/error.h"
#include "output/frame_file.h"
#include "support/small_scene.h"

#include <gtest/gtest.h>

#include <cmath>

namespace knead {
namespace {

// Two particles with round numbers.
Particles particles_2d() {
  Particles p;
  p.resize(2);
  const auto x = p.add<Vec2d>("x", "m"), v = p.add<Vec2d>("v", "m/s");
  const auto mass = p.add<double>("mass", "kg");
  const auto F = p.add<Mat2d>("F");
  Column& tau = p.add("tau", Scalar::f64, 3, "Pa");
  for (std::size_t i = 0; i < 2; ++i) x[i] = {1, 2}, v[i] = {3, -4}, mass[i] = 2, F[i] = Mat2d{{2, 0, 0, 1}};
  auto* stress = reinterpret_cast<double*>(tau.data.data());
  for (const double entry : {8.0, 2.0, 3.0, 0.0, 0.0, 0.0}) *stress++ = entry;
  return p;
}

double value(const std::string& text, std::size_t i = 0) {
  const Particles p = particles_2d();
  return Quantity(text, p, 2, [](std::size_t) { return 2.0; })(i);
}

TEST(Quantity, components_lengths_and_expressions_of_columns) {
  EXPECT_EQ(value("x"), 1);
  EXPECT_EQ(value("y"), 2);
  EXPECT_EQ(value("x.y"), 2);
  EXPECT_EQ(value("vx"), 3);
  EXPECT_EQ(value("v.y"), -4);
  EXPECT_EQ(value("v"), 5);
  EXPECT_EQ(value("speed"), 5);
  EXPECT_EQ(value("F"), 2);
  EXPECT_EQ(value("F.xx"), 2);
  EXPECT_EQ(value("F_xy"), 0);
  EXPECT_EQ(value("0.5 * mass * speed^2"), 25);
  EXPECT_EQ(value("hypot(v.x, v.y) - 1.5e0"), 3.5);
}

// Cauchy's stress is tau / J = [4, 1.5; 1.5, 1]: mean 2.5, deviator [1.5, 1.5; 1.5, -1.5] of norm 3.
TEST(Quantity, stresses_are_cauchys) {
  EXPECT_EQ(value("J"), 2);
  EXPECT_EQ(value("stress_xx"), 4);
  EXPECT_EQ(value("stress_xy"), 1.5);
  EXPECT_EQ(value("pressure"), -2.5);
  EXPECT_DOUBLE_EQ(value("von_mises"), std::sqrt(1.5) * 3);
  EXPECT_DOUBLE_EQ(value("tau"), std::sqrt(64 + 4 + 2 * 9.0));
  EXPECT_EQ(value("von_mises", 1), 0);
}

TEST(Quantity, title_and_unit_say_what_it_is) {
  const Particles p = particles_2d();
  const auto named = [&](const std::string& text) {
    const Quantity q(text, p, 2, [](std::size_t) { return 1.0; });
    return q.title + " [" + q.unit + "]";
  };
  EXPECT_EQ(named("v"), "|v| [m/s]");
  EXPECT_EQ(named("v.x"), "vx [m/s]");
  EXPECT_EQ(named("F"), "det F []");
  EXPECT_EQ(named("pressure"), "pressure [Pa]");
  EXPECT_EQ(named("mass * 2"), "mass * 2 []");
}

TEST(Quantity, unknown_names_get_the_nearest) {
  try {
    value("presure");
    FAIL();
  } catch (const Failure& f) {
    EXPECT_EQ(f.code, Exit::bad_input);
    EXPECT_NE(std::string(f.what()).find("there is no 'presure' (did you mean 'pressure'?)"), std::string::npos)
        << f.what();
  }
  EXPECT_THROW(value("speed +"), Failure);
  EXPECT_THROW(value("v.w"), Failure);
  EXPECT_THROW(value("temperature"), Failure);
}

// What a frame tells of its particles is what the solver knows of them.
TEST(Quantity, of_a_frame_is_that_of_the_world) {
  for (const char* material : {"model = \"snow\"", "model = \"drucker-prager\"", "model = \"neo-hookean\""}) {
    test::Simulation s(test::one_body(2, "dx = 0.1", material,
                                      "shape = { type = \"box\", center = [0.5, 0.3], size = [0.6, 0.6] }\n"
                                      "velocity = [0, -4]",
                                      "domain = { min = [0, 0], max = [1, 1] }"));
    ASSERT_TRUE(s.run_steps(60));
    const Frame frame = make_frame(s.world);
    const auto ids = s.column<std::int32_t>("id");
    bool changed = false;
    for (const char* name : {"J", "pressure", "von_mises", "stress_xy", "F_xx", "speed"}) {
      const Quantity in_world(name, s.world.particles, 2,
                              [&](std::size_t i) { return s.solver->volume_ratio(s.world, i); });
      const Quantity in_frame(name, frame.particles, 2, volume_ratio_of(s.scene(), frame.particles, 2, frame.time));
      for (std::size_t i = 0; i < ids.size(); ++i) {
        const double a = in_world(i), b = in_frame(static_cast<std::size_t>(ids[i]));
        // Frames round F to float, whose deviation from the identity the world keeps apart.
        EXPECT_NEAR(a, b, 2e-6 * (1 + std::abs(a))) << material << " " << name;
        changed = changed || (std::string(name) == "J" && std::abs(a - 1) > 1e-3);
      }
    }
    EXPECT_TRUE(changed) << material;
  }
}

// Names that a scene offers are those that its frames can tell.
TEST(Quantity, every_name_of_a_scene_is_known_of_its_frames_and_needs_only_the_columns_it_says) {
  test::Simulation s(
      test::one_body(3, "dx = 0.2", "model = \"snow\"", "shape = { type = \"box\", size = [0.4, 0.4, 0.4] }"));
  ASSERT_TRUE(s.run_steps(1));
  for (const std::string& name : quantity_names(s.scene())) {
    const Frame frame = make_frame(s.world, columns_for_quantity(s.scene(), name));
    const Quantity q(name, frame.particles, 3, volume_ratio_of(s.scene(), frame.particles, 3, frame.time));
    EXPECT_TRUE(std::isfinite(q(0))) << name;
  }
}

}  // namespace
}  // namespace knead
