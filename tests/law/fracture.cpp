// Von Mises and Rankine yield: closed forms, surfaces, associated flow, softening and breaking.
#include "law_support.h"

namespace knead {
namespace {

using VonMises = Elastoplastic<Hencky, VonMisesFlow, VonMisesModel>;
using Rankine = Elastoplastic<Hencky, RankineFlow, RankineModel>;
using Both = Elastoplastic<Hencky, RankineVonMisesFlow, RankineVonMisesModel>;

constexpr Hencky megapascal{{.young = 1e6, .poisson = 0.3}};
const FlowStep any_step{.dt = 1e-3, .dx = 0.01};

template <class Law>
Law with(double strength) {
  Law law;
  law.elastic = megapascal;
  if constexpr (requires { law.flow.yield_stress; }) law.flow.yield_stress = strength;
  if constexpr (requires { law.flow.tensile_strength; }) law.flow.tensile_strength = strength;
  return law;
}

template <int D>
double shear_norm(const Vec<double, D>& tau) {
  const double mean = sum(tau) / D;
  double s = 0;
  for (double t : tau.e) s += square(t - mean);
  return std::sqrt(s);
}
template <int D>
double largest_of(const Vec<double, D>& tau) {
  return *std::max_element(std::begin(tau.e), std::end(tau.e));
}
template <int D>
Vec<double, D> logs(Vec<double, D> sigma) {
  for (double& s : sigma.e) s = std::log(s);
  return sigma;
}

// Uniaxial strain s under perfect plasticity: tau_11 = K ln s -/+ 2/3 sigma_Y.
TEST(VonMises, uniaxial_strain_follows_its_closed_form) {
  const VonMises law = with<VonMises>(1e4);
  const double K = law.elastic.lambda() + 2 * law.elastic.mu() / 3;
  for (const double s : {0.9, 1.1}) {
    Mat3d F = Mat3d::diagonal({s, 1, 1});
    auto history = VonMises::initial_history<double>();
    Sym<double, 3> tau;
    update_stress(law, F, history, tau);
    const double sign = s < 1 ? -1 : 1, expected = K * std::log(s) + sign * 2e4 / 3;
    EXPECT_NEAR(tau[0], expected, 1e-10 * std::abs(expected));
    EXPECT_NEAR(tau[1], expected - sign * 1e4, 1e-10 * std::abs(expected));
    EXPECT_NEAR(expected, s < 1 ? -94467.096 : 86091.817, 6e-4);  // the published digits
    EXPECT_NEAR(determinant(F), s, 1e-12);
  }
}

TEST(VonMises, pure_shear_saturates_at_the_yield_stress_over_root_3) {
  const VonMises law = with<VonMises>(1e4);
  const auto saturated = [&]<int D>(std::integral_constant<int, D>) {
    Vec<double, D> sigma = Vec<double, D>::filled(1);
    sigma[0] = 1.3, sigma[1] = 1 / 1.3;
    auto history = VonMises::initial_history<double>();
    law.project(sigma, history, any_step);
    return law.kirchhoff(sigma, history)[0];
  };
  EXPECT_NEAR(saturated(std::integral_constant<int, 3>{}), 1e4 / std::sqrt(3.0), 1e-6);
  EXPECT_NEAR(saturated(std::integral_constant<int, 2>{}), 1e4 / std::sqrt(3.0), 1e-6);
}

// A bar under uniaxial stress with linear hardening, small strain: stress = sigma_Y + E H / (E + H) (eps - sigma_Y /
// E).
TEST(VonMises, hardening_is_the_slope_of_the_uniaxial_curve) {
  VonMises law = with<VonMises>(1e4);
  law.flow.hardening = 3e5;
  const double E = 1e6, H = law.flow.hardening;
  for (const double strain : {0.02, 0.05, 0.1}) {
    double side = 0;
    Vec3d tau{}, sigma{};
    auto history = VonMises::initial_history<double>();
    for (int i = 0; i < 200; ++i) {  // the side strain that frees the sides, by secants of slope lambda + mu
      sigma = {std::exp(strain), std::exp(side), std::exp(side)};
      history = VonMises::initial_history<double>();
      law.project(sigma, history, any_step);
      tau = law.kirchhoff(sigma, history);
      side -= tau[1] / (2 * (law.elastic.lambda() + law.elastic.mu()));
    }
    const double expected = 1e4 + E * H / (E + H) * (strain - 1e4 / E);
    EXPECT_NEAR(tau[0], expected, 1e-10 * expected);
    EXPECT_NEAR(history[0], (expected - 1e4) / H, 1e-10);  // the axial plastic strain
  }
}

TEST(VonMises, plastic_volume_stays_after_ten_thousand_random_steps) {
  const VonMises law = with<VonMises>(1e4);
  Random random;
  Mat3d F = Mat3d::identity();
  auto history = VonMises::initial_history<double>();
  double total = 1;
  for (int k = 0; k < 10000; ++k) {
    Mat3d step = Mat3d::identity();
    for (double& x : step.e) x += random.uniform(-1e-2, 1e-2);
    step *= std::cbrt(1 / determinant(step)) * (k % 2 ? 1.001 : 1 / 1.001);
    F = step * F;
    total *= determinant(step);
    Sym<double, 3> tau;
    update_stress(law, F, history, tau);
  }
  EXPECT_GT(history[0], 10);                      // it flowed nearly all the time
  EXPECT_NEAR(determinant(F) / total, 1, 1e-11);  // ten thousand products, each right to about 1e-15
}

// Sheared to and fro in floats, always at yield: rounding must not add up to a change of volume.
TEST(VonMises, volume_stays_over_many_steps_of_floats) {
  const VonMises law = with<VonMises>(1e3);
  Mat3f F = Mat3f::identity();
  auto history = VonMises::initial_history<float>();
  const float s = 1e-3f;
  const int steps = 40000;
  for (int k = 0; k < steps; ++k) {
    const Mat3f shear = k % 400 < 200 ? Mat3f{{1, s, 0, 0, 1, 0, 0, -s, 1}} : Mat3f{{1, -s, 0, 0, 1, 0, 0, s, 1}};
    F = shear * F;
    Sym<float, 3> tau;
    update_stress(law, F, history, tau);
  }
  EXPECT_GT(history[0], 5);
  // A bias of one rounding a step would make 7e-3.
  EXPECT_NEAR(determinant(F), 1, 1e-3);
}

template <class Law, int D, class Check>
void over_random_trials(const Law& law, Check check) {
  Random random;
  for (int k = 0; k < 3000; ++k) {
    const double spread = k % 2 ? 0.02 : 0.4;
    const Vec<double, D> trial = random.stretches<D>(std::exp(-spread), std::exp(spread));
    Vec<double, D> sigma = trial;
    auto history = Law::template initial_history<double>();
    law.project(sigma, history, any_step);
    check(logs(trial), logs(sigma), law.kirchhoff(trial, history), law.kirchhoff(sigma, history));
  }
}

template <int D>
void expect_von_mises_associated() {
  const VonMises law = with<VonMises>(1e4);
  const double tau_C = std::sqrt(2.0 / 3) * 1e4;
  over_random_trials<VonMises, D>(law, [&](auto trial, auto strain, auto tau_trial, auto tau) {
    EXPECT_LE(shear_norm(tau), tau_C * (1 + 1e-10));
    EXPECT_NEAR(sum(strain), sum(trial), 1e-12);
    const Vec<double, D> taken = trial - strain;
    if (shear_norm(tau_trial) <= tau_C) {
      EXPECT_EQ(length(taken), 0);
      return;
    }
    // On the surface, and along its normal, dev tau / |dev tau|.
    EXPECT_NEAR(shear_norm(tau), tau_C, 1e-10 * tau_C);
    for (int i = 0; i < D; ++i) EXPECT_NEAR(taken[i], length(taken) * (tau[i] - sum(tau) / D) / tau_C, 1e-10);
  });
}
TEST(VonMises, returns_along_the_normal_of_its_surface_and_keeps_the_volume) {
  expect_von_mises_associated<2>();
  expect_von_mises_associated<3>();
}

// The normal of max tau_i at a corner is any mix, with weights that are not negative, of the axes that are on it.
template <int D>
void expect_rankine_associated() {
  const Rankine law = with<Rankine>(1e4);
  int corners = 0;
  over_random_trials<Rankine, D>(law, [&](auto trial, auto strain, auto tau_trial, auto tau) {
    EXPECT_LE(largest_of(tau), 1e4 * (1 + 1e-10));
    int active = 0;
    for (int i = 0; i < D; ++i) {
      EXPECT_GE(trial[i] - strain[i], -1e-15);
      if (trial[i] - strain[i] > 1e-12) {
        EXPECT_NEAR(tau[i], 1e4, 1e-6);
        ++active;
      }
    }
    if (largest_of(tau_trial) <= 1e4) {
      EXPECT_EQ(active, 0);
    }
    corners += active > 1;
  });
  EXPECT_GT(corners, 100);
}
TEST(Rankine, returns_along_the_normal_of_its_surface_also_at_its_corners) {
  expect_rankine_associated<2>();
  expect_rankine_associated<3>();
}

TEST(Rankine, a_bar_of_unequal_pulls_comes_down_to_its_strength) {
  const Rankine law = with<Rankine>(1e4);
  Vec3d sigma{1.2, 1.0, 0.9};
  auto history = Rankine::initial_history<double>();
  law.project(sigma, history, any_step);
  // One active direction: a = (tau_C - lambda (others)) / (2 mu + lambda).
  const double others = std::log(1.0) + std::log(0.9);
  const double a = (1e4 - law.elastic.lambda() * others) / law.elastic.p_wave_modulus();
  EXPECT_NEAR(std::log(sigma[0]), a, 1e-14);
  EXPECT_EQ(sigma[1], 1.0);
  EXPECT_EQ(sigma[2], 0.9);
}

TEST(Fracture, both_surfaces_hold_where_both_are_asked_for) {
  Both law = with<Both>(1e4);
  law.flow.tensile_strength = 6e3;
  over_random_trials<Both, 3>(law, [&](auto, auto, auto, auto tau) {
    EXPECT_LE(largest_of(tau), 6e3 * (1 + 1e-10));
    EXPECT_LE(shear_norm(tau), std::sqrt(2.0 / 3) * 1e4 * (1 + 1e-10));
  });
}

template <class Law>
class FractureRules : public ::testing::Test {};
using FractureLaws = ::testing::Types<VonMises, Rankine, Both>;
TYPED_TEST_SUITE(FractureRules, FractureLaws, LawName);

TYPED_TEST(FractureRules, pure_pressure_never_yields) {
  const TypeParam law = with<TypeParam>(1e2);
  for (const double s : {0.99, 0.9, 0.5, 0.1}) {
    Vec3d sigma = Vec3d::filled(s);
    auto history = TypeParam::template initial_history<double>();
    law.project(sigma, history, any_step);
    EXPECT_EQ(sigma, Vec3d::filled(s));
    EXPECT_EQ(length(history), 0);
  }
}

TYPED_TEST(FractureRules, strength_falls_and_what_is_broken_stays_broken) {
  for (const Debris debris : {Debris::none, Debris::compressive}) {
    TypeParam law = with<TypeParam>(1e4);
    law.flow.softening.softening = 1e5;
    law.flow.softening.debris = debris;
    Random random;
    Mat3d F = Mat3d::identity();
    auto history = TypeParam::template initial_history<double>();
    bool broke = false;
    for (int k = 0; k < 4000; ++k) {
      Mat3d step = Mat3d::identity();
      for (double& x : step.e) x += random.uniform(-3e-3, 3e-3);
      F = step * F;
      const auto before = history;
      Sym<double, 3> tau;
      update_stress(law, F, history, tau, {any_step});
      for (int i = 0; i < TypeParam::history_size; ++i) {
        if (TypeParam::history_columns[static_cast<std::size_t>(i)].sum) continue;  // volume comes and goes
        EXPECT_GE(history[i], before[i]);
        if (i > 0) {
          EXPECT_LE(history[i], 1);
        }
      }
      if (history[1] < 1) continue;
      broke = true;
      if (debris == Debris::none) {
        EXPECT_EQ(length(tau), 0);
        EXPECT_EQ(law.template wave_speed<double>(history), 0);
      } else {
        for (int i = 0; i < 3; ++i) EXPECT_LE(tau[i], 1e-6);  // no pull along any axis
      }
    }
    EXPECT_TRUE(broke);
  }
}

TYPED_TEST(FractureRules, without_softening_nothing_breaks) {
  const TypeParam law = with<TypeParam>(1e3);
  Vec3d sigma{3, 1, 0.5};
  auto history = TypeParam::template initial_history<double>();
  law.project(sigma, history, any_step);
  EXPECT_GT(history[0], 0.1);
  EXPECT_EQ(history[1], 0);
}

// Pulled slowly along one axis until it breaks: the plastic work of a cell's width is the fracture energy, whatever the
// cell.
TEST(Rankine, fracture_energy_is_spent_on_a_crack_of_any_grid) {
  for (const double dx : {0.01, 0.02, 0.04}) {
    Rankine law = with<Rankine>(1e4);
    law.elastic.poisson = 0;
    law.flow.softening.fracture_energy = 100;
    Mat3d F = Mat3d::identity();
    auto history = Rankine::initial_history<double>();
    double work = 0;
    const double stretch = 1 + 1e-5;
    for (int k = 0; k < 400000 && history[1] < 1; ++k) {
      F = Mat3d::diagonal({stretch, 1, 1}) * F;
      Sym<double, 3> tau;
      work += update_stress_and_work(law, F, history, tau, {FlowStep{1e-3, dx}});
    }
    EXPECT_EQ(history[1], 1);
    // A step of 1e-5 passes the yield strain of 1e-2 by a thousandth.
    EXPECT_NEAR(work * dx, 100, 0.2);
  }
}

TEST(Fracture, contradictory_parameters_are_told_once_each) {
  VonMises metal;
  EXPECT_TRUE(metal.problems().empty());
  metal.flow.softening.softening = 1e5;
  EXPECT_TRUE(metal.problems().empty());
  metal.flow.softening.fracture_energy = 10;
  EXPECT_EQ(metal.problems().size(), 1u);
  metal.flow.softening.softening.reset();
  metal.flow.hardening = 1;
  EXPECT_EQ(metal.problems().size(), 1u);
  Rankine brittle;
  brittle.flow.softening = {.softening = 1e5, .fracture_energy = 10};
  EXPECT_EQ(brittle.problems().size(), 1u);
}

// A point is squeezed along y, then pulled along x at no Poisson's ratio until it has broken. In small steps it
// dissipates the area under its softening curve, tau_C^2 / (2 theta), and when it breaks what the squeeze had stored,
// unless debris bears pressure; whatever the steps.
TEST(Rankine, breaking_dissipates_what_the_point_held_whatever_the_steps) {
  for (const Debris debris : {Debris::none, Debris::compressive})
    for (const int steps : {400, 4000}) {
      Rankine law = with<Rankine>(1e4);
      law.elastic = Hencky{{.young = 1e6, .poisson = 0}};
      law.flow.softening.softening = 1e5, law.flow.softening.debris = debris;
      Mat<double, 2> F = Mat<double, 2>::diagonal({1, std::exp(-0.02)});
      auto history = Rankine::initial_history<double>();
      Sym<double, 2> tau;
      double dissipated = 0;
      for (int k = 0; k < steps; ++k) {
        F = Mat<double, 2>::diagonal({std::exp(0.4 / steps), 1}) * F;
        dissipated += update_stress_and_work(law, F, history, tau);
      }
      EXPECT_EQ(history[1], 1) << "broken";
      const double curve = 1e4 * 1e4 / (2 * 1e5), squeeze = debris == Debris::none ? 0.5 * 1e6 * 0.02 * 0.02 : 0;
      EXPECT_NEAR(dissipated, curve + squeeze, 2.0 / steps * 1e4) << steps;
      // Opened and broken, it still knows how large it is.
      EXPECT_NEAR(determinant(F) * law.flow.plastic_volume<double>(history), std::exp(0.4 - 0.02), 1e-10);
    }
}

}  // namespace
}  // namespace knead
