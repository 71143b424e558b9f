// Flow at a rate: its decay in time, what it takes of the volume, and that it makes no energy.
#include "law_support.h"

namespace knead {
namespace {

using Goo = Elastoplastic<Corotated, YieldFlow, YieldFlowModel>;

// Hooke's law in the stretches may hold less energy in an uneven squeeze than in an even one of the same volume: flow
// towards the even one would make energy.
TEST(YieldFlow, of_a_squeezed_point_that_is_held_makes_no_energy) {
  Goo law;
  law.elastic.poisson = 0.45;
  law.flow.yield_stress = 0;
  Mat<double, 2> F = Mat<double, 2>::diagonal({0.8, 0.9});
  auto history = Goo::initial_history<double>();
  double energy = elastic_energy(law, F, history);
  for (int k = 0; k < 100; ++k) {
    Sym<double, 2> tau;
    EXPECT_GE(update_stress_and_work(law, F, history, tau, PointStep<double, 2>{FlowStep{1e-3, 0.1}}), 0);
    const double now = elastic_energy(law, F, history);
    EXPECT_LE(now, energy * (1 + 1e-12));
    energy = now;
  }
}

// Without a yield stress a held shape relaxes as exp(-flow_rate t); each step takes the share dt flow_rate.
TEST(YieldFlow, relaxes_a_held_shape_at_its_rate) {
  Goo law;
  law.flow.yield_stress = 0;
  Vec<double, 3> sigma{1.2, 1.0, 1 / 1.2};
  auto history = Goo::initial_history<double>();
  const double dt = 1e-3;
  for (int k = 0; k < 50; ++k) law.project(sigma, history, FlowStep{dt, 0.1});
  EXPECT_NEAR(std::log(sigma[0]), std::log(1.2) * std::pow(1 - dt * law.flow.flow_rate, 50), 1e-12);
  EXPECT_NEAR(product(sigma), 1, 1e-12);
  EXPECT_EQ(history[2], 0) << "no volume is taken";
}

// Far from rest the volume relaxes too, and what it gave is remembered.
TEST(YieldFlow, remembers_the_volume_that_it_takes) {
  Goo law;
  law.flow.yield_stress = 0;
  Vec<double, 3> sigma{2.4, 1.1, 1.0};
  auto history = Goo::initial_history<double>();
  for (int k = 0; k < 200; ++k) law.project(sigma, history, FlowStep{1e-3, 0.1});
  EXPECT_LT(product(sigma), 2.3);
  EXPECT_NEAR(product(sigma) * law.flow.plastic_volume<double>(history), 2.64, 1e-10);
}

}  // namespace
}  // namespace knead
