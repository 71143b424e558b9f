// Sums over the particles for stats.csv, in double precision and in the order of fixed chunks.
#include "world/ledger.h"
#include "base/svd.h"
#include "mpm/solver.h"

namespace knead {

template <class T, int D>
Ledger Mpm<T, D>::ledger_of(const World& world, const Counts& counts) const {
  Columns<T, D> p(const_cast<Particles&>(world.particles));  // read only
  const double moment =
      (spec_.kernel == Kernel::quadratic ? second_moment<double, 2> : second_moment<double, 3>)*spec_.dx * spec_.dx;
  Ledger all = empty_ledger();
  for (const Batch& batch : world.batches)
    visit(controls_.materials[static_cast<std::size_t>(batch.material)], [&](const auto& law) {
      using Law = std::remove_cvref_t<decltype(law)>;
      using History = typename Law::template History<double>;
      const auto first = static_cast<std::size_t>(batch.begin);
      std::vector<std::span<const T>> history;
      for (const HistoryColumn& h : law.history_columns) history.push_back(world.particles.get<T>(h.name));

      const auto chunk = [&](std::size_t begin, std::size_t end) {
        Ledger l = empty_ledger();
        for (std::size_t i = first + begin; i < first + end; ++i) {
          if (counts && !counts(i)) continue;
          const double m = double(p.mass[i]),
                       V = p.sleeps(i) ? 0 : double(p.volume[i]);  // cells count theirs
          const Vec3d x = resized<double, 3>(p.x[i]), v = resized<double, 3>(p.v[i]);
          const Mat<double, D> F = p.F(i);
          History h = law.template initial_history<double>();
          for (std::size_t k = 0; k < history.size(); ++k) h[static_cast<int>(k)] = double(history[k][i]);
          add_particle(l, m, V * determinant(F) * law.flow.template plastic_volume<double>(h), x, v, controls_.gravity);
          // The affine velocity carries momentum and energy of its own (Jiang 2015).
          if (!p.C.empty()) {
            const Mat<double, D> C = cast<double>(p.C[i]);
            l.kinetic += 0.5 * m * moment * norm2(C);
            if constexpr (D == 2)
              l.angular_momentum += Vec3d{0, 0, C(1, 0) - C(0, 1)} * (m * moment);
            else
              l.angular_momentum += Vec3d{C(2, 1) - C(1, 2), C(0, 2) - C(2, 0), C(1, 0) - C(0, 1)} * (m * moment);
          }
          const Vec<double, D> sigma = svd(F).sigma;
          l.elastic += V * law.energy(sigma, h);
          add_stretches(l, sigma[0], sigma[D - 1]);
        }
        return l;
      };
      all = combined(all, parallel_reduce(static_cast<std::size_t>(batch.end - batch.begin), 4096, empty_ledger(),
                                          chunk, combined));
    });
  if (mesh_.bears()) add_mesh(world, counts, all);
  all = closed(all, world.tally);
  // What the particles hold less than the grid did after the last step is lost too; the rest of a round trip comes
  // with the next step.
  if (measures_losses_) all.transfer_loss = world.tally.transfer_loss + world.tally.grid_kinetic - all.kinetic;
  all.impact_loss = world.tally.impact_loss;
  return all;
}

// The volume, energy and stretches of the cells that hold, each with its first corner.
template <class T, int D>
void Mpm<T, D>::add_mesh(const World& world, const Counts& counts, Ledger& all) const {
  const Particles& cells = world.mesh.cells;
  const auto F = cells.get<Mat<T, D>>("F"), plastic = cells.get<Mat<T, D>>("plastic");
  const auto volume = cells.get<T>("volume");
  const auto failed = cells.get<std::int32_t>("failed");
  const auto corners = cells.get<Vec<std::int32_t, D + 1>>("corners");
  std::vector<bool> counted;  // by id
  if (counts) {
    counted.resize(static_cast<std::size_t>(world.next_id));
    const auto id = world.particles.get<std::int32_t>("id");
    for (std::size_t i = 0; i < id.size(); ++i) counted[static_cast<std::size_t>(id[i])] = counts(i);
  }
  for (const Batch& batch : world.mesh.batches)
    visit(controls_.materials[static_cast<std::size_t>(batch.material)], [&](const auto& law) {
      std::vector<std::span<const T>> history;
      for (const HistoryColumn& h : law.history_columns) history.push_back(cells.get<T>(h.name));
      for (auto e = static_cast<std::size_t>(batch.begin); e < static_cast<std::size_t>(batch.end); ++e) {
        if (failed[e] || (counts && !counted[static_cast<std::size_t>(corners[e][0])])) continue;
        const Mat<double, D> elastic = cast<double>(F[e]);
        auto h = law.template initial_history<double>();
        for (std::size_t k = 0; k < history.size(); ++k) h[static_cast<int>(k)] = double(history[k][e]);
        const Vec<double, D> sigma = svd(elastic).sigma;
        all.volume += double(volume[e]) * determinant(elastic) / determinant(cast<double>(plastic[e]));
        all.elastic += double(volume[e]) * law.energy(sigma, h);
        add_stretches(all, sigma[0], sigma[D - 1]);
      }
    });
}

template <class T, int D>
double Mpm<T, D>::volume_ratio(const World& world, std::size_t particle) const {
  const Particles& particles = world.particles;
  double ratio = determinant(deformation_of<T, D>(particles, particle));
  for (const Batch& batch : world.batches) {
    if (particle < static_cast<std::size_t>(batch.begin) || particle >= static_cast<std::size_t>(batch.end)) continue;
    visit(controls_.materials[static_cast<std::size_t>(batch.material)], [&](const auto& law) {
      auto h = law.template initial_history<double>();
      int k = 0;
      for (const HistoryColumn& column : law.history_columns) h[k++] = double(particles.get<T>(column.name)[particle]);
      ratio *= law.flow.template plastic_volume<double>(h);
    });
  }
  return ratio;
}

template double Mpm<float, 2>::volume_ratio(const World&, std::size_t) const;
template double Mpm<float, 3>::volume_ratio(const World&, std::size_t) const;
template double Mpm<double, 2>::volume_ratio(const World&, std::size_t) const;
template double Mpm<double, 3>::volume_ratio(const World&, std::size_t) const;
template Ledger Mpm<float, 2>::ledger_of(const World&, const Counts&) const;
template Ledger Mpm<float, 3>::ledger_of(const World&, const Counts&) const;
template Ledger Mpm<double, 2>::ledger_of(const World&, const Counts&) const;
template Ledger Mpm<double, 3>::ledger_of(const World&, const Counts&) const;

}  // namespace knead
