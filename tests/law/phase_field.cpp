// The law of matter that a phase field weakens: tension alone fails, the largest tensile energy is remembered, and what
// a change of damage takes is known.
#include "law_support.h"

#include "material/differential.h"

namespace knead {
namespace {

using PhaseLaw = Elastoplastic<SplitHencky, PhaseFieldFlow, PhaseFieldModel>;
using Whole = Elastoplastic<Hencky, NoFlow, HenckyModel>;

Whole whole_of(const PhaseLaw& law) {
  Whole whole;
  whole.elastic = law.elastic;
  return whole;
}
HistoryD<PhaseLaw> damaged(double damage) { return {damage, 0, damage}; }

template <int D>
void expect_tension_alone_fails() {
  const PhaseLaw law;
  const Whole whole = whole_of(law);
  const HistoryD<Whole> none{};
  Random random;
  for (const double damage : {0.0, 0.4, 1.0}) {
    const double left = square(1 - damage);
    for (int k = 0; k < 300; ++k) {
      // Without damage it is Hencky's law; pressed along all axes it stays so; pulled along all, a share is left.
      const Vec<double, D> pressed = random.stretches<D>(0.3, 1), pulled = random.stretches<D>(1, 3),
                           any = random.stretches<D>(0.3, 3);
      const double close = 1e-12 * law.elastic.p_wave_modulus();
      EXPECT_NEAR(law.energy(any, damaged(0)), whole.energy(any, none), close);
      EXPECT_NEAR(law.energy(pressed, damaged(damage)), whole.energy(pressed, none), close);
      EXPECT_NEAR(law.energy(pulled, damaged(damage)), left * whole.energy(pulled, none), close);
      for (int i = 0; i < D; ++i) {
        EXPECT_NEAR(law.kirchhoff(pressed, damaged(damage))[i], whole.kirchhoff(pressed, none)[i], close);
        EXPECT_NEAR(law.kirchhoff(pulled, damaged(damage))[i], left * whole.kirchhoff(pulled, none)[i], close);
      }
      EXPECT_LE(law.energy(any, damaged(damage)), whole.energy(any, none) + close);
      EXPECT_GE(law.energy(any, damaged(damage)), -close);
    }
  }
}
TEST(PhaseField, weakens_tension_and_leaves_pressure) {
  expect_tension_alone_fails<2>();
  expect_tension_alone_fails<3>();
}

// By central differences: the stress's answer to a change of F where some stretches are pulled and some pressed.
template <int D>
void expect_differential(const HistoryD<PhaseLaw>& history) {
  const PhaseLaw law;
  Random random;
  const auto P = [&](const Mat<double, D>& F) { return elastic_stress(law, F, history) * transpose(inverse(F)); };
  for (int k = 0; k < 300; ++k) {
    Vec<double, D> sigma = random.stretches<D>(0.6, 1.6);
    if (k % 3 == 0) sigma[1] = sigma[0];
    const Mat<double, D> F = random.rotation<D>() * Mat<double, D>::diagonal(sigma) * random.rotation<D>();
    const Mat<double, D> dF = random.deformation<D>(-1, 1);
    const double step = 1e-6;
    const Mat<double, D> slope = (P(F + dF * step) - P(F - dF * step)) * (0.5 / step);
    EXPECT_LE(largest(stress_differential(law, F, history)(dF) - slope), 1e-7 * 10 * law.elastic.p_wave_modulus());
  }
}
TEST(PhaseField, stress_of_damaged_matter_answers_to_strain_as_its_differential_says) {
  for (const double damage : {0.0, 0.5, 0.95}) {
    expect_differential<2>(damaged(damage));
    expect_differential<3>(damaged(damage));
  }
}

// Along any path of strains and damage, what the stress did is what is stored and what was given up.
TEST(PhaseField, remembers_its_largest_tension_and_what_damage_takes) {
  const PhaseLaw law;
  Random random;
  for (int path = 0; path < 20; ++path) {
    auto history = PhaseLaw::initial_history<double>();
    double given_up = 0, work = 0, held = 0;
    Vec3d strain{}, toward{};
    Sym<double, 3> tau{};
    constexpr int steps = 4000;
    for (int k = 0; k < steps; ++k) {
      if (k % 500 == 0) toward = random.stretches<3>(-0.1, 0.1);
      const Vec3d change = (toward - strain) * 0.01;
      strain += change;
      Mat3d F = Mat3d::diagonal({std::exp(strain[0]), std::exp(strain[1]), std::exp(strain[2])});
      const Sym<double, 3> before = tau;
      history[2] = std::min(0.9, history[2] + 0.5 / steps);
      given_up += update_stress_and_work(law, F, history, tau);
      // The stress with the damage of this step on its way to the next: the trapezium of both ends.
      for (int i = 0; i < 3; ++i) work += 0.5 * (before[i] + tau[i]) * change[i];
      const double now = tensile_energy(law.elastic, strain);
      held = std::max(held, now);
      EXPECT_NEAR(history[1], held, 1e-9 * law.elastic.p_wave_modulus());
      EXPECT_EQ(history[0], history[2]);
    }
    const double stored = law.energy(Vec3d{std::exp(strain[0]), std::exp(strain[1]), std::exp(strain[2])}, history);
    EXPECT_NEAR(stored + given_up, work, 2e-3 * (stored + given_up));
    EXPECT_GT(given_up, 0);
  }
}

}  // namespace
}  // namespace knead
