// The stress of a point, and its return to what the material can bear: from the trial deformation gradient to the
// elastic one and the Kirchhoff stress. One point for a plain scalar, a pack of points for a pack.
#pragma once

#include "base/eigen_sym.h"
#include "base/svd.h"
#include "base/sym.h"
#include "material/elastoplastic.h"
#include "material/log_tensor.h"

namespace knead {

// What flow turns into heat per unit rest volume, J/m^3: the work of the returned stress on the plastic strain,
//   tau : (ln sigma_trial - ln sigma)
// and not the drop of energy from the trial, which is more: the trial goes beyond the yield surface, where no stress
// ever acted (sand that comes apart freely loses nothing). A point that breaks also loses the energy that it held after
// its last return, less what debris keeps. Viscous stress adds its work.
template <class T, int D>
KNEAD_INLINE T plastic_work(const Vec<T, D>& tau, const Vec<T, D>& plastic_strain) {
  T work = tau[0] * plastic_strain[0];
  for (int i = 1; i < D; ++i) work = work + tau[i] * plastic_strain[i];
  return work;
}

// The step that leads to the new stress, and the velocity gradient in it, which viscous stress is made of.
template <class T, int D>
struct PointStep : FlowStep {
  Mat<T, D> gradient = Mat<T, D>::zero();  // 1/s
};

namespace update_detail {

// Whether the return moved a point.
template <class T, int D>
KNEAD_INLINE auto differs(const Vec<T, D>& a, const Vec<T, D>& b) {
  auto moved = a[0] != b[0];
  for (int i = 1; i < D; ++i) moved = moved || a[i] != b[i];
  return moved;
}

// U diag(sigma) V^T where the flow moved a singular value, the trial elsewhere: elastic points gather no rounding.
template <class T, int D>
KNEAD_INLINE Mat<T, D> rebuilt(const Mat<T, D>& trial, const Svd<T, D>& d, const Vec<T, D>& sigma) {
  const auto moved = differs(sigma, d.sigma);
  Mat<T, D> F{};
  for (int r = 0; r < D; ++r)
    for (int c = 0; c < D; ++c) {
      T a = d.U(r, 0) * sigma[0] * d.V(c, 0);
      for (int k = 1; k < D; ++k) a = a + d.U(r, k) * sigma[k] * d.V(c, k);
      F(r, c) = select(moved, a, trial(r, c));
    }
  return F;
}

// The viscous stress 2 eta J sym(grad v), and what it dissipates.
template <bool with_work, class Law, class T, int D>
KNEAD_INLINE void add_viscous(const Law& law, const T& J, Vec<T, D*(D + 1) / 2>& tau, const PointStep<T, D>& step,
                              T& dissipated) {
  const Sym<T, D> rate = to_sym(T(0.5) * (step.gradient + transpose(step.gradient)));
  const T viscosity = T(2 * law.flow.viscosity()) * J;
  tau = tau + viscosity * rate;
  if constexpr (with_work) dissipated = dissipated + T(step.dt) * viscosity * norm2(to_matrix<D>(rate));
}

// A law of the volume alone needs no decomposition.
template <bool with_work, class Law, class T, int D>
KNEAD_INLINE T update_volume(const Law& law, Mat<T, D>& F, Vec<T, D*(D + 1) / 2>& tau, const PointStep<T, D>& step) {
  const T trial = determinant(F), J = law.flow.held_volume(trial);
  F = Mat<T, D>::diagonal(Vec<T, D>::filled(law.flow.template edge<D>(J)));
  const T stress = -(law.elastic.pressure(J) * J);
  T dissipated = T(0);
  if constexpr (with_work) {
    const auto held = trial != J;
    if (any(held)) dissipated = select(held, stress * log(max(trial, T(smallest_stretch)) / J), T(0));
  }
  tau = to_sym(Mat<T, D>::diagonal(Vec<T, D>::filled(stress)));
  if constexpr (Law::viscous) add_viscous<with_work>(law, J, tau, step, dissipated);
  return dissipated;
}

// By which the stress of a return is multiplied; a law that weakens against tension alone has no plastic strain.
template <class T, class Law>
KNEAD_INLINE T stress_factor(const Law& law, const typename Law::template History<T>& history) {
  if constexpr (Law::splits_tension)
    return T(1);
  else
    return law.template stiffening<T>(history);
}

// The return of a strain, with breaking where the rule knows it; gives the work without that factor.
template <bool with_work, class Law, class T, int D>
KNEAD_INLINE T return_strain(const Law& law, Vec<T, D>& strain, typename Law::template History<T>& history,
                             const PointStep<T, D>& step) {
  const Vec<T, D> trial = strain;
  const auto before = history;
  law.flow.return_strain(law.elastic, strain, history, step);
  T work = T(0);
  if constexpr (with_work) work = plastic_work(law.elastic.kirchhoff_of_strain(strain), trial - strain);
  if constexpr (with_work && requires { law.flow.given_up(law.elastic, strain, before, history); })
    work = work + law.flow.given_up(law.elastic, strain, before, history);
  if constexpr (requires { law.flow.is_broken(history); }) {
    const auto broken = law.flow.is_broken(history);
    if (!any(broken)) return work;
    const Vec<T, D> returned = strain;
    law.flow.break_strain(law.elastic, strain, history);
    // What was broken before holds no energy that a break could take: its debris comes apart freely.
    if constexpr (with_work)
      work = work + select(law.flow.is_broken(before),
                           plastic_work(law.elastic.kirchhoff_of_strain(strain), returned - strain),
                           law.elastic.energy_of_strain(returned) - law.elastic.energy_of_strain(strain));
  }
  return work;
}

// The way that bears every F: by singular values. Kept out of line, since most laws need it for odd points only.
template <bool with_work, class Law, class T, int D>
__attribute__((noinline)) T update_by_svd(const Law& law, Mat<T, D>& F, typename Law::template History<T>& history,
                                          Sym<T, D>& tau, const PointStep<T, D>& step) {
  const Svd<T, D> d = svd(F);
  Vec<T, D> sigma = d.sigma;
  T dissipated = T(0);
  // Return map.
  if constexpr (Law::flows) {
    const T h_old = stress_factor<T>(law, history);
    if constexpr (Law::in_log_strain) {
      const Vec<T, D> trial = Law::Elastic::log_strain(sigma);
      Vec<T, D> strain = trial;
      dissipated = h_old * return_strain<with_work>(law, strain, history, step);
      for (int i = 0; i < D; ++i) sigma[i] = select(strain[i] == trial[i], sigma[i], exp(strain[i]));
    } else {
      law.project(sigma, history, step);
      if constexpr (with_work) {
        Vec<T, D> change{};
        for (int i = 0; i < D; ++i)
          change[i] = log(max(d.sigma[i], T(smallest_stretch)) / max(sigma[i], T(smallest_stretch)));
        dissipated = h_old * plastic_work(law.elastic.kirchhoff(sigma), change);
      }
    }
    F = rebuilt(F, d, sigma);
  }
  // Stress.
  tau = rotated_diagonal(d.U, law.kirchhoff(sigma, history));
  if constexpr (Law::viscous) add_viscous<with_work>(law, product(sigma), tau, step, dissipated);
  return dissipated;
}

// F + growth F, where it moved; not (1 + growth) F, so that rounding does not scale F in every step.
template <class T, int D, class Mask>
KNEAD_INLINE void grow(Mat<T, D>& F, const Vec<T, D*(D + 1) / 2>& growth, const Mask& moved) {
  const Mat<T, D> G = to_matrix<D>(growth), old = F;
  for (int r = 0; r < D; ++r)
    for (int c = 0; c < D; ++c) {
      T a = old(r, c);
      for (int k = 0; k < D; ++k) a = fma(G(r, k), old(k, c), a);
      F(r, c) = select(moved, a, old(r, c));
    }
}

// Whether the eigenvalues of F F^T tell the stretches well: no stretch is below a fifth of another, so that squaring F
// costs at most 25 roundings of a strain, and F is not inside out.
template <class T, int D>
KNEAD_INLINE auto told_by_squares(const Vec<T, D>& squares, const Mat<T, D>& F) {
  T least = squares[0], most = squares[0];
  for (int i = 1; i < D; ++i) least = min(least, squares[i]), most = max(most, squares[i]);
  constexpr double smallest = smallest_stretch * smallest_stretch, narrow = 0.04;
  return least > max(T(narrow) * most, T(smallest)) && fused_determinant(F) > T(0);
}

// By the eigenvectors Q and eigenvalues sigma^2 of F F^T: F = Q diag(sigma / sigma_trial) Q^T F_trial.
template <bool with_work, class Law, class T, int D>
KNEAD_INLINE auto update_by_squares(const Law& law, Mat<T, D>& F, typename Law::template History<T>& history,
                                    Vec<T, D*(D + 1) / 2>& tau, const PointStep<T, D>& step, T& dissipated) {
  static_assert(!Law::viscous, "this way adds no viscous stress");
  const EigenSym<T, D> e = eigen_sym<D>(left_cauchy_green(F));
  const auto good = told_by_squares(e.values, F);
  Vec<T, D> trial{};
  for (int i = 0; i < D; ++i) trial[i] = sqrt(select(good, e.values[i], T(1)));
  // Return map.
  Vec<T, D> sigma = trial;
  const T h_old = stress_factor<T>(law, history);
  law.project(sigma, history, step);
  const auto moved = differs(sigma, trial);
  if (any(moved)) {
    Vec<T, D> growth{}, change{};
    for (int i = 0; i < D; ++i) growth[i] = sigma[i] / trial[i] - T(1);
    grow(F, rotated_diagonal(e.Q, growth), moved);
    if constexpr (with_work) {
      for (int i = 0; i < D; ++i) change[i] = log(trial[i] / sigma[i]);
      dissipated = h_old * plastic_work(law.elastic.kirchhoff(sigma), change);
    }
  }
  // Stress.
  tau = rotated_diagonal(e.Q, law.kirchhoff(sigma, history));
  return good;
}

// In logarithmic strain, from the eigenvectors Q and eigenvalues sigma^2 of F F^T: with eps the elastic strain and
// eps_trial the trial's, F = Q diag(exp(eps - eps_trial)) Q^T F_trial.
template <bool with_work, class Law, class T, int D>
KNEAD_INLINE auto update_log_strain(const Law& law, Mat<T, D>& F, typename Law::template History<T>& history,
                                    Vec<T, D*(D + 1) / 2>& tau, const PointStep<T, D>& step, T& dissipated) {
  static_assert(!Law::viscous, "this way adds no viscous stress");
  const EigenSym<T, D> e = eigen_sym<D>(left_cauchy_green(F));
  const auto good = told_by_squares(e.values, F);
  Vec<T, D> strain{};
  for (int i = 0; i < D; ++i) strain[i] = T(0.5) * log(select(good, e.values[i], T(1)));
  // Return map.
  if constexpr (Law::flows) {
    const Vec<T, D> trial = strain;
    const T h_old = stress_factor<T>(law, history);
    dissipated = h_old * return_strain<with_work>(law, strain, history, step);
    const auto moved = differs(strain, trial);
    if (any(moved)) {
      Vec<T, D> growth{};
      for (int i = 0; i < D; ++i) growth[i] = exp(strain[i] - trial[i]) - T(1);
      grow(F, rotated_diagonal(e.Q, growth), moved);
    }
  }
  // Stress.
  if constexpr (Law::splits_tension)
    tau = rotated_diagonal(e.Q, law.elastic.kirchhoff_of_strain(strain, law.template stiffening<T>(history)));
  else
    tau = rotated_diagonal(e.Q, law.template stiffening<T>(history) * law.elastic.kirchhoff_of_strain(strain));
  return good;
}

// One way where it is good, another elsewhere; each point's result is its own, whatever its neighbours in the pack
// need. Both are called with F, history and stress; `quick` gives the mask of where it is good and sets what is
// dissipated.
template <class Quick, class Careful, class T, int D, class History>
KNEAD_INLINE T quick_or_careful(Mat<T, D>& F, History& history, Vec<T, D*(D + 1) / 2>& tau, const Quick& quick,
                                const Careful& careful) {
  Mat<T, D> F_careful = F;
  History history_careful = history;
  T dissipated = T(0);
  const auto good = quick(F, history, tau, dissipated);
  if (all(good)) return dissipated;
  Sym<T, D> tau_careful{};
  const T dissipated_careful = careful(F_careful, history_careful, tau_careful);
  for (int i = 0; i < D * D; ++i) F.e[i] = select(good, F.e[i], F_careful.e[i]);
  for (int i = 0; i < History::size; ++i) history[i] = select(good, history[i], history_careful[i]);
  for (int i = 0; i < Sym<T, D>::size; ++i) tau[i] = select(good, tau[i], tau_careful[i]);
  return select(good, dissipated, dissipated_careful);
}

// By the eigenvectors of F F^T, or where they do not tell enough by singular values.
template <bool with_work, class Law, class T, int D>
KNEAD_INLINE T update_by_vectors(const Law& law, Mat<T, D>& F, typename Law::template History<T>& history,
                                 Sym<T, D>& tau, const PointStep<T, D>& step) {
  using History = typename Law::template History<T>;
  return quick_or_careful(
      F, history, tau,
      [&](Mat<T, D> & F_, History & h, Sym<T, D> & t, T & dissipated) __attribute__((always_inline)) {
        if constexpr (Law::in_log_strain)
          return update_log_strain<with_work>(law, F_, h, t, step, dissipated);
        else
          return update_by_squares<with_work>(law, F_, h, t, step, dissipated);
      },
      [&](Mat<T, D>& F_, History& h, Sym<T, D>& t) { return update_by_svd<with_work>(law, F_, h, t, step); });
}
// Out of line where most points need it not.
template <bool with_work, class Law, class T, int D>
__attribute__((noinline)) T seldom_by_vectors(const Law& law, Mat<T, D>& F, typename Law::template History<T>& history,
                                              Sym<T, D>& tau, const PointStep<T, D>& step) {
  return update_by_vectors<with_work>(law, F, history, tau, step);
}

// A law in logarithmic strain whose return sees the volume and the length of the deviator alone, and may change these
// alone: its principal strains may be any that have both. The logarithm and the exponential are those of
// material/log_tensor.h, in float.
template <class Law, class T, int D>
inline constexpr bool updates_by_invariants = D == 3 && sizeof(Real<T>) == 4 && Law::in_log_strain &&
                                              !Law::splits_tension && Law::is_radial;

template <bool with_work, class Law, class T>
KNEAD_INLINE auto update_by_invariants(const Law& law, Mat<T, 3>& F, typename Law::template History<T>& history,
                                       Sym<T, 3>& tau, const PointStep<T, 3>& step, T& dissipated) {
  static_assert(!Law::viscous, "this way adds no viscous stress");
  Sym<T, 3> deviator{};
  const T J = fused_determinant(F);
  auto good = half_log_deviator(left_cauchy_green(F), deviator) &&
              J > T(smallest_stretch * smallest_stretch * smallest_stretch);
  const Traceless<T> E(deviator);
  const T mean = log(select(good, J, T(1))) * T(1.0 / 3), side = sqrt(select(good, E.j2, T(0)));
  Vec<T, 3> strain{mean + side, mean - side, mean};
  // Return map.
  T share = T(1);  // of the deviator that is kept
  if constexpr (Law::flows) {
    const Vec<T, 3> trial = strain;
    const T h_old = stress_factor<T>(law, history);
    dissipated = h_old * return_strain<with_work>(law, strain, history, step);
    if constexpr (requires { law.flow.is_broken(history); }) good = good && !law.flow.is_broken(history);
    const auto moved = differs(strain, trial);
    if (any(moved)) {
      const T before = trial[0] - trial[1];
      share = select(moved && before > T(0), (strain[0] - strain[1]) / max(before, T(1e-30)), T(1));
      const T change = (sum(strain) - sum(trial)) * T(1.0 / 3);
      // Most laws keep the volume but for rounding, and the exponential of that is 1.
      const T scale = any(abs(change) > T(unit_roundoff<T> / 2)) ? exp(change) : T(1);
      grow(F, scaled_exp_minus_one(E, share - T(1), scale), moved);
    }
  }
  // Stress.
  const T h = law.template stiffening<T>(history), mu2 = T(2 * law.elastic.mu()) * share * h;
  const T mean_stress = T(law.elastic.lambda() + law.elastic.mu() * (2.0 / 3)) * sum(strain) * h;
  for (int i = 0; i < 6; ++i) tau[i] = i < 3 ? fma(mu2, deviator[i], mean_stress) : mu2 * deviator[i];
  return good;
}

// Points that the flow rule leaves alone need no decomposition where the elastic law has a stress without one.
template <class Law, class T, int D>
KNEAD_INLINE auto update_at_rest(const Law& law, Mat<T, D>& F, typename Law::template History<T>& history,
                                 Vec<T, D*(D + 1) / 2>& tau) {
  const auto good = law.elastic.direct_stress(F, tau) && law.flow.leaves_alone(left_cauchy_green(F));
  tau = law.template stiffening<T>(history) * tau;
  return good;
}

template <bool with_work, class Law, class T, int D>
KNEAD_INLINE T update(const Law& law, Mat<T, D>& F, typename Law::template History<T>& history, Sym<T, D>& tau,
                      const PointStep<T, D>& step) {
  using History [[maybe_unused]] = typename Law::template History<T>;
  [[maybe_unused]] const auto by_vectors = [&](auto& F_, auto& h, auto& t) {
    return seldom_by_vectors<with_work>(law, F_, h, t, step);
  };
  if constexpr (Law::volume_only) {
    return update_volume<with_work>(law, F, tau, step);
  } else if constexpr (updates_by_invariants<Law, T, D>) {
    return quick_or_careful(
        F, history, tau,
        [&](Mat<T, D> & F_, History & h, Sym<T, D> & t, T & dissipated)
            __attribute__((always_inline)) { return update_by_invariants<with_work>(law, F_, h, t, step, dissipated); },
        by_vectors);
  } else if constexpr (requires { law.flow.leaves_alone(tau); }) {
    return quick_or_careful(
        F, history, tau,
        [&](Mat<T, D> & F_, History & h, Sym<T, D> & t, T&)
            __attribute__((always_inline)) { return update_at_rest(law, F_, h, t); },
        by_vectors);
  } else if constexpr (Law::in_log_strain || Law::flows) {
    return update_by_vectors<with_work>(law, F, history, tau, step);
  } else if constexpr (requires { law.elastic.direct_stress(F, tau); }) {
    static_assert(!Law::viscous, "this way adds no viscous stress");
    const auto good = law.elastic.direct_stress(F, tau);
    if (all(good)) return T(0);
    Sym<T, D> tau_svd{};
    update_by_svd<with_work>(law, F, history, tau_svd, step);
    for (int i = 0; i < Sym<T, D>::size; ++i) tau[i] = select(good, tau[i], tau_svd[i]);
    return T(0);
  } else {
    return update_by_svd<with_work>(law, F, history, tau, step);
  }
}

}  // namespace update_detail

// F: in the trial, out the elastic deformation gradient (untouched where nothing flows). tau: out, the Kirchhoff
// stress, Pa.
template <class Law, class T, int D>
KNEAD_INLINE void update_stress(const Law& law, Mat<T, D>& F, typename Law::template History<T>& history,
                                Sym<T, D>& tau, const PointStep<T, D>& step = {}) {
  update_detail::update<false>(law, F, history, tau, step);
}

// The same; gives what was dissipated, J/m^3.
template <class Law, class T, int D>
KNEAD_INLINE T update_stress_and_work(const Law& law, Mat<T, D>& F, typename Law::template History<T>& history,
                                      Sym<T, D>& tau, const PointStep<T, D>& step = {}) {
  return update_detail::update<true>(law, F, history, tau, step);
}

}  // namespace knead
