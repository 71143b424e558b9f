// Plastic flow at a rate, for matter that bends, sags and oozes (Bargteil 2007; Ward 2012, Eqs. 3.16 to 3.21;
// Gerszewski 2014, section 4.4), on any elastic law. With S the principal first Piola-Kirchhoff stress of the trial
// stretches,
//
//   gamma = clamp(dt flow_rate (|S| - Y) / |S|, 0, 1),  Y = yield_stress + hardening alpha
//   plastic stretch = (sigma / J^(1/d))^gamma,           alpha grows by |S| dt where it flows
//
// so that plastic flow keeps the volume. Where thickening_stress is given gamma is divided by |S| / thickening_stress:
// matter that flows under small stress and bounces under large. Departures: alpha grows only where matter flows (else
// rest would soften it), a crushed point does not flow, nor one whose stress would do negative work on the flow (in
// laws that are stiffer to volume than to shape a squeezed point may hold less energy unevenly squeezed than evenly),
// and a volume far from rest relaxes too.
#pragma once

#include "base/pack.h"
#include "material/elastic_corotated.h"
#include "material/elastic_st_venant_kirchhoff.h"

namespace knead {

struct YieldFlow : FlowDefaults {
  double yield_stress = 1000;               // Pa
  double flow_rate = 20;                    // 1/s
  double hardening = 0;                     // 1/s: yield stress gained per stress and time; below 0 it softens
  double least_yield = 0;                   // Pa
  std::optional<double> thickening_stress;  // Pa
  bool deviatoric = true;                   // whether pressure alone cannot make matter flow

  static constexpr bool at_a_rate = true;
  static constexpr int history_size = 3;
  static constexpr std::array<HistoryColumn, 3> history_columns{
      {{"alpha", "Pa s", 0.0, "Stress gathered over the time in which matter flowed."},
       {"flow", "", 0.0, "The share gamma of the trial strain that became plastic in the last step."},
       plastic_volume_column}};
  template <class T>
  using History = HistoryOf<T, history_size>;

  // Below this stretch nothing flows; outside these volumes flow takes volume along, by this much for each e-fold.
  static constexpr double least_stretch = 0.1, least_J = 0.6, most_J = 1.6, relaxation = 2;

  template <class Elastic, class T, int D>
  KNEAD_HD void project(const Elastic& elastic, Vec<T, D>& sigma, History<T>& history, const FlowStep& step) const {
    T least = sigma[0];
    for (int i = 1; i < D; ++i) least = min(least, sigma[i]);
    const auto sound = least > T(least_stretch);
    Vec<T, D> safe{};
    for (int i = 0; i < D; ++i) safe[i] = select(sound, sigma[i], T(1));
    // |S|, of the deviator as von Mises measures it.
    Vec<T, D> S = elastic.kirchhoff(safe);
    for (int i = 0; i < D; ++i) S[i] = S[i] / safe[i];
    const T mean = deviatoric ? sum(S) * T(1.0 / D) : T(0);
    T square_norm = T(0);
    for (int i = 0; i < D; ++i) square_norm = square_norm + square(S[i] - mean);
    const T stress = sqrt(square_norm * T(deviatoric ? 1.5 : 1.0));
    const T yield = max(T(yield_stress) + T(hardening) * history[0], T(least_yield));
    const auto yields = sound && stress > max(yield, T(1e-12 * elastic.mu()));
    history[1] = T(0);
    if (!any(yields)) return;
    // The strain of which the share gamma becomes plastic; b = 1 keeps the volume.
    const T log_J = log(product(safe));
    const T beyond = max(max(log_J - T(log_most_J), T(log_least_J) - log_J), T(0));
    const T b = max(T(1) - T(relaxation) * beyond, T(0));
    Vec<T, D> strain{};
    for (int i = 0; i < D; ++i) strain[i] = log(safe[i]) - b * log_J * T(1.0 / D);
    const T divisor = select(yields, stress, T(1));
    T gamma = T(step.dt * flow_rate) * (divisor - yield) / divisor;
    if (thickening_stress) gamma = gamma * T(*thickening_stress) / divisor;
    gamma = min(max(gamma, T(0)), T(1));
    // Neither the trial stress nor the returned one may do negative work on the flow.
    Vec<T, D> returned{};
    for (int i = 0; i < D; ++i) returned[i] = safe[i] * exp(-(gamma * strain[i]));
    const Vec<T, D> tau = elastic.kirchhoff(returned);
    T before = T(0), after = T(0), size = T(0);
    for (int i = 0; i < D; ++i) {
      before = before + S[i] * safe[i] * strain[i];
      after = after + tau[i] * strain[i];
      size = size + abs(tau[i]);
    }
    const auto flows = yields && before > T(0) && after >= T(-8 * unit_roundoff<T>) * size;
    gamma = select(flows, gamma, T(0));
    history[0] = history[0] + select(flows, T(step.dt) * stress, T(0));
    history[1] = gamma;
    history[2] = history[2] + gamma * (T(1) - b) * log_J;
    for (int i = 0; i < D; ++i) sigma[i] = select(flows, returned[i], sigma[i]);
  }
  template <class T>
  KNEAD_HD T plastic_volume(const History<T>& history) const {
    return plastic_volume_of(history[2]);
  }
  static const Table& table();

 private:
  static constexpr double log_least_J = -0.51082562376599068321, log_most_J = 0.47000362924573558;
};

struct YieldFlowModel {
  static constexpr const char* name = "yield-flow";
  static constexpr const char* aliases[] = {"bargteil"};
  static constexpr const char* doc =
      "Bends and bounces under small stress, flows beyond its yield stress at a rate, hardens or softens as it flows; "
      "thickens where thickening_stress is given (cornstarch).";
  static constexpr double density = 1000;
  static constexpr Corotated elastic{{.young = 2e5, .poisson = 0.3}};
  static constexpr YieldFlow flow{};
};

struct YieldFlowStVenantKirchhoffModel {
  static constexpr const char* name = "yield-flow-st-venant-kirchhoff";
  static constexpr const char* doc =
      "As yield-flow, on St. Venant-Kirchhoff elasticity (Gerszewski's hyperelastic boxes).";
  static constexpr double density = 1000;
  static constexpr StVenantKirchhoff elastic{{.young = 2e5, .poisson = 0.3}};
  static constexpr YieldFlow flow{};
};

}  // namespace knead
