// Grid to particles: velocity, affine velocity, trial strain and motion, then the stress of the same particles while
// they are in the cache (Wang 2020, Eqs. 3.18-3.23; Fumoto, Eqs. 12, 16, 17).
#pragma once

#include "base/pack_memory.h"
#include "base/rounding.h"
#include "mpm/gather_packs.h"
#include "mpm/stress.h"
#include "scene/crack_width.h"

namespace knead {

template <class T>
struct GatherStep {
  T dx, dt;
  T blend;    // FLIP's share, or RPIC's damping
  bool move;  // particles go with the grid's velocity
};

// The largest values of the particles seen, a lane each.
template <class T>
struct Extremes {
  Pack<T> speed = Pack<T>(0), gradient2 = Pack<T>(0);
};

template <class T, int W>
T largest(const Pack<T, W>& a) {
  T most = a[0];
  for (int lane = 1; lane < W; ++lane) most = max(most, a[lane]);
  return most;
}

// Asks for the rows of a pack of particles that comes later in the order: those that have changed their cell since the
// columns were last put in order lie far off. Column by column between other work, since the memory takes only so many
// questions at once.
template <class T, class E>
KNEAD_INLINE void fetch(std::span<E> column, const int* ahead) {
#pragma GCC unroll 16
  for (int lane = 0; lane < Pack<T>::width; ++lane)
    __builtin_prefetch(column.data() + static_cast<unsigned>(ahead[lane]), 1);
}

// One pack of a chunk: updates v, C and x in the columns, and leaves the trial strain in the chunk.
template <Transfer transfer, int degree, class T, int D>
KNEAD_INLINE void gather_pack(Columns<T, D>& p, const VelocityRows<T, D, degree>& rows,
                              const OldVelocityRows<transfer, T, D, degree>& old, const Vec<int, D>& origin,
                              const GatherStep<T>& step, bool keep_gradient, int pack, const int* ahead,
                              StressChunk<T, D>& chunk, Extremes<T>& extremes) {
  using P = Pack<T>;
  const int* index = chunk.index_of(pack);
  const int count = chunk.lanes_of(pack);
  fetch<T>(p.x, ahead);
  fetch<T>(p.H, ahead);
  Vec<P, D> x = load_lanes_at<P>(p.x.data(), index);
  const PackStencil<T, D, degree> stencil(x, T(1) / step.dx, origin);
  const Gathered<P, D> g = gather<transfer>(rows, old, step.blend != T(0), stencil, step.dx);
  fetch<T>(p.v, ahead);
  if constexpr (is_affine(transfer)) fetch<T>(p.C, ahead);
  // Velocity: PIC, or blended with FLIP (Fumoto, Eq. 16); affine part with RPIC damping (Wang 2020, Eq. 3.21).
  Vec<P, D> v = g.v;
  if constexpr (transfer == Transfer::flip)
    if (step.blend != T(0)) v += (load_lanes_at<P>(p.v.data(), index) - g.old_v) * P(step.blend);
  store_lanes_at<P>(v, p.v.data(), index, count);
  if constexpr (is_affine(transfer)) {
    const P half = P(T(0.5) * step.blend);
    if (step.blend == T(0))
      store_lanes_at<P>(g.C, p.C.data(), index, count);
    else
      store_lanes_at<P>(g.C * (P(1) - half) - transpose(g.C) * half, p.C.data(), index, count);
  }
  // Motion.
  if (step.move) {
    if (p.x_low.empty()) {
      for (int a = 0; a < D; ++a) x[a] = fma(g.v[a], P(step.dt), x[a]);
    } else {
      Vec<P, D> low = load_lanes_at<P>(p.x_low.data(), index);
      for (int a = 0; a < D; ++a) {
        const P start = x[a], way = fma(g.v[a], P(step.dt), low[a]);
        x[a] = start + way;
        low[a] = rounding_of_sum(start, way, x[a]);
      }
      store_lanes_at<P>(low, p.x_low.data(), index, count);
    }
    store_lanes_at<P>(x, p.x.data(), index, count);
  }
  // Trial strain (Wang 2020, Eq. 3.23): F + dt G F less the identity.
  Mat<P, D> H = load_lanes_at<P>(p.H.data(), index);
  const Mat<P, D> change = g.gradient * P(step.dt), before = H;
  for (int r = 0; r < D; ++r)
    for (int c = 0; c < D; ++c) {
      P sum = change(r, c);
      for (int k = 0; k < D; ++k) sum = fma(change(r, k), before(k, c), sum);
      H(r, c) = before(r, c) + sum;
    }
  chunk.set_trial(pack, H);
  if (keep_gradient) chunk.gradient[pack] = g.gradient;
  for (int a = 0; a < D; ++a) extremes.speed = max(extremes.speed, abs(v[a]));
  extremes.gradient2 = max(extremes.gradient2, norm2(g.gradient));
}

// Updates all columns of all particles; `kernels` are those of the batches.
template <Transfer transfer, int degree, class T, int D>
ParticleReport grid_to_particles(Columns<T, D>& p, const BlockSort<D>& sort, const BlockGrid<T, D>& grid,
                                 const GatherStep<T>& step, std::span<const StressKernel<T, D>> kernels,
                                 std::vector<ParticleReport>& partial) {
  using P = Pack<T>;
  using Chunk = StressChunk<T, D>;
  static_assert(2 * Chunk::capacity <= BlockSort<D>::slack);  // packs ahead
  const int* order = sort.order().data();
  partial.assign(sort.keys().size(), ParticleReport{});
  parallel_for(sort.keys().size(), 1, [&](std::size_t home) {
    VelocityRows<T, D, degree> rows;
    OldVelocityRows<transfer, T, D, degree> old;
    rows.take_from(grid.nodes, grid.neighbours(static_cast<int>(home)));
    if constexpr (transfer == Transfer::flip)
      if (step.blend != T(0)) old.take_from(grid.old, grid.neighbours(static_cast<int>(home)));
    const Vec<int, D> origin = BlockGrid<T, D>::first_node_of(sort.keys()[home]);
    if (home + 1 < sort.keys().size()) grid.prefetch(static_cast<int>(home) + 1);
    Chunk chunk;
    Extremes<T> extremes;
    ParticleReport& report = partial[home];
    for (const Segment& segment : sort.segments(static_cast<int>(home))) {
      const StressKernel<T, D>& kernel = kernels[static_cast<std::size_t>(segment.batch)];
      for (int at = segment.begin; at < segment.end; at += Chunk::capacity) {
        chunk.take(order + at, min(segment.end - at, Chunk::capacity));
        for (int pack = 0; pack < chunk.used_packs(); ++pack)
          gather_pack<transfer, degree>(p, rows, old, origin, step, kernel.viscous, pack,
                                        order + at + pack * P::width + Chunk::capacity, chunk, extremes);
        kernel(chunk, {double(step.dt), crack_width(degree, double(step.dx))}, report.stress);
        for (int pack = 0; pack < chunk.used_packs(); ++pack) {
          fetch<T>(p.tau, order + at + pack * P::width + Chunk::capacity);
          store_lanes_at<P>(chunk.kept(pack), p.H.data(), chunk.index_of(pack), chunk.lanes_of(pack));
          store_lanes_at<P>(chunk.tau[pack], p.tau.data(), chunk.index_of(pack), chunk.lanes_of(pack));
        }
      }
    }
    report.max_speed = double(largest(extremes.speed));
    report.max_gradient = std::sqrt(double(largest(extremes.gradient2)));
  });
  ParticleReport all;
  for (const ParticleReport& r : partial) all.add(r);
  return all;
}

}  // namespace knead
