// From trial strain to stress: the return map and the Kirchhoff stress of every particle, a pack at a time (Wang 2020,
// section 3.3.2; Fumoto, Eqs. 8 and 13-15).
#include "base/pack_memory.h"
#include "material/update_point.h"
#include "mpm/solver.h"

namespace knead {

namespace {

// The particles of a chunk, all of one law.
template <class T, int D, class Law>
StressReport update_chunk(const Law& law, Columns<T, D>& p, const std::array<std::span<T>, Law::history_size>& columns,
                          std::size_t begin, std::size_t end, const FlowStep& in) {
  using P = Pack<T>;
  StressReport report;
  P fastest(0);
  for (std::size_t i = begin; i < end; i += P::width) {
    const int count = static_cast<int>(std::min<std::size_t>(P::width, end - i));
    Mat<P, D> F = load_lanes<P>(&p.F[i], count);
    auto history = law.template initial_history<P>();
    for (int h = 0; h < Law::history_size; ++h)
      history[h] = load_lanes<P>(&columns[static_cast<std::size_t>(h)][i], count);
    Sym<P, D> tau{};
    PointStep<P, D> step{in};
    if constexpr (Law::viscous)
      if (!p.C.empty()) step.gradient = load_lanes<P>(&p.C[i], count);
    if constexpr (Law::flows) {
      const PointEnergy<P> energy = update_stress_and_energy(law, F, history, tau, step);
      for (int k = 0; k < count; ++k)
        report.dissipated += double(energy.dissipated[k]) * double(p.volume[i + static_cast<std::size_t>(k)]);
      store_lanes<P>(F, &p.F[i], count);
      for (int h = 0; h < Law::history_size; ++h)
        store_lanes<P>(history[h], &columns[static_cast<std::size_t>(h)][i], count);
    } else {
      update_stress(law, F, history, tau, step);
    }
    store_lanes<P>(tau, &p.tau[i], count);
    fastest = max(fastest, law.template wave_speed<P>(history));
  }
  for (int k = 0; k < P::width; ++k) report.max_wave_speed = std::max(report.max_wave_speed, double(fastest[k]));
  return report;
}

}  // namespace

template <class T, int D>
void Mpm<T, D>::update_stress(World& world, double dt) {
  constexpr std::size_t grain = 4096;
  Columns<T, D> p(world.particles);
  world.tally.max_wave_speed = 0;
  for (const Batch& batch : world.batches)
    visit(materials_[static_cast<std::size_t>(batch.material)], [&](const auto& law) {
      using Law = std::remove_cvref_t<decltype(law)>;
      std::array<std::span<T>, Law::history_size> columns;
      for (std::size_t h = 0; h < columns.size(); ++h) columns[h] = world.particles.get<T>(law.history_columns[h].name);
      const auto first = static_cast<std::size_t>(batch.begin), n = static_cast<std::size_t>(batch.end - batch.begin);
      stress_partial_.assign((n + grain - 1) / grain, StressReport{});
      parallel_chunks(n, grain, [&](std::size_t begin, std::size_t end) {
        stress_partial_[begin / grain] = update_chunk(law, p, columns, first + begin, first + end, {dt, spec_.dx});
      });
      for (const StressReport& r : stress_partial_) {
        world.tally.max_wave_speed = std::max(world.tally.max_wave_speed, r.max_wave_speed);
        world.tally.dissipated += r.dissipated;
      }
    });
}

template void Mpm<float, 2>::update_stress(World&, double);
template void Mpm<float, 3>::update_stress(World&, double);
template void Mpm<double, 2>::update_stress(World&, double);
template void Mpm<double, 3>::update_stress(World&, double);

}  // namespace knead
