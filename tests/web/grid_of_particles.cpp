// Velocities of the grid that the viewer draws: those of the solver after its step, and those made from particles.
#include "view/grid_of_particles.h"

#include "support/small_scene.h"

#include <gtest/gtest.h>

namespace knead::test {
namespace {

std::string scene_text(int dimension, const std::string& solver, const std::string& model) {
  const std::string size = dimension == 2 ? "[1, 0.75]" : "[1, 0.75, 0.5]";
  return "format = 1\n[scene]\nname = \"test\"\ndimension = " + std::to_string(dimension) +
         "\ngravity = [0, -10, 0]\n[solver]\ndx = 0.125\n" + solver + "\n[materials.m]\nmodel = \"" + model +
         "\"\n[[body]]\nmaterial = \"m\"\nvelocity = [3, 2, 0]\nshape = { type = \"box\", center = [0, 0, 0], size = " +
         size + " }\n";
}
const std::vector<std::string> solvers{"kernel = \"linear\"\ntransfer = \"pic\"",
                                       "kernel = \"quadratic\"\ntransfer = \"flip\"",
                                       "kernel = \"quadratic\"",
                                       "kernel = \"cubic\"\ntransfer = \"mls\"",
                                       "integrator = \"implicit\"\ndt_max = 0.001",
                                       "method = \"liquid\"",
                                       "method = \"liquid\"\nliquid = { pressure = \"incompressible\" }",
                                       "method = \"liquid\"\nliquid = { transfer = \"apic\" }"};
std::string model_of(const std::string& solver) {
  return solver.find("liquid") != std::string::npos ? "fluid" : "fixed-corotated";
}

TEST(GridVelocities, of_matter_in_free_fall_are_its_velocity) {
  for (const int dimension : {2, 3})
    for (const std::string& solver : solvers) {
      Simulation s(scene_text(dimension, solver, model_of(solver)));
      const auto* shows = dynamic_cast<const ShowsGrid*>(s.solver.get());
      ASSERT_TRUE(shows);
      EXPECT_TRUE(shows->grid_velocities(1000).x.empty()) << "before the first step";
      ASSERT_TRUE(s.run_steps(1));
      const LiquidSpec& liquid = s.scene().solver.liquid;
      const bool spreads = (s.scene().solver.traits().grid == Grid::cells) && liquid.pressure == Pressure::unilateral;
      const Vec3f fallen{3, float(2 - 10 * s.world.clock.time), 0};
      const Frame frame = make_frame(s.world, {}, s.scene().solver.dx);
      for (const GridVelocities& grid : {shows->grid_velocities(100'000), grid_of_particles(s.scene(), frame)}) {
        EXPECT_GT(grid.nodes, dimension == 2 ? 30u : 100u) << solver;
        EXPECT_EQ(grid.x.size(), grid.nodes);
        // A liquid whose cells the first step finds overfull spreads to all sides: in the mean it falls.
        Vec3f mean{};
        for (const Vec3f& v : grid.v) mean += v / float(grid.v.size());
        EXPECT_LT(length(mean - fallen), spreads ? 0.1 : 1e-4) << dimension << solver;
        for (const Vec3f& v : grid.v) EXPECT_LT(length(v - fallen), spreads ? 1 : 1e-4) << dimension << solver;
      }
      const GridVelocities few = shows->grid_velocities(20);
      EXPECT_GT(few.every, 1);
      EXPECT_LT(few.x.size(), 60u);
      EXPECT_FALSE(few.x.empty());
    }
}

// Particles that carry an affine field bring exactly that field to the grid.
TEST(GridVelocities, made_from_particles_are_the_affine_field_that_they_carry) {
  for (const int dimension : {2, 3})
    for (const std::string solver : {"kernel = \"quadratic\"", "kernel = \"cubic\"\ntransfer = \"mls\"",
                                     "method = \"liquid\"\nliquid = { transfer = \"apic\" }"}) {
      Simulation s(scene_text(dimension, solver, model_of(solver)));
      Frame frame = make_frame(s.world, {}, s.scene().solver.dx);
      const auto slope = [](int a, int b) { return 0.3f * float(a) - 0.7f * float(b) + 0.2f; };
      const auto field = [&](const auto& x, int a) {
        float v = float(a) - 1;
        for (int b = 0; b < dimension; ++b) v += slope(a, b) * float(x(b));
        return v;
      };
      Column &v = *frame.particles.find("v"), &C = *frame.particles.find("C");
      const Column& x = *frame.particles.find("x");
      const auto numbers = [](Column& column) { return reinterpret_cast<float*>(column.data.data()); };
      for (std::size_t i = 0; i < frame.particles.count(); ++i)
        for (int a = 0; a < dimension; ++a) {
          numbers(v)[i * std::size_t(dimension) + std::size_t(a)] = field([&](int b) { return x.value(i, b); }, a);
          for (int b = 0; b < dimension; ++b)
            numbers(C)[(i * std::size_t(dimension) + std::size_t(a)) * std::size_t(dimension) + std::size_t(b)] =
                slope(a, b);
        }
      const GridVelocities grid = grid_of_particles(s.scene(), frame);
      // Cells at the rim of a liquid may know one of their two faces alone, half a cell away.
      const double rim = (s.scene().solver.traits().grid == Grid::cells) ? 0.6 * s.scene().solver.dx / 2 : 0;
      ASSERT_FALSE(grid.x.empty());
      for (std::size_t i = 0; i < grid.x.size(); ++i)
        for (int a = 0; a < dimension; ++a)
          EXPECT_NEAR(grid.v[i][a], field([&](int b) { return grid.x[i][b]; }, a), 1e-4 + rim) << dimension << solver;
    }
}

TEST(GridVelocities, are_of_methods_with_a_grid) {
  const Simulation s(scene_text(3, "method = \"mls\"", "fixed-corotated"));
  EXPECT_THROW(grid_of_particles(s.scene(), make_frame(s.world)), Failure);
}

}  // namespace
}  // namespace knead::test
