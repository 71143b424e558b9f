// Snow against its closed form and its book of volume.
#include "law_support.h"

namespace knead {
namespace {

using Snow = Elastoplastic<FixedCorotated, SnowFlow, SnowModel>;

// Uniaxial strain s: the elastic stretch stops at 0.975, J_p = s / 0.975, moduli times exp(10 (1 - J_p)).
TEST(Snow, pressed_in_one_direction_follows_its_closed_form) {
  struct Press {
    double s, tau11;
  };
  const Snow snow;
  for (const Press& press : {Press{0.98, -3048.889}, {0.95, -4899.906}, {0.90, -8182.817}, {0.80, -22820.916}}) {
    Mat3d F = Mat3d::diagonal({press.s, 1, 1});
    auto history = Snow::initial_history<double>();
    Sym<double, 3> tau;
    update_stress(snow, F, history, tau);
    EXPECT_NEAR(tau[0], press.tau11, 6e-4) << press.s;
    EXPECT_NEAR(tau[1], press.tau11 / 4, 2e-4) << press.s;
    EXPECT_NEAR(history[0], std::min(1.0, press.s / 0.975), 1e-14);
  }
  EXPECT_NEAR(snow.stiffening<double>({0.9230769230769231}), 2.1581055, 1e-7);
}

// The same press in a hundred small steps ends where one step ends: the stretch history is a product.
TEST(Snow, pressed_in_small_steps_ends_as_in_one) {
  const Snow snow;
  Mat3d F = Mat3d::identity();
  auto history = Snow::initial_history<double>();
  Sym<double, 3> tau;
  for (int k = 0; k < 100; ++k) {
    F = Mat3d::diagonal({std::pow(0.9, 0.01), 1, 1}) * F;
    update_stress(snow, F, history, tau);
  }
  EXPECT_NEAR(history[0], 0.9 / 0.975, 1e-12);
  EXPECT_NEAR(tau[0], -8182.817, 6e-4);
}

template <int D>
void expect_volume_kept() {
  Random random;
  const Snow snow;
  for (int k = 0; k < 2000; ++k) {
    const Mat<double, D> trial = random.deformation<D>(0.9, 1.1);
    Mat<double, D> F = trial;
    Vec<double, 1> J_p{random.uniform(0.9, 1.1)};
    const double total = determinant(trial) * J_p[0];
    Sym<double, D> tau;
    update_stress(snow, F, J_p, tau);
    EXPECT_NEAR(std::abs(determinant(F) * J_p[0]), std::abs(total), 1e-12);
    for (double s : svd(F).sigma.e) {
      EXPECT_GE(s, 1 - snow.flow.critical_compression - 1e-14);
      EXPECT_LE(s, 1 + snow.flow.critical_stretch + 1e-14);
    }
  }
}

TEST(Snow, clamp_moves_volume_from_elastic_to_plastic_without_loss) {
  expect_volume_kept<2>();
  expect_volume_kept<3>();
}

TEST(Snow, points_within_the_critical_stretches_are_left_alone_to_the_last_bit) {
  Random random;
  const Snow snow;
  for (int k = 0; k < 1000; ++k) {
    const Mat3f trial = cast<float>(random.deformation<3>(0.98, 1.005));
    Mat3f F = trial;
    Vec<float, 1> J_p{0.87f};
    Sym<float, 3> tau;
    update_stress(snow, F, J_p, tau);
    EXPECT_EQ(F, trial);
    EXPECT_EQ(J_p[0], 0.87f);
  }
}

TEST(Snow, packing_hardens_and_opening_softens_within_bounds) {
  const Snow snow;
  double last = 1e9;
  for (double J_p = 0.6; J_p <= 20; J_p += 0.01) {
    const double h = snow.stiffening<double>({J_p});
    EXPECT_LE(h, last);
    EXPECT_LE(h, snow.flow.max_hardening);
    EXPECT_GT(h, 0);
    last = h;
  }
  Vec3d crushed{0.1, 0.1, 0.1}, torn{9, 9, 9};
  Vec<double, 1> J_p{1};
  snow.project(crushed, J_p, FlowStep{});
  EXPECT_EQ(J_p[0], SnowFlow::min_J_p);
  J_p[0] = 1;
  snow.project(torn, J_p, FlowStep{});
  EXPECT_EQ(J_p[0], SnowFlow::max_J_p);
}

TEST(Snow, clamp_gives_back_at_most_2_percent_of_the_energy) {
  Random random;
  const Snow snow;
  double worst = 0;
  for (int k = 0; k < 20000; ++k) {
    Mat3d F = random.deformation<3>(0.95, 1.05);
    auto history = Snow::initial_history<double>();
    const double before = elastic_energy(snow, F, history);
    Sym<double, 3> tau;
    update_stress(snow, F, history, tau);
    const double after = elastic_energy(snow, F, Snow::initial_history<double>());
    worst = std::min(worst, (before - after) / before);
  }
  EXPECT_LT(worst, 0);  // the corner is reached
  EXPECT_GE(worst, -0.02);
}

TEST(Snow, has_the_defaults_of_its_paper) {
  const Snow snow;
  EXPECT_EQ(snow.density, 400);
  EXPECT_EQ(snow.elastic.young, 1.4e5);
  EXPECT_EQ(snow.elastic.poisson, 0.2);
  EXPECT_EQ(snow.flow.hardening, 10);
  EXPECT_EQ(snow.flow.critical_compression, 2.5e-2);
  EXPECT_EQ(snow.flow.critical_stretch, 7.5e-3);
  EXPECT_NEAR(snow.wave_speed<double>({1}), 19.72, 0.01);
}

}  // namespace
}  // namespace knead
