// Herschel and Bulkley's law: its equation holds at the end of a step, and its limits are elasticity and von Mises.
#include "law_support.h"

namespace knead {
namespace {

using Paste = Elastoplastic<Hencky, ViscoplasticFlow, ViscoplasticModel>;
using VonMises = Elastoplastic<Hencky, VonMisesFlow, VonMisesModel>;

Paste paste_of(double yield, double viscosity, double exponent) {
  Paste law;
  law.elastic = Hencky{{.young = 1e5, .poisson = 0.3}};
  law.flow.yield_stress = yield, law.flow.consistency = viscosity, law.flow.exponent = exponent;
  return law;
}

// The shear stress and the rate of plastic shear of a step from a trial in pure shear by `gamma`.
template <class T>
struct Shear {
  T stress, rate;
};
template <class T>
Shear<T> sheared(const Paste& law, double gamma, double dt) {
  Vec<T, 3> sigma{T(std::exp(gamma / 2)), T(1), T(std::exp(-gamma / 2))};
  auto history = Paste::initial_history<T>();
  law.project(sigma, history, FlowStep{dt, 0.1});
  const T left = std::log(sigma[0]) - std::log(sigma[2]);
  return {law.kirchhoff(sigma, history)[0], (T(gamma) - left) / T(dt)};
}

TEST(Viscoplastic, stress_obeys_its_law_at_the_end_of_the_step) {
  for (const double n : {0.2, 0.4, 0.5, 0.9, 1.0, 1.1, 1.5, 2.0, 3.0})
    for (const double viscosity : {1e-2, 1.0, 1e2, 1e4})
      for (const double dt : {1e-6, 1e-4, 1e-2, 1.0})
        for (const double gamma : {0.011, 0.02, 0.1, 0.6}) {
          const Paste law = paste_of(300, viscosity, n);
          const Shear<double> s = sheared<double>(law, gamma, dt);
          EXPECT_GT(s.rate, -1e-9);
          if (s.rate * dt < 1e-9) continue;  // the rate is lost in rounding
          const double expected = 300 + viscosity * std::pow(s.rate, n);
          // The rate is a difference of strains, right to 1e-16 / dt.
          EXPECT_NEAR(s.stress, expected, 1e-9 * expected + 1e-5 * n * (expected - 300))
              << n << ' ' << viscosity << ' ' << dt << ' ' << gamma;
        }
}

TEST(Viscoplastic, floats_are_safe_over_the_whole_range) {
  for (const double n : {0.1, 0.3, 1.0, 1.7, 3.0})
    for (const double viscosity : {0.0, 1e-6, 1.0, 1e6, 1e12})
      for (const double dt : {0.0, 1e-9, 1e-5, 1e-1, 1e3})
        for (const double gamma : {1e-7, 0.0104, 0.5, 3.0}) {
          const Paste law = paste_of(300, viscosity, n);
          Vec<float, 3> sigma{float(std::exp(gamma / 2)), 1.0f, float(std::exp(-gamma / 2))};
          Vec<double, 3> exact{std::exp(gamma / 2), 1.0, std::exp(-gamma / 2)};
          auto history = Paste::initial_history<float>();
          auto exact_history = Paste::initial_history<double>();
          law.project(sigma, history, FlowStep{dt, 0.1});
          law.project(exact, exact_history, FlowStep{dt, 0.1});
          for (int i = 0; i < 3; ++i) EXPECT_NEAR(sigma[i], exact[i], 3e-6 * exact[i]) << n << ' ' << viscosity;
        }
}

TEST(Viscoplastic, a_long_step_is_von_mises_and_a_short_one_elastic) {
  Random random;
  for (const double n : {0.5, 1.0, 2.0})
    for (int k = 0; k < 300; ++k) {
      const Paste law = paste_of(300, 10, n);
      VonMises plastic;
      plastic.elastic = law.elastic;
      plastic.flow.yield_stress = std::sqrt(3.0) * 300;  // uniaxial, of the same strength in shear
      const Vec3d trial = random.stretches<3>(0.8, 1.2);
      Vec3d slow = trial, fast = trial, rate_free = trial;
      auto h = Paste::initial_history<double>(), h_fast = h;
      auto h_plastic = VonMises::initial_history<double>();
      law.project(slow, h, FlowStep{1e12, 0.1});
      law.project(fast, h_fast, FlowStep{1e-12, 0.1});
      plastic.project(rate_free, h_plastic, FlowStep{1e12, 0.1});
      EXPECT_LE(length(slow - rate_free), 1e-5);  // (strain rate of 1e-12)^0.5 is not quite 0
      EXPECT_NEAR(h[0], h_plastic[0], 1e-5);
      if (n >= 1) {
        EXPECT_LE(length(fast - trial), 1e-8);
      }
      Vec3d still = trial;
      law.project(still, h_fast, FlowStep{0, 0.1});
      EXPECT_EQ(still, trial);
    }
}

// Sheared at a steady rate, stress settles at the flow curve.
TEST(Viscoplastic, steady_shear_settles_on_the_flow_curve) {
  for (const double n : {0.5, 1.0}) {
    const Paste law = paste_of(300, 40, n);
    const double rate = 5, dt = 1e-4;
    double gamma = 0, stress = 0;
    auto history = Paste::initial_history<double>();
    for (int k = 0; k < 20000; ++k) {
      gamma += rate * dt;
      Vec3d sigma{std::exp(gamma / 2), 1, std::exp(-gamma / 2)};
      law.project(sigma, history, FlowStep{dt, 0.1});
      gamma = std::log(sigma[0]) - std::log(sigma[2]);
      stress = law.kirchhoff(sigma, history)[0];
    }
    EXPECT_NEAR(stress, 300 + 40 * std::pow(rate, n), 1e-6);
  }
}

}  // namespace
}  // namespace knead
