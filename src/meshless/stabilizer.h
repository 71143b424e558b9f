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
#pragma once

#include "base/math.h"
#include "material/list.h"

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

}  // namespace knead
