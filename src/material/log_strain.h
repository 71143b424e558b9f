// Flow rules on Hencky elasticity work on the logarithmic strain eps_i = ln sigma_i, in which the stress is linear and
// a return map is a projection (Wang 2020, section 3.3.2). Such a rule offers
//
//   return_strain(elastic, strain, history, step)    from the trial strain to the elastic one
//
// and is a LogStrainFlow, which makes the return of the singular values out of it. One whose matter can break also
// offers
//
//   is_broken(history)                               whether the return has left it broken
//   break_strain(elastic, strain, history)           where it is: from the returned strain to what debris keeps
//
// A rule that sees the volume and the norm of the deviator alone, and shortens the deviator or changes the volume but
// does no more unless matter breaks, says so by a member `is_radial`: it needs no eigenvectors.
#pragma once

#include "base/pack.h"
#include "material/elastic_hencky.h"

namespace knead {

template <class Flow>
struct LogStrainFlow : FlowDefaults {
  static constexpr bool in_log_strain = true;
  template <class T, int D, class History>
  KNEAD_HD void project(const Hencky& elastic, Vec<T, D>& sigma, History& history, const FlowStep& step) const {
    const Vec<T, D> trial = Hencky::log_strain(sigma);
    Vec<T, D> strain = trial;
    const Flow& flow = static_cast<const Flow&>(*this);
    flow.return_strain(elastic, strain, history, step);
    if constexpr (requires { flow.break_strain(elastic, strain, history); })
      flow.break_strain(elastic, strain, history);
    for (int i = 0; i < D; ++i) sigma[i] = select(strain[i] == trial[i], sigma[i], exp(strain[i]));
  }
};

// Returned strain amounts are Frobenius norms. In a bar under uniaxial stress the axial plastic strain is this much of
// it.
inline constexpr double uniaxial_strain_share = 0.81649658092772603273;  // sqrt(2/3)

// The deviator of a strain, and its norm.
template <class T, int D>
struct StrainDeviator {
  Vec<T, D> e;
  T norm;
};
template <class T, int D>
KNEAD_INLINE StrainDeviator<T, D> deviator(const Vec<T, D>& strain) {
  const T mean = sum(strain) * T(1.0 / D);
  StrainDeviator<T, D> d{strain, T(0)};
  for (int i = 0; i < D; ++i) d.e[i] = d.e[i] - mean;
  d.norm = length(d.e);
  return d;
}

// Shortens the deviator by `amount`, which is 0 where nothing flows; the trace is kept.
template <class T, int D>
KNEAD_INLINE void shorten_deviator(Vec<T, D>& strain, const StrainDeviator<T, D>& d, const T& amount) {
  const auto flows = amount > T(0);
  const T share = amount / select(flows, d.norm, T(1));
  for (int i = 0; i < D; ++i) strain[i] = strain[i] - share * d.e[i];
}

}  // namespace knead
