// Hooke's law in Green's strain with a plastic strain as state (Mueller 2004, Eqs. 3 to 5 and 20, sections 4.1
// and 4.2):
//
//   E = (F^T F - I) / 2,  e = E - E_p,  S = lambda tr(e) I + 2 mu e (+ fibres),  T = F S + k (det F - 1) cof F
//
// The printed strain lacks the half and the force keeps a factor 2: together they act as 4 times the modulus, which
// `literal` reproduces.
#pragma once

#include "base/svd.h"
#include "material/list.h"

namespace knead {

using StrainYieldLaw = Elastoplastic<StVenantKirchhoff, StrainYield, StrainYieldModel>;

// For one particle or a pack of them.
template <class T, int D>
struct StrainState {
  const StrainYieldLaw& law;
  T lambda, mu, k, fibre_young;
  Vec<T, D> fibre;
  T yield, most;  // of strain with its half

  explicit StrainState(const StrainYieldLaw& of) : law(of) {
    const double factor = of.flow.literal ? 4 : 1, half = of.flow.literal ? 0.5 : 1;
    lambda = T(factor * of.elastic.lambda()), mu = T(factor * of.elastic.mu());
    k = T(of.elastic.volume_stiffness), fibre_young = T(factor * of.flow.fibre_young);
    const double size = length(of.flow.fibre);
    fibre = resized<T, D>(of.flow.fibre / (size > 0 ? size : 1.0));
    yield = T(half * of.flow.yield_strain.value_or(1e30)), most = T(half * of.flow.max_strain);
  }
  T p_wave_modulus() const { return lambda + T(2) * mu + k + fibre_young; }

  static Mat<T, D> green(const Mat<T, D>& F) {
    Mat<T, D> E = transpose(F) * F;
    for (int i = 0; i < D; ++i) E(i, i) -= T(1);
    return E * T(0.5);
  }
  // The second Piola-Kirchhoff stress of an elastic strain.
  Mat<T, D> second(const Mat<T, D>& e) const {
    Mat<T, D> S = e * (T(2) * mu);
    for (int i = 0; i < D; ++i) S(i, i) += lambda * trace(e);
    if (law.flow.fibre_young > 0) S += outer(fibre, fibre) * (fibre_young * dot(fibre, e * fibre));
    return S;
  }
  Mat<T, D> first(const Mat<T, D>& F, const Mat<T, D>& S) const {
    Mat<T, D> P = F * S;
    if (law.elastic.volume_stiffness > 0) P += cofactor(F) * (k * (determinant(F) - T(1)));
    return P;
  }
  T energy(const Mat<T, D>& F, const Mat<T, D>& e) const {
    const Mat<T, D> S = second(e);
    T psi = 0;
    for (int i = 0; i < D * D; ++i) psi += T(0.5) * e.e[i] * S.e[i];
    return psi + T(0.5) * k * square(determinant(F) - T(1));
  }

  // What flows of an elastic strain in a step.
  Mat<T, D> flow_of(const Mat<T, D>& e, double dt) const {
    Mat<T, D> shape = e;
    for (int i = 0; i < D; ++i) shape(i, i) -= trace(e) / T(D);
    const T size = sqrt(norm2(shape)), beta(law.flow.creep ? 1 - std::exp(-*law.flow.creep * dt) : 1.0);
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
