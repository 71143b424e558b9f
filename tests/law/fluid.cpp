// The liquid: pressure from volume alone, viscosity, bounds of the volume.
#include "law_support.h"

namespace knead {
namespace {

using Fluid = Elastoplastic<WeaklyCompressible, FluidFlow, FluidModel>;

TEST(Fluid, pressure_is_minus_the_derivative_of_the_energy_by_volume) {
  const Fluid law;
  for (double J = 0.3; J < 1.5; J += 0.01) {
    const Dual<double> energy = law.elastic.energy_of_volume(Dual<double>(J, 1));
    EXPECT_NEAR(law.elastic.pressure(J), -energy.slope, 1e-12 * law.elastic.bulk() * 40);
    const Dual<double> slope = law.elastic.pressure(Dual<double>(J, 1));
    EXPECT_NEAR(law.elastic.volume_stiffness(J), -slope.slope, 1e-10 * law.elastic.bulk() * 60);
  }
}

TEST(Fluid, pressure_is_that_of_tait) {
  Fluid law;
  law.elastic.bulk_modulus = 7e5;
  for (const double J : {0.6, 0.9, 1.0, 1.05})
    EXPECT_NEAR(law.elastic.pressure(J), 1e5 * (std::pow(J, -7) - 1), 1e-10 * 1e5 * std::pow(J, -7));
}

TEST(Fluid, sound_speed_and_bulk_modulus_say_the_same) {
  Fluid by_speed, by_modulus;
  by_speed.density = by_modulus.density = 800;
  by_speed.elastic.sound_speed = 25;
  by_modulus.elastic.bulk_modulus = 800 * 25 * 25;
  by_speed.prepare();
  by_modulus.prepare();
  EXPECT_DOUBLE_EQ(by_speed.wave_speed<double>({0}), 25);
  EXPECT_DOUBLE_EQ(by_modulus.wave_speed<double>({0}), 25);
  by_speed.elastic.bulk_modulus = 1;
  EXPECT_EQ(by_speed.problems().size(), 1u);
  EXPECT_TRUE(by_modulus.problems().empty());
}

template <int D>
void expect_shape_forgotten() {
  const Fluid law;
  Random random;
  for (int k = 0; k < 1000; ++k) {
    const Mat<double, D> trial = random.deformation<D>(0.7, 1.2);
    Mat<double, D> F = trial;
    Fluid::History<double> history{};
    Sym<double, D> tau;
    update_stress(law, F, history, tau);
    const double J = std::clamp(std::abs(determinant(trial)), 0.6, 1.1);
    const double held = determinant(trial) < 0 ? 0.6 : J;
    EXPECT_NEAR(determinant(F), held, 1e-14);
    EXPECT_LE(largest(F - Mat<double, D>::identity() * F(0, 0)), 0);
    const Mat<double, D> stress = to_matrix<D>(tau);
    const double p = law.elastic.pressure(held);
    EXPECT_LE(largest(stress + Mat<double, D>::identity() * (p * held)), 1e-11 * law.elastic.bulk());
    // The path through singular values is the same law.
    Vec<double, D> sigma = svd(trial).sigma;
    law.project(sigma, history, FlowStep{});
    EXPECT_NEAR(sigma[0], F(0, 0), 1e-14);
  }
}
TEST(Fluid, keeps_its_volume_within_bounds_and_no_shape) {
  expect_shape_forgotten<2>();
  expect_shape_forgotten<3>();
}

// Simple shear at a steady rate: shear stress = viscosity times rate.
TEST(Fluid, shear_stress_is_viscosity_times_rate) {
  Fluid law;
  law.flow.eta = 3;
  Mat3d F = Mat3d::identity();
  Fluid::History<double> history{};
  Sym<double, 3> tau;
  PointStep<double, 3> step{FlowStep{1e-3, 0.1}};
  step.gradient(0, 1) = 20;
  const double work = update_stress_and_work(law, F, history, tau, step);
  EXPECT_NEAR(tau[sym_index<3>(0, 1)], 60, 1e-12);
  EXPECT_NEAR(tau[0], 0, 1e-12);
  EXPECT_NEAR(work, 1e-3 * 60 * 20, 1e-12);  // stress times rate times time
}

}  // namespace
}  // namespace knead
