// From trial strain to stress: the return map and the Kirchhoff stress of a few packs of particles, in the cache where
// the gather left them (Wang 2020, section 3.3.2; Fumoto, Eqs. 8 and 13-15).
#pragma once

#include "base/pack.h"
#include "base/sym.h"
#include "material/list.h"
#include "world/particles.h"

#include <algorithm>

namespace knead {

// What the stress update of some particles saw.
struct StressReport {
  double max_wave_speed = 0;  // m/s
  double dissipated = 0;      // J
  double cracking = 0;        // largest change of a phase field that is due

  void add(const StressReport& r) {
    max_wave_speed = max(max_wave_speed, r.max_wave_speed);
    dissipated += r.dissipated;
    cracking = max(cracking, r.cracking);
  }
};

// What the particles of a block saw.
struct ParticleReport {
  double max_speed = 0;     // m/s, largest component of a particle velocity
  double max_gradient = 0;  // 1/s, largest Frobenius norm of a velocity gradient
  StressReport stress;

  void add(const ParticleReport& r) {
    max_speed = max(max_speed, r.max_speed);
    max_gradient = max(max_gradient, r.max_gradient);
    stress.add(r.stress);
  }
};

// Particles of one batch on their way, a lane each. The last pack repeats the last particle.
template <class T, int D>
struct StressChunk {
  using P = Pack<T>;
  static constexpr int capacity = 64, packs = capacity / P::width;
  Vec<P, D> stretch[packs];   // the diagonal of the column H in the trial
  Mat<P, D> F[packs];         // in the trial, out the elastic deformation gradient
  Mat<P, D> gradient[packs];  // 1/s, of the velocity; only where the law is viscous
  Sym<P, D> tau[packs];       // Pa, out
  int index[capacity];        // which particles
  int count = 0;

  int used_packs() const { return (count + P::width - 1) / P::width; }
  int lanes_of(int pack) const { return min(count - pack * P::width, P::width); }
  const int* index_of(int pack) const { return index + pack * P::width; }

  void set_trial(int pack, const Mat<P, D>& trial) {
    F[pack] = trial;
    for (int a = 0; a < D; ++a) {
      stretch[pack][a] = trial(a, a);
      F[pack](a, a) = trial(a, a) + P(1);
    }
  }
  // What the column H becomes. Off the diagonal it is F; on it, the trial to its last digit where the law left it
  // alone.
  Mat<P, D> kept(int pack) const {
    Mat<P, D> kept = F[pack];
    for (int a = 0; a < D; ++a) {
      const P trial = stretch[pack][a], now = F[pack](a, a);
      kept(a, a) = select(now == trial + P(1), trial, now - P(1));
    }
    return kept;
  }
  // Takes the particles order[0], ..., order[n - 1], 1 <= n <= capacity.
  void take(const int* order, int n) {
    count = n;
    std::copy_n(order, n, index);
    std::fill(index + n, index + used_packs() * P::width, order[n - 1]);
  }
};

// One law with the columns that it needs, opened once for all chunks of a batch.
template <class T, int D>
struct StressKernel {
  static constexpr std::size_t max_history = 8;
  using Run = void (*)(const StressKernel&, StressChunk<T, D>&, const FlowStep&, StressReport&);

  Run run;
  const void* law;
  bool viscous;  // wants the velocity gradient
  T* history[max_history];
  const T* volume;
  const T* awake = nullptr;  // particles at 0 have no strain: a mesh has it for them
  double wave_factor = 1;    // for matter whose mass is of another density than the law's

  void operator()(StressChunk<T, D>& chunk, const FlowStep& step, StressReport& report) const {
    run(*this, chunk, step, report);
  }
};

// The kernel of a material, which must outlive it, on these particles. Each pair of scalar and dimension is compiled in
// a file of its own.
template <class T, int D>
StressKernel<T, D> stress_kernel_of(const Material&, Particles&);

}  // namespace knead
