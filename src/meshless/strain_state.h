// Hooke's law in Green's strain with a plastic strain as state (Mueller 2004, Eqs. 3 to 5 and 20, sections 4.1
// and 4.2):
//
//   E = (F^T F - I) / 2,  e = E - E_p,  S = lambda tr(e) I + 2 mu e (+ fibres),  T = F S + k (det F - 1) cof F
//
// The printed strain lacks the half and the force keeps a factor 2: together they act as 4 times the modulus, which
// `literal` reproduces. Molten matter has no other shape at rest than the present one: F is I and e is its state.
#pragma once

#include "base/elementary.h"
#include "base/svd.h"
#include "material/list.h"

namespace knead {

using StrainYieldLaw = Elastoplastic<StVenantKirchhoff, StrainYield, StrainYieldModel>;

// For one particle or a pack of them.
template <class T, int D>
struct StrainState {
  T lambda, mu, k, fibre_young;
  Vec<T, D> fibre;
  T yield, most;                // of strain with its half
  std::optional<double> creep;  // 1/s
  bool fibred, stiff_volume;

  explicit StrainState(const StrainYieldLaw& law, bool molten = false) {
    const double factor = law.flow.literal ? 4 : 1, half = law.flow.literal ? 0.5 : 1;
    const double size = length(law.flow.fibre);
    const double young = law.elastic.young;
    const ElasticModuli moduli{molten ? law.flow.melt_young.value_or(young) : young, law.elastic.poisson};
    lambda = T(factor * moduli.lambda()), mu = T(factor * moduli.mu());
    k = T(law.elastic.volume_stiffness), fibre_young = T(molten ? 0 : factor * law.flow.fibre_young);
    fibre = resized<T, D>(law.flow.fibre / (size > 0 ? size : 1.0));
    yield = T(half * law.flow.yield_strain.value_or(1e30)), most = T(half * law.flow.max_strain);
    creep = law.flow.creep;
    if (molten) k = T(0), yield = T(0), creep = law.flow.melt_creep;
    fibred = !molten && law.flow.fibre_young > 0, stiff_volume = !molten && law.elastic.volume_stiffness > 0;
  }
  T p_wave_modulus() const { return lambda + T(2) * mu + k + fibre_young; }

  KNEAD_INLINE static Mat<T, D> green(const Mat<T, D>& F) {
    Mat<T, D> E = transpose(F) * F;
    for (int i = 0; i < D; ++i) E(i, i) -= T(1);
    return E * T(0.5);
  }
  // The second Piola-Kirchhoff stress of an elastic strain.
  KNEAD_INLINE Mat<T, D> second(const Mat<T, D>& e) const {
    Mat<T, D> S = e * (T(2) * mu);
    for (int i = 0; i < D; ++i) S(i, i) += lambda * trace(e);
    if (fibred) S += outer(fibre, fibre) * (fibre_young * dot(fibre, e * fibre));
    return S;
  }
  KNEAD_INLINE Mat<T, D> first(const Mat<T, D>& F, const Mat<T, D>& S) const {
    Mat<T, D> P = F * S;
    if (stiff_volume) P += cofactor(F) * (k * (determinant(F) - T(1)));
    return P;
  }
  T energy(const Mat<T, D>& F, const Mat<T, D>& e) const {
    const Mat<T, D> S = second(e);
    T psi = 0;
    for (int i = 0; i < D * D; ++i) psi += T(0.5) * e.e[i] * S.e[i];
    return psi + T(0.5) * k * square(determinant(F) - T(1));
  }

  // The elastic strain whose stress, with F = I and without fibres, is sigma.
  Mat<T, D> strain_of(const Mat<T, D>& sigma) const {
    const T mean = trace(sigma) / T(D);
    Mat<T, D> e = sigma * (T(0.5) / mu);
    for (int i = 0; i < D; ++i) e(i, i) += mean / (T(D) * lambda + 2 * mu) - mean * T(0.5) / mu;
    return e;
  }
  // An elastic strain of other matter as it is kept when that becomes this: as it is where this is softer, as much as
  // bears the same stress where this is stiffer, since it would be given energy else.
  Mat<T, D> taken_over(const Mat<T, D>& e, const StrainState& from) const {
    const T shape = std::min(from.mu / mu, T(1));
    const T volume = std::min((T(D) * from.lambda + 2 * from.mu) / (T(D) * lambda + 2 * mu), T(1));
    const Mat<T, D> mean = Mat<T, D>::identity() * (trace(e) / T(D));
    return (e - mean) * shape + mean * volume;
  }

  // What flows of an elastic strain in a step.
  Mat<T, D> flow_of(const Mat<T, D>& e, double dt) const {
    Mat<T, D> shape = e;
    for (int i = 0; i < D; ++i) shape(i, i) -= trace(e) / T(D);
    const T size = sqrt(norm2(shape)), beta(creep ? 1 - elementary::exp(-*creep * dt) : 1.0);
    return shape * (beta * max(size - yield, T(0)) / max(size, T(1e-30)));
  }
  // The plastic strain after a step in which the elastic one was e.
  Mat<T, D> flowed(const Mat<T, D>& E_p, const Mat<T, D>& e, double dt) const {
    const Mat<T, D> flow = flow_of(e, dt), more = E_p + flow;
    const T size = sqrt(norm2(more));
    return more * select(norm2(flow) > T(0), min(most / max(size, T(1e-30)), T(1)), T(1));
  }
};

}  // namespace knead
