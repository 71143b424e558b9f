// Yield and ductile fracture on Hencky elasticity: the shear that matter bears is limited (von Mises), or the tension
// (Rankine), or both; strength is lost with plastic strain, and matter without strength is broken for ever.
//
//   von Mises   |dev tau| <= tau_C                                              Wang 2020, Eq. 3.7, with 1/d in dev
//   Rankine     max tau_i <= tau_C                                              Wang 2020, Eq. 3.6, without modulus
//   both        von Mises, then Rankine: the result satisfies both
//   softening   tau_C falls by theta |eps_trial - eps|, to 0 at the least       Wang 2020, section 3.3.2.3
//   hardening   sigma_Y = sigma_Y0 + H eps_p, tau_C = sqrt(2/3) sigma_Y         Simo 1998, chapter 3 (radial return)
//
// A fracture energy G_f makes the energy of a crack independent of the grid: theta = w tau_C0^2 / (2 G_f), where
// a crack is w wide (Bazant 1983). In 2D the deviator is that of the plane, d = 2.
#pragma once

#include "material/log_strain.h"

#include <optional>

namespace knead {

// What broken matter still bears.
enum class Debris { none, compressive };
std::span<const char* const> enum_names(Debris);

// The two surfaces, as returns of the logarithmic strain. Both give the norm of the strain that they took.
namespace fracture_detail {

// `slope`: how fast tau_C grows with that norm.
template <class T, int D>
KNEAD_INLINE T return_shear(const Hencky& elastic, Vec<T, D>& strain, const T& tau_C, double slope) {
  const StrainDeviator<T, D> d = deviator(strain);
  const T over = T(2 * elastic.mu()) * d.norm - tau_C;
  const T amount = max(over, T(0)) * T(1 / (2 * elastic.mu() + slope));
  shorten_deviator(strain, d, amount);
  return amount;
}

template <class T>
KNEAD_INLINE Vec<T, 2> descending(const Vec<T, 2>& a) {
  return {max(a[0], a[1]), min(a[0], a[1])};
}
template <class T>
KNEAD_INLINE Vec<T, 3> descending(const Vec<T, 3>& a) {
  const T high = max(a[0], a[1]), low = min(a[0], a[1]), rest = min(high, a[2]);
  return {max(high, a[2]), max(low, rest), min(low, rest)};
}

// The k largest strains come down to a common a_k with 2 mu a_k + lambda (k a_k + the others) = tau_C, for the first k
// that leaves no other above a_k. The volume goes to ln_J_p.
template <class T, int D>
KNEAD_INLINE T return_tension(const Hencky& elastic, Vec<T, D>& strain, const T& tau_C, T& ln_J_p) {
  const T mu2 = T(2 * elastic.mu()), lambda = T(elastic.lambda());
  const Vec<T, D> s = descending(strain);
  T others = s[D - 1];
  if constexpr (D == 3) others = others + s[1];
  const auto yields = mu2 * s[0] + lambda * (s[0] + others) > tau_C;
  T limit = (tau_C - lambda * others) * T(1 / (2 * elastic.mu() + elastic.lambda()));
  for (int k = 2; k <= D; ++k) {
    others = k < D ? s[D - 1] : T(0);
    const T lower = (tau_C - lambda * others) * T(1 / (2 * elastic.mu() + k * elastic.lambda()));
    limit = select(s[k - 1] > limit, lower, limit);
  }
  T square_amount = T(0), volume = T(0);
  for (int i = 0; i < D; ++i) {
    const T held = select(yields, min(strain[i], limit), strain[i]);
    square_amount = square_amount + square(strain[i] - held);
    volume = volume + (strain[i] - held);
    strain[i] = held;
  }
  ln_J_p = ln_J_p + volume;
  return sqrt(square_amount);
}

}  // namespace fracture_detail

// What the three rules share: how strength is lost, and what is left of broken matter.
struct Softening {
  std::optional<double> softening;        // theta, Pa
  std::optional<double> fracture_energy;  // G_f, J/m^2
  Debris debris = Debris::none;

  // The share of a strength tau_C0 that a unit of plastic strain takes.
  double loss(double tau_C0, double dx) const {
    if (softening) return *softening / tau_C0;
    if (fracture_energy) return dx * tau_C0 / (2 * *fracture_energy);
    return 0;
  }
  // Broken matter gives up its strain, or the tension in it, and the volume that goes with it.
  template <class T, int D>
  KNEAD_HD void break_where(const T& damage, const Hencky& elastic, Vec<T, D>& strain, T& ln_J_p) const {
    const auto broken = damage >= T(1);
    if (!any(broken)) return;
    Vec<T, D> left = Vec<T, D>::zero();
    T given_up = ln_J_p + sum(strain);
    if (debris == Debris::compressive) {
      left = strain, given_up = ln_J_p;
      fracture_detail::return_tension(elastic, left, T(0), given_up);
    }
    for (int i = 0; i < D; ++i) strain[i] = select(broken, left[i], strain[i]);
    ln_J_p = select(broken, given_up, ln_J_p);
  }
  template <class T>
  KNEAD_HD T stiffening_of(const T& damage) const {
    return debris == Debris::none ? select(damage >= T(1), T(0), T(1)) : T(1);
  }
  std::vector<std::string> problems() const;
  static const Table& table();
};

inline constexpr HistoryColumn plastic_strain_column{
    "plastic_strain", "", 0.0, "Plastic strain gathered, as the axial strain of a bar that is pulled alike."};
inline constexpr HistoryColumn damage_column{
    "damage", "", 0.0, "Share of the strength that is lost: 0 intact, 1 broken for ever.", false, true};

// A rule whose second history entry is the damage and the third the plastic volume, with a Softening `softening`.
template <class Flow>
struct BreakingFlow : LogStrainFlow<Flow> {
  template <class History>
  KNEAD_HD auto is_broken(const History& history) const {
    return history[1] >= std::remove_cvref_t<decltype(history[1])>(1);
  }
  template <class T, int D, class History>
  KNEAD_HD void break_strain(const Hencky& elastic, Vec<T, D>& strain, History& history) const {
    softening().break_where(history[1], elastic, strain, history[2]);
  }
  template <class T, class History>
  KNEAD_HD T stiffening(const History& history) const {
    return softening().stiffening_of(history[1]);
  }
  template <class T, class History>
  KNEAD_HD T plastic_volume(const History& history) const {
    return plastic_volume_of(history[2]);
  }

 private:
  KNEAD_HD const Softening& softening() const { return static_cast<const Flow&>(*this).softening; }
};

struct VonMisesFlow : BreakingFlow<VonMisesFlow> {
  double yield_stress = 1e4;  // Pa, uniaxial
  double hardening = 0;       // Pa
  Softening softening{};

  static constexpr bool is_radial = true;
  static constexpr int history_size = 3;
  static constexpr std::array<HistoryColumn, 3> history_columns{plastic_strain_column, damage_column,
                                                                plastic_volume_column};
  template <class T>
  using History = HistoryOf<T, history_size>;

  double tau_C0() const { return uniaxial_strain_share * yield_stress; }

  template <class T, int D>
  KNEAD_HD void return_strain(const Hencky& elastic, Vec<T, D>& strain, History<T>& history,
                              const FlowStep& step) const {
    const double slope = uniaxial_strain_share * uniaxial_strain_share * hardening;
    const T tau_C = T(tau_C0()) * (T(1) - history[1]) + T(uniaxial_strain_share * hardening) * history[0];
    const T amount = fracture_detail::return_shear(elastic, strain, tau_C, slope);
    history[0] = history[0] + T(uniaxial_strain_share) * amount;
    history[1] = min(history[1] + T(softening.loss(tau_C0(), step.dx)) * amount, T(1));
  }
  std::vector<std::string> problems() const;
  static const Table& table();
};

struct RankineFlow : BreakingFlow<RankineFlow> {
  double tensile_strength = 1e4;  // Pa
  Softening softening{};

  static constexpr int history_size = 3;
  static constexpr std::array<HistoryColumn, 3> history_columns{plastic_strain_column, damage_column,
                                                                plastic_volume_column};
  template <class T>
  using History = HistoryOf<T, history_size>;

  template <class T, int D>
  KNEAD_HD void return_strain(const Hencky& elastic, Vec<T, D>& strain, History<T>& history,
                              const FlowStep& step) const {
    const T tau_C = T(tensile_strength) * (T(1) - history[1]);
    const T amount = fracture_detail::return_tension(elastic, strain, tau_C, history[2]);
    history[0] = history[0] + T(uniaxial_strain_share) * amount;
    history[1] = min(history[1] + T(softening.loss(tensile_strength, step.dx)) * amount, T(1));
  }
  std::vector<std::string> problems() const { return softening.problems(); }
  static const Table& table();
};

// Either strength running out breaks the point.
struct RankineVonMisesFlow : BreakingFlow<RankineVonMisesFlow> {
  double tensile_strength = 1e4;  // Pa
  double yield_stress = 2e4;      // Pa, uniaxial
  Softening softening{};

  static constexpr int history_size = 4;
  static constexpr std::array<HistoryColumn, 4> history_columns{
      {plastic_strain_column,
       {"damage", "", 0.0, "Share of the tensile strength that is lost: 0 intact, 1 broken for ever.", false, true},
       plastic_volume_column,
       {"shear_damage", "", 0.0, "Share of the yield stress that is lost; at 1 the point is broken too.", false,
        true}}};
  template <class T>
  using History = HistoryOf<T, history_size>;

  template <class T, int D>
  KNEAD_HD void return_strain(const Hencky& elastic, Vec<T, D>& strain, History<T>& history,
                              const FlowStep& step) const {
    const double shear_C0 = uniaxial_strain_share * yield_stress;
    const T sheared = fracture_detail::return_shear(elastic, strain, T(shear_C0) * (T(1) - history[3]), 0);
    const T opened =
        fracture_detail::return_tension(elastic, strain, T(tensile_strength) * (T(1) - history[1]), history[2]);
    history[0] = history[0] + T(uniaxial_strain_share) * (sheared + opened);
    const T tension_lost = min(history[1] + T(softening.loss(tensile_strength, step.dx)) * opened, T(1));
    const T shear_lost = min(history[3] + T(softening.loss(shear_C0, step.dx)) * sheared, T(1));
    const auto broken = max(tension_lost, shear_lost) >= T(1);
    history[1] = select(broken, T(1), tension_lost);
    history[3] = select(broken, T(1), shear_lost);
  }
  std::vector<std::string> problems() const { return softening.problems(); }
  static const Table& table();
};

struct VonMisesModel {
  static constexpr const char* name = "von-mises";
  static constexpr const char* doc =
      "Metal and other ductile matter: elastic until it is sheared too much, then keeps its new shape; hardens, or "
      "softens until it breaks.";
  static constexpr double density = 1000;
  static constexpr Hencky elastic{{.young = 1e6, .poisson = 0.3}};
  static constexpr VonMisesFlow flow{};
};
struct RankineModel {
  static constexpr const char* name = "rankine";
  static constexpr const char* doc =
      "Brittle matter: gives way where it is pulled too hard, bears any pressure; with softening it cracks.";
  static constexpr double density = 1000;
  static constexpr Hencky elastic{{.young = 1e6, .poisson = 0.3}};
  static constexpr RankineFlow flow{};
};
struct RankineVonMisesModel {
  static constexpr const char* name = "rankine-von-mises";
  static constexpr const char* doc =
      "Matter with a tensile strength and a yield stress: opens under tension and slides under shear.";
  static constexpr double density = 1000;
  static constexpr Hencky elastic{{.young = 1e6, .poisson = 0.3}};
  static constexpr RankineVonMisesFlow flow{};
};

}  // namespace knead
