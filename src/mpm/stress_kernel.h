// The stress kernel of every law of the list, for one scalar and dimension: included by one source file for each pair.
#pragma once

#include "base/pack_memory.h"
#include "material/update_point.h"
#include "mpm/stress.h"

namespace knead {

// What a phase field will change by, were it not for its neighbours: of its own equation, d = 2 H / (G_c / l + 2 H).
template <class P>
P due_change(const PhaseFieldFlow& flow, const P& before, const HistoryOf<P, PhaseFieldFlow::history_size>& after) {
  const P held = P(2) * after[1];
  return (P(1) - after[0]) * (held - P(2) * before) / (P(flow.fracture_energy / flow.crack_length) + held);
}

// Of the particles of a chunk, in an order that does not depend on how many a pack holds.
template <class T, int N>
double sum_of(const T (&values)[N]) {
  constexpr int columns = 16;
  static_assert(N % columns == 0);
  double column[columns] = {}, sum = 0;
  for (int row = 0; row < N; row += columns)
    for (int k = 0; k < columns; ++k) column[k] += double(values[row + k]);
  for (const double c : column) sum += c;
  return sum;
}

template <class T, int D, class Law>
void update_stress_chunk(const StressKernel<T, D>& kernel, StressChunk<T, D>& chunk, const FlowStep& in,
                         StressReport& report) {
  using P = Pack<T>;
  const Law& law = *static_cast<const Law*>(kernel.law);
  constexpr bool cracks = std::is_same_v<typename Law::Flow, PhaseFieldFlow>;
  P fastest(0), cracking(0);                                        // m/s; as in the report
  [[maybe_unused]] T dissipated[StressChunk<T, D>::capacity] = {};  // J, of each particle
  for (int pack = 0; pack < chunk.used_packs(); ++pack) {
    const int* index = chunk.index_of(pack);
    const int count = chunk.lanes_of(pack);
    if (kernel.awake) {
      const auto awake = load_lanes_at<P>(kernel.awake, index) > P(0);
      for (int r = 0; r < D; ++r)
        for (int c = 0; c < D; ++c) chunk.F[pack](r, c) = select(awake, chunk.F[pack](r, c), P(r == c ? T(1) : T(0)));
    }
    auto history = law.template initial_history<P>();
    const auto is_sum = [](int h) { return Law::history_columns[static_cast<std::size_t>(h)].sum; };
    for (int h = 0; h < Law::history_size; ++h)
      history[h] = is_sum(h) ? P(0) : load_lanes_at<P>(kernel.history[h], index);
    PointStep<P, D> step{in};
    if constexpr (Law::viscous) step.gradient = chunk.gradient[pack];
    if constexpr (Law::flows) {
      [[maybe_unused]] const auto before = history;
      const P work = update_stress_and_work(law, chunk.F[pack], history, chunk.tau[pack], step);
      T* lost = dissipated + pack * P::width;
      (work * load_lanes_at<P>(kernel.volume, index)).store(lost);
      std::fill(lost + count, lost + P::width, T(0));  // the last particle counts once
      for (int h = 0; h < Law::history_size; ++h) {
        if (is_sum(h)) {
          if (!any(history[h] != P(0))) continue;
          history[h] = history[h] + load_lanes_at<P>(kernel.history[h], index);
        }
        store_lanes_at<P>(history[h], kernel.history[h], index, count);
      }
      if constexpr (cracks) cracking = max(cracking, due_change(law.flow, before[1], history));
      if constexpr (Law::history_size > 0) fastest = max(fastest, law.template wave_speed<P>(history));
    } else {
      update_stress(law, chunk.F[pack], history, chunk.tau[pack], step);
    }
  }
  for (int lane = 0; lane < P::width; ++lane) {
    report.max_wave_speed = max(report.max_wave_speed, kernel.wave_factor * double(fastest[lane]));
    if constexpr (cracks) report.cracking = max(report.cracking, double(cracking[lane]));
  }
  if constexpr (Law::flows) report.dissipated += sum_of(dissipated);
  // Without history there is nothing to change the moduli.
  if constexpr (Law::history_size == 0)
    report.max_wave_speed =
        max(report.max_wave_speed,
            kernel.wave_factor * law.template wave_speed<double>(law.template initial_history<double>()));
}

template <class T, int D, class Law>
StressKernel<T, D> stress_kernel_of_law(const Law& law, Particles& particles) {
  static_assert(Law::history_size <= StressKernel<T, D>::max_history);
  StressKernel<T, D> kernel{&update_stress_chunk<T, D, Law>, &law, Law::viscous, {}, particles.get<T>("volume").data()};
  for (std::size_t h = 0; h < law.history_columns.size(); ++h)
    kernel.history[h] = particles.get<T>(law.history_columns[h].name).data();
  return kernel;
}

template <class T, int D>
StressKernel<T, D> stress_kernel_of(const Material& material, Particles& particles) {
  return visit(material, [&]<class Law>(const Law& law) -> StressKernel<T, D> {
    // The reader of scenes has said so with file and line.
    if constexpr (Law::needs_rest_shape)
      fail(Exit::bad_input, "model \"{}\" needs solver.method = \"mls\"", Law::name);
    else
      return stress_kernel_of_law<T, D>(law, particles);
  });
}

}  // namespace knead
