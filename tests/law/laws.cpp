// What every law of the list must satisfy. A new material is tested here without a change.
#include "law_support.h"

#include "base/pack_memory.h"

namespace knead {
namespace {

// A step in which laws that flow at a rate flow.
template <class T, int D>
const PointStep<T, D> some_step{FlowStep{0.02, 0.1}};

template <class Law>
class Laws : public ::testing::Test {
 protected:
  Law law{};
  HistoryD<Law> history = Law::template initial_history<double>();
  Random random;
  double modulus() const { return law.elastic.p_wave_modulus(); }
  // Of new matter, and of some that has been through something.
  std::array<HistoryD<Law>, 2> histories() const { return {history, HistoryD<Law>::filled(0.7)}; }
};
TYPED_TEST_SUITE(Laws, LawTypes, LawName);

// f(sigma) with sigma_i moving at unit speed.
template <int D>
Vec<Dual<double>, D> moving(const Vec<double, D>& sigma, int i) {
  Vec<Dual<double>, D> s{};
  for (int k = 0; k < D; ++k) s[k] = {sigma[k], k == i ? 1.0 : 0.0};
  return s;
}
template <class Law>
typename Law::template History<Dual<double>> still(const HistoryD<Law>& history) {
  typename Law::template History<Dual<double>> h{};
  for (int i = 0; i < HistoryD<Law>::size; ++i) h[i] = Dual<double>(history[i]);
  return h;
}

template <class Law, int D>
void expect_derivatives(const Law& law, const HistoryD<Law>& history, Random& random) {
  for (int k = 0; k < 500; ++k) {
    Vec<double, D> sigma = random.stretches<D>(0.1, 3);
    if (k % 5 == 0) sigma[1] = sigma[0];
    const Vec<double, D> tau = law.kirchhoff(sigma, history);
    const Mat<double, D> H = law.hessian(sigma, history);
    // Dual numbers are exact: what remains is rounding of terms that cancel, of the size of the moduli over the stretch
    // squared.
    const double rounding =
        1e-11 * law.elastic.p_wave_modulus() * std::max(1.0, law.template stiffening<double>(history));
    for (int i = 0; i < D; ++i) {
      EXPECT_NEAR(tau[i], sigma[i] * law.energy(moving(sigma, i), still<Law>(history)).slope, rounding);
      const Vec<Dual<double>, D> moved = law.kirchhoff(moving(sigma, i), still<Law>(history));
      for (int j = 0; j < D; ++j) {
        const double slope = (moved[j] / moving(sigma, i)[j]).slope;
        EXPECT_NEAR(H(j, i), slope, rounding / (sigma[i] * sigma[j]));
      }
    }
  }
}

TYPED_TEST(Laws, kirchhoff_stress_and_hessian_are_derivatives_of_the_energy) {
  for (const auto& past : this->histories()) {
    expect_derivatives<TypeParam, 2>(this->law, past, this->random);
    expect_derivatives<TypeParam, 3>(this->law, past, this->random);
  }
}

template <class Law, int D>
void expect_rest(const Law& law, const HistoryD<Law>& history) {
  const Vec<double, D> rest = Vec<double, D>::filled(1);
  EXPECT_EQ(law.energy(rest, history), 0);
  EXPECT_EQ(law.kirchhoff(rest, history), (Vec<double, D>::zero()));
  // Small strains obey Hooke's law.
  const Mat<double, D> H = law.hessian(rest, history);
  for (int i = 0; i < D; ++i)
    for (int j = 0; j < D; ++j) EXPECT_DOUBLE_EQ(H(i, j), law.elastic.lambda() + (i == j ? 2 * law.elastic.mu() : 0));
}

TYPED_TEST(Laws, rest_is_free_of_stress_and_linearly_elastic) {
  expect_rest<TypeParam, 2>(this->law, this->history);
  expect_rest<TypeParam, 3>(this->law, this->history);
  EXPECT_DOUBLE_EQ(this->law.template wave_speed<double>(this->history),
                   std::sqrt(this->modulus() / this->law.density));
}

// P = dpsi/dF entry by entry, by central differences; the law's own is tau F^-T.
template <class Law, int D>
void expect_stress_is_slope(const Law& law, const HistoryD<Law>& history, const Mat<double, D>& F) {
  const Mat<double, D> P = elastic_stress(law, F, history) * transpose(inverse(F));
  const double step = 1e-5;
  for (int i = 0; i < D * D; ++i) {
    Mat<double, D> more = F, less = F;
    more.e[i] += step;
    less.e[i] -= step;
    const double slope = (elastic_energy(law, more, history) - elastic_energy(law, less, history)) / (2 * step);
    const double modulus = law.elastic.p_wave_modulus() * std::max(1.0, law.template stiffening<double>(history));
    EXPECT_NEAR(P.e[i], slope, 1e-6 * std::max(modulus, largest(P)));
  }
}

template <class Law, int D>
void expect_stress_is_slope(const Law& law, const HistoryD<Law>& history, Random& random) {
  for (int k = 0; k < 200; ++k) {
    expect_stress_is_slope(law, history, random.deformation<D>(0.5, 2));
    Vec<double, D> sigma = random.stretches<D>(0.5, 2);
    sigma[1] = sigma[0] * (1 + 1e-9 * (k % 2));
    const Mat<double, D> U = random.rotation<D>(), V = random.rotation<D>();
    expect_stress_is_slope(law, history, U * Mat<double, D>::diagonal(sigma) * V);
    expect_stress_is_slope(law, history, U * V * random.uniform(0.5, 2));
    if constexpr (std::is_same_v<typename Law::Elastic, FixedCorotated>) {
      // Inverted: the smallest stretch negative, and away from the others so that the polar rotation is smooth.
      sigma = Vec<double, D>::filled(1.2);
      sigma[D - 1] = -0.6;
      expect_stress_is_slope(law, history, U * Mat<double, D>::diagonal(sigma) * V);
    }
  }
}

TYPED_TEST(Laws, stress_is_the_derivative_of_the_energy_by_the_deformation_gradient) {
  for (const auto& past : this->histories()) {
    expect_stress_is_slope<TypeParam, 2>(this->law, past, this->random);
    expect_stress_is_slope<TypeParam, 3>(this->law, past, this->random);
  }
}

template <class Law, int D>
void expect_objective(const Law& law, const HistoryD<Law>& start, Random& random) {
  for (int k = 0; k < 1000; ++k) {
    const Mat<double, D> F = random.deformation<D>(0.3, 3), Q = random.rotation<D>();
    Mat<double, D> plain = F, turned = Q * F, grain = F * Q;
    HistoryD<Law> h = start, h_turned = start, h_grain = start;
    Sym<double, D> tau, tau_turned, tau_grain;
    update_stress(law, plain, h, tau, some_step<double, D>);
    update_stress(law, turned, h_turned, tau_turned, some_step<double, D>);
    update_stress(law, grain, h_grain, tau_grain, some_step<double, D>);
    const Mat<double, D> stress = to_matrix<D>(tau);
    const double tolerance = 1e-10 * largest(stress);
    EXPECT_LE(largest(to_matrix<D>(tau_turned) - Q * stress * transpose(Q)), tolerance);
    EXPECT_LE(largest(to_matrix<D>(tau_grain) - stress), tolerance);
    // A liquid keeps its volume only.
    EXPECT_LE(largest(Law::volume_only ? turned - plain : turned - Q * plain), 1e-12);
    EXPECT_LE(largest(Law::volume_only ? grain - plain : grain - plain * Q), 1e-12);
    // Some entries are stresses over time.
    EXPECT_LE(length(h - h_turned), 1e-12 * (1 + length(h)));
    EXPECT_LE(length(h - h_grain), 1e-12 * (1 + length(h)));
  }
}

TYPED_TEST(Laws, do_not_see_rotations_of_space_or_of_the_material) {
  expect_objective<TypeParam, 2>(this->law, this->history, this->random);
  expect_objective<TypeParam, 3>(this->law, this->history, this->random);
}

template <class Law, int D>
void expect_return_map(const Law& law, const HistoryD<Law>& start, Random& random) {
  int flowed = 0;
  for (int k = 0; k < 2000; ++k) {
    const double spread = k % 2 ? 0.02 : 0.5;
    const double low = k % 3 == 1 ? 1 : 1 - spread, high = k % 3 == 2 ? 1 : 1 + spread;
    const Mat<double, D> trial = random.deformation<D>(low, high);
    Mat<double, D> F = trial;
    HistoryD<Law> h = start;
    Sym<double, D> tau;
    const double work = update_stress_and_work(law, F, h, tau, some_step<double, D>);
    flowed += !(F == trial);
    // A second return does nothing more.
    if (!Law::Flow::at_a_rate) {
      Mat<double, D> again = F;
      HistoryD<Law> h_again = h;
      update_stress(law, again, h_again, tau, some_step<double, D>);
      EXPECT_LE(largest(again - F), 1e-12);
      EXPECT_LE(length(h_again - h), 1e-12 * (1 + length(h)));
    }
    // The volume is the elastic one times the plastic one, but for a liquid beyond its bounds, and snow.
    const double J = determinant(trial), volume = determinant(F) * law.flow.template plastic_volume<double>(h);
    const bool forgotten = (Law::volume_only && (J < 0.6 || J > 1.1)) || (Law::name == "snow" && h[0] <= 0.6);
    if (!forgotten) {
      EXPECT_NEAR(volume, J, 1e-11);
    }
    // Flow takes energy, surely where all stretches are on one side of 1.
    const Vec<double, D> sigma = svd(trial).sigma;
    const bool one_sided = sigma[0] <= 1 || sigma[D - 1] >= 1;
    const double trial_energy = elastic_energy(law, trial, start);
    if (Law::Flow::always_dissipates || one_sided) {
      EXPECT_GE(work, -1e-12 * trial_energy);
      EXPECT_LE(elastic_energy(law, F, start), (1 + 1e-12) * trial_energy + 1e-14 * law.elastic.p_wave_modulus());
    }
    EXPECT_TRUE(Law::flows || (F == trial && work == 0));
    // Quadratic in the logarithmic strain: what the trial has more than point and work is the energy of the plastic
    // strain itself, which the overshoot alone made.
    if constexpr (Law::in_log_strain && Law::flows) {
      Vec<double, D> plastic{};
      const Vec<double, D> held = svd(F).sigma;
      for (int i = 0; i < D; ++i) plastic[i] = std::log(sigma[i] / held[i]);
      EXPECT_NEAR(elastic_energy(law, F, h) + work + law.elastic.energy_of_strain(plastic), trial_energy,
                  1e-10 * trial_energy);
    }
  }
  EXPECT_EQ(flowed > 0, Law::flows && Law::Flow::moves_strain && !Law::needs_rest_shape);
}

TYPED_TEST(Laws, return_map_is_idempotent_and_dissipates_and_knows_its_volume) {
  expect_return_map<TypeParam, 2>(this->law, this->history, this->random);
  expect_return_map<TypeParam, 3>(this->law, this->history, this->random);
}

template <class Law, class T, int D>
bool finite_after_update(const Law& law, const Mat<double, D>& F) {
  Mat<T, D> trial = cast<T>(F);
  auto history = Law::template initial_history<T>();
  Sym<T, D> tau;
  bool finite = std::isfinite(update_stress_and_work(law, trial, history, tau, some_step<T, D>));
  for (T x : history.e) finite = finite && std::isfinite(x);
  for (T x : tau.e) finite = finite && std::isfinite(x);
  for (T x : trial.e) finite = finite && std::isfinite(x);
  return finite;
}

template <class Law, int D>
void expect_finite(const Law& law, Random& random) {
  for (int k = 0; k < 500; ++k)
    for (const double scale : {0.0, 1e-30, 1e-3, 1.0, 100.0}) {
      Mat<double, D> F = random.deformation<D>(-1, 1) * scale;
      if (k % 3 == 0)
        for (int i = 0; i < D; ++i) F(i, 0) = 0;  // flat
      EXPECT_TRUE((finite_after_update<Law, double>(law, F)));
      EXPECT_TRUE((finite_after_update<Law, float>(law, F)));
    }
}

TYPED_TEST(Laws, inverted_flat_crushed_and_overstretched_points_stay_finite) {
  expect_finite<TypeParam, 2>(this->law, this->random);
  expect_finite<TypeParam, 3>(this->law, this->random);
}

TYPED_TEST(Laws, a_nan_is_not_hidden) {
  Mat3d F = Mat3d::identity();
  F(1, 2) = std::numeric_limits<double>::quiet_NaN();
  Sym<double, 3> tau;
  update_stress(this->law, F, this->history, tau, some_step<double, 3>);
  for (double x : tau.e) EXPECT_TRUE(std::isnan(x));
}

template <class Law, class T, int D>
void expect_pack_agrees(const Law& law, Random& random) {
  using P = Pack<T>;
  for (int k = 0; k < 200; ++k) {
    Mat<T, D> F[P::width];
    typename Law::template History<T> h[P::width];
    for (int i = 0; i < P::width; ++i) {
      F[i] = cast<T>(random.deformation<D>(k % 2 ? 0.95 : 0.3, k % 2 ? 1.05 : 2));
      h[i] = Law::template initial_history<T>();
    }
    Mat<P, D> packed = load_lanes<P>(F);
    auto packed_history = load_lanes<P>(h);
    Sym<P, D> packed_tau;
    const P packed_work = update_stress_and_work(law, packed, packed_history, packed_tau, some_step<P, D>);
    for (int i = 0; i < P::width; ++i) {
      Sym<T, D> tau;
      const T work = update_stress_and_work(law, F[i], h[i], tau, some_step<T, D>);
      // The singular values differ by rounding; hardening multiplies that by at most its exponent of 10.
      const double close = sizeof(T) == 4 ? 2e-5 : 1e-12,
                   stress = close * 3 * law.elastic.p_wave_modulus() * (Law::name == "snow" && h[i][0] < 1 ? 50 : 1);
      for (int e = 0; e < D * D; ++e) EXPECT_NEAR(packed.e[e][i], F[i].e[e], close);
      for (int e = 0; e < Sym<T, D>::size; ++e) EXPECT_NEAR(packed_tau[e][i], tau[e], stress);
      // Strains are differences of stretches around 1, and shares are those of stresses, so that their error is
      // absolute. An energy has the size of a stress.
      for (int e = 0; e < Law::history_size; ++e) {
        const bool is_energy = std::string_view(Law::history_columns[static_cast<std::size_t>(e)].unit) == "J/m^3";
        EXPECT_NEAR(packed_history[e][i], h[i][e], is_energy ? stress : close * (0.5 + std::abs(h[i][e])));
      }
      EXPECT_NEAR(packed_work[i], work, stress);
    }
  }
}

TYPED_TEST(Laws, packs_give_what_scalars_give) {
  expect_pack_agrees<TypeParam, float, 2>(this->law, this->random);
  expect_pack_agrees<TypeParam, float, 3>(this->law, this->random);
  expect_pack_agrees<TypeParam, double, 2>(this->law, this->random);
  expect_pack_agrees<TypeParam, double, 3>(this->law, this->random);
}

}  // namespace
}  // namespace knead
