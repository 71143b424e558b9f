// The stabilizer of neighbourhoods that remember a shape. Gradients are almost blind to motion from particle to
// particle; it holds neighbours where the fit F puts them. With r_ij = x_ij - F_i q_ij and
//
//   s_i^2 = sum_j w_ij |r_ij|^2 / tr A_i        a strain: what of the motion is not that of F
//
// its energy is c mu s^2 for a unit of volume. Where matter has flowed unevenly much of the motion is not that of F,
// for good, and held elastically it would resist flow without end. So the stabilizer yields where the matter does, at a
// strain y:
//
//   energy  2 c mu y^2 (sqrt(1 + s^2/y^2) - 1),   of which the slope by s^2 is c mu / sqrt(1 + s^2/y^2)
//
// a potential like the first for small s, and of a force that does not grow for large: a share c of the yield stress.
//
// An event that makes matter stiffer, or of matter that yields some that does not, would give energy to what is held.
// So it keeps its force: up to the strain s_0 of that moment the slope is that of then, k mu, and beyond the law's
// follows,
//
//   energy  c k mu s^2  up to s_0,   c k mu s_0 (2 s - s_0) + 2 c mu y'^2 (sqrt(1 + (s - s_0)^2/y'^2) - 1)  beyond
//
// with y' = y - k s_0, at least y/10. At the event this is no more than the energy that was held.
#pragma once

#include "base/math.h"
#include "meshless/strain_state.h"

namespace knead {

// The size of the strain's deviator at which matter of a law flows; none where it does not. What flows under any stress
// is held as if it yielded at the least of these: a float does not tell s from 0 below a tenth of it.
inline constexpr double least_stabilizer_yield = 0.005;
template <class Law>
std::optional<double> yield_strain_of(const Law& law) {
  using Flow = typename Law::Flow;
  const auto at = [](double strain) { return std::max(strain, least_stabilizer_yield); };
  if constexpr (std::is_same_v<Flow, StrainYield>) {
    if (!law.flow.yield_strain) return {};
    return at(*law.flow.yield_strain * (law.flow.literal ? 0.5 : 1.0));
  } else if constexpr (std::is_same_v<Flow, ViscoplasticFlow>) {
    return at(law.flow.yield_stress / (std::sqrt(2.0) * law.elastic.mu()));  // in shear
  } else if constexpr (std::is_same_v<Flow, YieldFlow> || std::is_same_v<Flow, VonMisesFlow>) {
    return at(law.flow.yield_stress / (std::sqrt(6.0) * law.elastic.mu()));  // uniaxial
  }
  return {};
}
// 1/y^2, 0 where nothing flows.
inline double softness_of(const std::optional<double>& yield) { return yield ? 1 / square(*yield) : 0.0; }

// Of s^2 and 1/y^2: the slope of the energy over that of c mu s^2, and the energy over c mu.
template <class T>
KNEAD_INLINE T stabilizer_slope(const T& square_strain, const T& softness) {
  return T(1) / sqrt(fma(square_strain, softness, T(1)));
}
template <class T>
KNEAD_INLINE T stabilizer_energy(const T& square_strain, const T& softness) {
  return T(2) * square_strain / (T(1) + sqrt(fma(square_strain, softness, T(1))));
}

// The same where an event has left a slope k up to a strain s_0; k is 0 where it has not.
template <class T>
struct HeldStrain {
  T slope, strain;  // k, s_0

  KNEAD_INLINE T slope_at(const T& square_strain, const T& softness) const {
    const T s = sqrt(square_strain), more = max(s - strain, T(0));
    const T beyond = (slope * strain + more * stabilizer_slope(more * more, left(softness))) / max(s, T(1e-30));
    return select(slope > T(0), select(s < strain, slope, beyond), stabilizer_slope(square_strain, softness));
  }
  KNEAD_INLINE T energy_at(const T& square_strain, const T& softness) const {
    const T s = sqrt(square_strain), more = max(s - strain, T(0)), within = min(s, strain);
    const T kept = slope * within * (T(2) * s - within) + stabilizer_energy(more * more, left(softness));
    return select(slope > T(0), kept, stabilizer_energy(square_strain, softness));
  }

 private:
  // 1/y'^2
  KNEAD_INLINE T left(const T& softness) const {
    return softness / square(max(T(1) - slope * strain * sqrt(softness), T(0.1)));
  }
};

// What the stabilizer knows of a law: the shear modulus in Pa, and 1/y^2 where it yields; with embedded it does not.
struct StabilizerLaw {
  double mu = 0, softness = 0;
};
template <class Law>
StabilizerLaw stabilizer_law_of(const Law& law, bool yields) {
  const double softness = yields ? softness_of(yield_strain_of(law)) : 0.0;
  if constexpr (Law::needs_rest_shape)
    return {StrainState<double, 3>(law).mu, softness};
  else if constexpr (is_meshless_law<Law>)
    return {law.elastic.mu(), softness};
  return {};
}

}  // namespace knead
