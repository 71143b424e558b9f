// Snow: stretches are held between a critical compression and a critical stretch; packing hardens, opening softens.
//
//   sigma_i in [1 - theta_c, 1 + theta_s]                              Fumoto, Eq. 14, after Stomakhin 2013
//   J_p gathers the volume change that the clamp takes: J J_p is kept  Fumoto, Eq. 15
//   moduli times exp(xi (1 - J_p))                                     Fumoto, Eq. 8
//
// Departure: J_p is kept in [0.6, 20] and the factor below a ceiling, because the exponential is unbounded and would
// drive the stable time step to zero.
#pragma once

#include "material/elastic_fixed_corotated.h"

namespace knead {

struct SnowFlow : FlowDefaults {
  double hardening = 10;                 // xi
  double critical_compression = 2.5e-2;  // theta_c
  double critical_stretch = 7.5e-3;      // theta_s
  double max_hardening = 50;

  static constexpr double min_J_p = 0.6, max_J_p = most_plastic_volume;
  static constexpr int history_size = 1;
  static constexpr std::array<HistoryColumn, 1> history_columns{
      {{"J_p", "", 1.0, "Volume change taken up by plastic flow: below 1 packed, above 1 loosened."}}};
  template <class T>
  using History = HistoryOf<T, history_size>;
  // Clamping one by one is no closest-point return: where one stretch is cut while the others are compressed, the
  // volume term may gain a little (2 % of the energy at the default moduli, more towards poisson 0.5).
  static constexpr bool always_dissipates = false;

  template <class Elastic, class T, int D>
  KNEAD_HD void project(const Elastic&, Vec<T, D>& sigma, History<T>& history, const FlowStep&) const {
    // The ratio of the stretches one by one, so that an unclamped one leaves J_p as it was, to the last bit.
    T J_p = history[0];
    for (int i = 0; i < D; ++i) {
      const T held = clamp(sigma[i], T(1 - critical_compression), T(1 + critical_stretch));
      J_p = J_p * (sigma[i] / held);
      sigma[i] = held;
    }
    history[0] = clamp(J_p, T(min_J_p), T(max_J_p));
  }

  // Whether no stretch is beyond a limit, told by B = F F^T without its eigenvalues.
  template <class T, int S>
  KNEAD_HD auto leaves_alone(const Vec<T, S>& B) const {
    constexpr int D = S == 3 ? 2 : 3;
    Vec<T, S> above{}, below{};
    for (int i = 0; i < S; ++i) {
      above[i] = i < D ? B[i] - T(square(1 - critical_compression)) : B[i];
      below[i] = i < D ? T(square(1 + critical_stretch)) - B[i] : -B[i];
    }
    return is_positive_definite(above) && is_positive_definite(below);
  }

  template <class T>
  KNEAD_HD T stiffening(const History<T>& history) const {
    return min(exp(T(hardening) * (T(1) - history[0])), T(max_hardening));
  }

  template <class T>
  KNEAD_HD T plastic_volume(const History<T>& history) const {
    return history[0];
  }

  static const Table& table();
};

struct SnowModel {
  static constexpr const char* name = "snow";
  static constexpr const char* doc =
      "Snow: breaks into chunks and powder, hardens where it is packed and weakens where it is pulled open.";
  static constexpr double density = 400;
  static constexpr FixedCorotated elastic{{.young = 1.4e5, .poisson = 0.2}};
  static constexpr SnowFlow flow{};
};

}  // namespace knead
