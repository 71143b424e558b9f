// How particles answer a velocity field within an implicit step: energy, stress and the stress's own response, for a
// few particles of one material at a time. With G = dt grad v and the history held,
//
//   F~ = (I + G) F                                         trial strain (Wang 2020, Eq. 3.23)
//   energy  V psi(F~) + V eta J |sym G|^2 / dt             the second part is what viscosity takes
//   Q = V P(F~) F^T + 2 V eta J sym G / dt                 its derivative with respect to G
//   tangent  dQ of dG, with the positive part of dP/dF     (after Stomakhin 2012)
//
// It is computed in double precision whatever the particles are: differences of energies decide about steps.
#pragma once

#include "material/differential.h"
#include "material/list.h"

namespace knead {

// dQ of dG: with F~ = U diag(sigma) V^T and W = F V it is U B W^T, where B follows from A = U^T dG W as in the stress
// differential; `elastic` keeps W in the place of V and is scaled with the volume.
template <class T, int D>
struct Tangent {
  StressDifferential<T, D> elastic;  // J
  T viscous;                         // J, of sym dG

  static constexpr int size = sizeof(StressDifferential<T, D>) / sizeof(T) + 1;
  KNEAD_INLINE Mat<T, D> operator()(const Mat<T, D>& dG) const {
    return elastic(dG) + (T(0.5) * viscous) * (dG + transpose(dG));
  }
};

template <int D>
struct PointBatch {
  static constexpr int width = 16, max_history = 8;
  template <int N>
  using Rows = double[N][width];  // entry by entry, a particle a column

  // In. Columns from `count` on hold copies of sound ones.
  int count = 0;
  alignas(64) Rows<D * D> G, F;
  alignas(64) double volume[width];  // m^3, at rest
  alignas(64) Rows<max_history> history;

  // Out.
  alignas(64) Rows<D * D> Q;           // J
  alignas(64) double energy[width];    // J
  alignas(64) double flattest[width];  // what must stay above zero: det F~, or 1 where the law bears inversion
  alignas(64) Rows<Tangent<double, D>::size> tangent;
};

// `share` is the part of the elastic stiffness that the tangent shows: 1 in a Newton iteration, less in semi-implicit
// steps.
template <int D>
void respond(const Material&, double dt, double share, PointBatch<D>&);

}  // namespace knead
