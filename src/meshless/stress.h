// From trial deformation gradients to elastic ones and their first Piola-Kirchhoff stress, law by law, in packs of
// particles (Bargteil 2007; Ward 2012, section 3.1.3; Gerszewski 2014, section 4.2).
#pragma once

#include "base/pack_memory.h"
#include "base/svd.h"
#include "material/list.h"
#include "world/world.h"

namespace knead {

// What the stress of some particles said.
struct MeshlessReport {
  double dissipated = 0;   // J
  double fastest = 0;      // m/s, elastic wave
  double square_flow = 0;  // m^3, sum of |F_p - I|^2 of the step times volume
  Guarded guarded{};
  void add(const MeshlessReport& r) {
    dissipated += r.dissipated;
    fastest = std::max(fastest, r.fastest), square_flow += r.square_flow;
    guarded.add(r.guarded);
  }
};

// F: in the trial, out the elastic one. T: out, the first Piola-Kirchhoff stress on the rest space of F, Pa.
// F_p: out, the plastic part F_e^-1 F_trial, symmetric.
template <class Law, class P, int D>
P update_piola(const Law& law, Mat<P, D>& F, typename Law::template History<P>& history, Mat<P, D>& T, Mat<P, D>& F_p,
               const FlowStep& step, P& least, P& most) {
  const Svd<P, D> d = svd(F);
  Vec<P, D> sigma = d.sigma;
  P dissipated(0);
  least = sigma[D - 1], most = sigma[0];
  F_p = Mat<P, D>::identity();
  if constexpr (Law::flows) {
    law.project(sigma, history, step);
    Vec<P, D> plastic{};
    P work(0);
    const Vec<P, D> tau = law.kirchhoff(sigma, history);
    for (int k = 0; k < D; ++k) {
      // Where nothing flows this is exactly 1, also for a stretch of 0.
      plastic[k] = select(d.sigma[k] == sigma[k], P(1), d.sigma[k] / select(sigma[k] == P(0), P(1), sigma[k]));
      work = work + tau[k] * log(max(plastic[k], P(1e-6)));
    }
    dissipated = work;
    const auto moved = work != P(0);
    if (any(moved)) {
      const Mat<P, D> rebuilt = d.U * Mat<P, D>::diagonal(sigma) * transpose(d.V);
      F_p = to_matrix<D>(rotated_diagonal(d.V, plastic));
      for (int i = 0; i < D * D; ++i) F.e[i] = select(moved, rebuilt.e[i], F.e[i]);
    }
  }
  Vec<P, D> S = law.kirchhoff(sigma, history);
  for (int k = 0; k < D; ++k) S[k] = S[k] / copysign(max(abs(sigma[k]), P(1e-6)), sigma[k]);
  T = d.U * Mat<P, D>::diagonal(S) * transpose(d.V);
  return dissipated;
}

}  // namespace knead
