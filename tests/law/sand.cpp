// Sand against closed forms of Drucker and Prager's cone, and how a friction angle becomes one.
#include "law_support.h"

namespace knead {
namespace {

using Sand = Elastoplastic<Hencky, SandFlow, SandModel>;

constexpr double degree = 3.14159265358979323846 / 180;

Sand sand_of(double angle, Match match) {
  Sand law;
  law.elastic = Hencky{{.young = 1e6, .poisson = 0.3}};
  law.flow.friction_angle = angle;
  law.flow.match = match;
  return law;
}

template <int D>
struct State {
  double pressure;  // positive in compression
  double shear;     // norm of the deviator
};
template <int D>
State<D> state_of(const Vec<double, D>& tau) {
  const double mean = sum(tau) / D;
  double s = 0;
  for (double t : tau.e) s += square(t - mean);
  return {-mean, std::sqrt(s)};
}

TEST(Sand, bears_no_pull) {
  const Sand law = sand_of(30 * degree, Match::automatic);
  Random random;
  for (int k = 0; k < 1000; ++k) {
    Vec3d sigma = random.stretches<3>(0.9, 1.2);
    if (product(sigma) < 1) continue;
    const double volume = product(sigma);
    auto history = Sand::initial_history<double>();
    law.project(sigma, history, {});
    EXPECT_EQ(law.kirchhoff(sigma, history), Vec3d::zero());
    EXPECT_NEAR(law.flow.plastic_volume<double>(history), volume, 1e-12);
  }
}

// Triaxial compression at yield: q / p = M = 6 sin(phi) / (3 - sin(phi)), 1.2 at 30 degrees.
TEST(Sand, triaxial_compression_yields_at_its_friction_angle) {
  const Sand law = sand_of(30 * degree, Match::automatic);
  Vec3d sigma{0.9, 1.03, 1.03};
  auto history = Sand::initial_history<double>();
  law.project(sigma, history, {});
  const Vec3d tau = law.kirchhoff(sigma, history);
  EXPECT_NEAR((tau[1] - tau[0]) / state_of(tau).pressure, 1.2, 1e-10);
}

// Confined compression: the side pressure is (3 - M) / (3 + 2M) of the axial one, Rankine's (1 - sin) / (1 + sin).
TEST(Sand, confined_compression_follows_its_closed_form) {
  Sand law = sand_of(30 * degree, Match::automatic);
  law.elastic.poisson = 0.1;
  Mat3d F = Mat3d::diagonal({0.99, 1, 1});
  auto history = Sand::initial_history<double>();
  Sym<double, 3> tau;
  update_stress(law, F, history, tau);
  EXPECT_NEAR(-tau[0], 7537.752, 6e-4);
  EXPECT_NEAR(-tau[1], 2512.584, 6e-4);
  EXPECT_NEAR(tau[1] / tau[0], 1.0 / 3, 1e-10);
}

TEST(Sand, cone_of_the_triaxial_match_is_the_published_one) {
  EXPECT_NEAR(sand_of(30 * degree, Match::triaxial).flow.cone_factor(0.5, 3) * 0.5, 0.3265986, 1e-7);
}

// Two axes sheared in a plane under pressure, the third held: sin of the effective angle is shear over pressure of the
// plane.
template <int D>
double sine_in_plane(Match match) {
  const Sand law = sand_of(30 * degree, match);
  Vec<double, D> sigma = Vec<double, D>::filled(0.98);
  sigma[0] *= 1.2, sigma[1] /= 1.2;
  auto history = Sand::initial_history<double>();
  law.project(sigma, history, {});
  const Vec<double, D> tau = law.kirchhoff(sigma, history);
  return (tau[0] - tau[1]) / -(tau[0] + tau[1]);
}
TEST(Sand, match_says_where_the_friction_angle_is_exact) {
  EXPECT_NEAR(sine_in_plane<2>(Match::mohr_coulomb_2d), 0.5, 1e-12);
  EXPECT_NEAR(sine_in_plane<2>(Match::plane_strain), 0.5, 1e-12);
  EXPECT_NEAR(sine_in_plane<3>(Match::plane_strain), 0.5, 1e-12);
  EXPECT_NEAR(sine_in_plane<2>(Match::automatic), 0.5, 1e-12);
  // The triaxial cone acts like 43.9 degrees in a slab and 27.5 degrees in 2D.
  EXPECT_NEAR(std::asin(sine_in_plane<3>(Match::triaxial)) / degree, 43.9, 0.05);
  EXPECT_NEAR(std::asin(sine_in_plane<3>(Match::automatic)) / degree, 43.9, 0.05);
  EXPECT_NEAR(std::asin(sine_in_plane<2>(Match::triaxial)) / degree, 27.5, 0.05);
}

// Mohr and Coulomb's unconfined strength, 2 c cos(phi) / (1 - sin(phi)): reached exactly in 2D and in triaxial
// compression.
TEST(Sand, cohesion_gives_the_unconfined_strength) {
  Sand law = sand_of(30 * degree, Match::automatic);
  law.flow.cohesion = 1000;
  const double expected = 2 * 1000 * std::cos(30 * degree) / 0.5;
  EXPECT_NEAR(expected, 3464.102, 1e-3);
  double side = 0;
  Vec3d tau{};
  for (int i = 0; i < 500; ++i) {
    Vec3d sigma{0.99, std::exp(side), std::exp(side)};
    auto history = Sand::initial_history<double>();
    law.project(sigma, history, {});
    tau = law.kirchhoff(sigma, history);
    side -= tau[1] / (4 * (law.elastic.lambda() + law.elastic.mu()));
  }
  EXPECT_NEAR(tau[1], 0, 1e-6);
  EXPECT_NEAR(-tau[0], expected, 1e-6);
}

template <int D>
void expect_on_cone(double cohesion) {
  Sand law = sand_of(35 * degree, Match::automatic);
  law.flow.cohesion = cohesion;
  const double sine = std::sin(35 * degree), factor = law.flow.cone_factor(sine, D);
  const double k = factor * D * cohesion * std::cos(35 * degree);
  Random random;
  int sheared = 0, apart = 0;
  for (int n = 0; n < 5000; ++n) {
    const Vec<double, D> trial = random.stretches<D>(0.95, n % 2 ? 1.02 : 1.0);
    Vec<double, D> sigma = trial;
    auto history = Sand::initial_history<double>();
    if (n % 3 == 0) history[0] = random.uniform(0, 0.02);
    const double volume = std::log(product(trial)) + history[0];
    const double energy = law.elastic.energy(trial);
    law.project(sigma, history, {});
    const State<D> state = state_of(law.kirchhoff(sigma, history));
    EXPECT_LE(state.shear - factor * sine * D * state.pressure, k + 1e-6);
    EXPECT_NEAR(std::log(product(sigma)) + history[0], volume, 1e-12);  // none is lost
    EXPECT_LE(law.elastic.energy(sigma), energy * (1 + 1e-12));
    EXPECT_GE(history[0], 0);
    apart += history[0] > 0;
    if (history[0] > 0) {
      EXPECT_EQ(state.shear, 0);
    } else if (history[1] > 0 && n % 3) {
      EXPECT_NEAR(state.shear - factor * sine * D * state.pressure, k, 1e-6);
      ++sheared;
    }
    // Once more changes nothing.
    Vec<double, D> again = sigma;
    auto history_again = history;
    law.project(again, history_again, {});
    EXPECT_LE(length(again - sigma), 1e-12);
    EXPECT_LE(length(history_again - history), 1e-12);
  }
  EXPECT_GT(sheared, 200);
  EXPECT_GT(apart, 100);
}
TEST(Sand, lands_on_its_cone_keeps_volume_and_dissipates) {
  for (const double cohesion : {0.0, 500.0}) {
    expect_on_cone<2>(cohesion);
    expect_on_cone<3>(cohesion);
  }
}

TEST(Sand, volume_gained_apart_is_given_back_before_pressure_returns) {
  const Sand law = sand_of(30 * degree, Match::automatic);
  Mat3d F = Mat3d::identity();
  auto history = Sand::initial_history<double>();
  Sym<double, 3> tau;
  for (const double step : {1.05, 0.97, 0.99}) {  // together 1.009: still apart
    F = F * step;
    update_stress(law, F, history, tau);
    EXPECT_EQ(length(tau), 0);
  }
  F = F * 0.99;  // 0.999 of the first volume
  update_stress(law, F, history, tau);
  const double strain = 3 * std::log(1.05 * 0.97 * 0.99 * 0.99), K = law.elastic.lambda() + 2 * law.elastic.mu() / 3;
  EXPECT_EQ(history[0], 0);
  EXPECT_NEAR(tau[0], K * strain, 1e-9 * std::abs(K * strain));
}

TEST(Sand, friction_follows_the_hardening_curve) {
  SandFlow flow;
  flow.friction_angle = 35 * degree;
  flow.h1 = 9 * degree, flow.h2 = 0.2, flow.h3 = 10 * degree;
  for (double q = 0; q < 60; q += 0.37) {
    const double phi = 35 * degree + (9 * degree * q - 10 * degree) * std::exp(-0.2 * q);
    EXPECT_NEAR(flow.sine_of_friction(q), std::sin(phi), 1e-13);
  }
  flow.h3 = 89 * degree, flow.h1 = 89 * degree;  // leaves the range on both sides
  EXPECT_EQ(flow.sine_of_friction(0.0), 0);
  EXPECT_LT(flow.sine_of_friction(5.0), 1);
}

}  // namespace
}  // namespace knead
