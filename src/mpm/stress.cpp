// The stress of particles outside a step: at the start, and where something else than a step changed their strain.
#include "mpm/stress.h"

#include "base/pack_memory.h"
#include "mpm/solver.h"
#include "scene/crack_width.h"

namespace knead {

// The laws of the batches, with the columns as they lie now.
template <class T, int D>
void Mpm<T, D>::open_kernels(World& world) {
  kernels_.clear();
  for (std::size_t b = 0; b < world.batches.size(); ++b) {
    kernels_.push_back(stress_kernel_of<T, D>(controls_.materials[static_cast<std::size_t>(world.batches[b].material)],
                                              world.particles));
    kernels_.back().wave_factor = std::sqrt(lightness_[b]);
    if (mesh_.bears()) kernels_.back().awake = world.particles.get<T>("awake").data();
  }
}

template <class T, int D>
void Mpm<T, D>::update_stress(World& world, const std::function<bool(std::int32_t, std::int32_t)>& concerns) {
  using P = Pack<T>;
  using Chunk = StressChunk<T, D>;
  constexpr std::size_t grain = 4096;
  Columns<T, D> p(world.particles);
  const auto body = world.particles.get<std::int32_t>("body");
  open_kernels(world);
  std::vector<int> chosen;
  for (std::size_t b = 0; b < world.batches.size(); ++b) {
    const StressKernel<T, D>& kernel = kernels_[b];
    const Batch& batch = world.batches[b];
    chosen.clear();
    for (std::int64_t i = batch.begin; i < batch.end; ++i)
      if (concerns(batch.material, body[static_cast<std::size_t>(i)])) chosen.push_back(static_cast<int>(i));
    const std::size_t n = chosen.size();
    stress_partial_.assign((n + grain - 1) / grain, StressReport{});
    parallel_chunks(n, grain, [&](std::size_t begin, std::size_t end) {
      Chunk chunk;
      for (std::size_t at = begin; at < end; at += Chunk::capacity) {
        chunk.take(&chosen[at], static_cast<int>(std::min<std::size_t>(end - at, Chunk::capacity)));
        for (int pack = 0; pack < chunk.used_packs(); ++pack) {
          chunk.set_trial(pack, load_lanes_at<P>(p.H.data(), chunk.index_of(pack)));
          // The affine velocity is the gradient that is known outside a step.
          if (kernel.viscous)
            chunk.gradient[pack] = p.C.empty() ? Mat<P, D>::zero() : load_lanes_at<P>(p.C.data(), chunk.index_of(pack));
        }
        kernel(chunk, {0, crack_width(spec_.degree(), spec_.dx)}, stress_partial_[begin / grain]);
        for (int pack = 0; pack < chunk.used_packs(); ++pack) {
          store_lanes_at<P>(chunk.kept(pack), p.H.data(), chunk.index_of(pack), chunk.lanes_of(pack));
          store_lanes_at<P>(chunk.tau[pack], p.tau.data(), chunk.index_of(pack), chunk.lanes_of(pack));
        }
      }
    });
    for (const StressReport& r : stress_partial_) {
      world.tally.max_wave_speed = std::max(world.tally.max_wave_speed, r.max_wave_speed);
      world.tally.dissipated += r.dissipated;
      world.tally.cracking = std::max(world.tally.cracking, r.cracking);
    }
  }
}

template void Mpm<float, 2>::open_kernels(World&);
template void Mpm<float, 3>::open_kernels(World&);
template void Mpm<double, 2>::open_kernels(World&);
template void Mpm<double, 3>::open_kernels(World&);
template void Mpm<float, 2>::update_stress(World&, const std::function<bool(std::int32_t, std::int32_t)>&);
template void Mpm<float, 3>::update_stress(World&, const std::function<bool(std::int32_t, std::int32_t)>&);
template void Mpm<double, 2>::update_stress(World&, const std::function<bool(std::int32_t, std::int32_t)>&);
template void Mpm<double, 3>::update_stress(World&, const std::function<bool(std::int32_t, std::int32_t)>&);

}  // namespace knead
