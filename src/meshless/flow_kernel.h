// From trial deformation gradients to elastic ones and their first Piola-Kirchhoff stress, law by law, in packs of
// particles (Bargteil 2007; Ward 2012, section 3.1.3; Gerszewski 2014, section 4.2).
#pragma once

#include "base/svd.h"
#include "material/list.h"
#include "meshless/packs.h"
#include "world/particles.h"

namespace knead {

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
      const Mat<P, D> flowed = to_matrix<D>(rotated_diagonal(d.V, plastic));
      for (int i = 0; i < D * D; ++i) {
        F.e[i] = select(moved, rebuilt.e[i], F.e[i]);
        F_p.e[i] = select(moved, flowed.e[i], F_p.e[i]);
      }
    }
  }
  Vec<P, D> S = law.kirchhoff(sigma, history);
  for (int k = 0; k < D; ++k) S[k] = S[k] / copysign(max(abs(sigma[k]), P(1e-6)), sigma[k]);
  T = d.U * Mat<P, D>::diagonal(S) * transpose(d.V);
  return dissipated;
}

inline constexpr std::size_t max_flow_history = 8;

// Particles on their way, a lane each.
template <class T, int D>
struct FlowPack {
  using P = Pack<T>;
  Mat<P, D> F;                                // in the trial, out the elastic one
  std::array<P, max_flow_history> history{};  // in and out
  Mat<P, D> piola{}, F_p{};                   // Pa; the plastic part
  P least{}, most{};                          // stretches of the trial
  P dissipated{};                             // J/m^3
  P wave{};                                   // m/s, elastic, of the law's density
};

// One law with the columns that it needs, opened for all packs of a batch.
template <class T, int D>
struct FlowKernel {
  using P = Pack<T>;
  void (*run)(const void* law, FlowPack<T, D>&, const FlowStep&) = nullptr;  // none: a law of the rest shape
  P (*energy)(const void* law, const Vec<P, D>& stretches) = nullptr;        // J/m^3, elastic
  const void* law = nullptr;
  bool flows = false;
  double density = 0, shear_modulus = 0;  // kg/m^3, Pa
  std::optional<double> yield_strain;     // see stabilizer.h
  std::array<T*, max_flow_history> history{};
  std::size_t history_size = 0;

  void load_history(FlowPack<T, D>& pack, std::size_t first, int count) const {
    for (std::size_t h = 0; h < history_size; ++h) pack.history[h] = load_scalars<P>(history[h] + first, count);
  }
  void store_history(const FlowPack<T, D>& pack, std::size_t first, int count) const {
    for (std::size_t h = 0; h < history_size; ++h) store_scalars<P>(pack.history[h], history[h] + first, count);
  }
  void operator()(FlowPack<T, D>& pack, const FlowStep& step) const { run(law, pack, step); }
};

// The kernel of a material, which must outlive it, on these particles.
template <class T, int D>
FlowKernel<T, D> flow_kernel_of(const Material&, Particles&);

}  // namespace knead
