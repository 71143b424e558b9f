// Sums over the particles for stats.csv, in double precision and in the order of fixed chunks.
#include "world/ledger.h"
#include "base/elementary.h"
#include "meshless/solver.h"
#include "meshless/strain_state.h"

namespace knead {

// s^2 of stabilizer.h, by the linear fit F; embedded rest vectors follow the flow.
template <class T, int D>
double Meshless<T, D>::square_stabilizer_strain(const Columns& p, std::size_t i) const {
  const bool embedded = !p.P.empty();
  const Mat<double, D> offset = embedded ? cast<double>(p.P[i]) : Mat<double, D>::identity();
  const Mat<double, D> A = offset * cast<double>(rest_.moment(i)) * transpose(offset);
  const auto away = [&](const Bond<T, D>& b) {
    return resized<double, D>(p.x[static_cast<std::size_t>(b.other)]) - resized<double, D>(p.x[i]);
  };
  Mat<double, D> F = Mat<double, D>::zero();
  if (embedded) {
    if (worn_out(p, cast<T>(A), i)) return 0.0;
    F = cast<double>(p.F[i]);
  } else {
    for (const Bond<T, D> b : rest_.from(i)) F += outer(away(b), resized<double, D>(b.g));
    F = F * cast<double>(inverse_[i]);
  }
  double sum = 0;
  for (const Bond<T, D> b : rest_.from(i)) {
    if (!(b.w > T(0))) continue;
    const Vec<double, D> off = away(b) - F * (offset * (resized<double, D>(b.g) / double(b.w)));
    sum += double(b.w) * dot(off, off);
  }
  return sum / std::max(embedded ? trace(A) + D * double(regularizer(p, i)) : trace(A), 1e-30);
}

// The density that the pressure of composed matter goes by, as in sum_moments().
template <class T, int D>
double Meshless<T, D>::world_density(const Columns& p, std::size_t i) const {
  const double h = double(world_h_);
  double sum = double(p.mass[i]) * Spiky<D>::value(0.0, h);
  for (const int other : world_.list(i)) {
    const auto j = static_cast<std::size_t>(other);
    const Vec<double, D> away = resized<double, D>(p.x[j]) - resized<double, D>(p.x[i]);
    sum += double(p.mass[j]) * Spiky<D>::value(length(away), h);
  }
  return sum;
}

template <class T, int D>
Ledger Meshless<T, D>::ledger_of(const World& world, const Counts& counts) const {
  const Columns p(const_cast<Particles&>(world.particles));  // read only
  Ledger all = empty_ledger();
  for (const Batch& batch : world.batches)
    visit(controls_.materials[static_cast<std::size_t>(batch.material)], [&]<class Law>(const Law& law) {
      const auto first = static_cast<std::size_t>(batch.begin);
      std::vector<std::span<const T>> history;
      for (const HistoryColumn& h : law.history_columns) history.push_back(world.particles.get<T>(h.name));
      // Elastic energy per rest volume; `l` is told of its stretches.
      const auto energy = [&](std::size_t i, Ledger& l) {
        const Mat<double, D> F = cast<double>(p.F[i]);
        if constexpr (Law::needs_rest_shape) {
          const StrainState<double, D> state(law, p.is_molten(i));
          Sym<double, D> plastic{};
          for (int k = 0; k < Sym<double, D>::size; ++k) plastic[k] = double(p.strain[i][k]);
          const Vec<double, D> sigma = svd(F).sigma;
          add_stretches(l, sigma[0], sigma[D - 1]);
          if (p.is_molten(i)) return state.energy(Mat<double, D>::identity(), to_matrix<D>(plastic));
          return state.energy(F, StrainState<double, D>::green(F) - to_matrix<D>(plastic));
        } else {
          auto h = law.template initial_history<double>();
          for (std::size_t k = 0; k < history.size(); ++k) h[static_cast<int>(k)] = double(history[k][i]);
          const Mat<double, D> elastic = p.plastic.empty() ? F : F * cast<double>(p.plastic[i]);
          const Vec<double, D> sigma = svd(elastic).sigma;
          add_stretches(l, sigma[0], sigma[D - 1]);
          return law.energy(sigma, h);
        }
      };
      // What the stabilizer holds, for a volume of 1.
      const StabilizerLaw stabilizer = stabilizer_law_of(law, p.P.empty());
      const auto held = [&](std::size_t i) {
        if (rest_.count() == 0 || p.is_molten(i) || spec_.meshless.stabilizer == 0) return 0.0;
        const double strain = square_stabilizer_strain(p, i);
        return spec_.meshless.stabilizer * stabilizer.mu *
               held_strain(p, i, stabilizer.mu).energy_at(strain, stabilizer.softness);
      };
      // That of the pressure of composed matter and melts, for a mass of 1: its slope by the density is p / rho^2.
      const auto pressed = [&](std::size_t i) {
        if (!(sound_ > 0) || world_.empty()) return 0.0;
        if (spec_.method != Method::composed && !p.is_molten(i)) return 0.0;
        return pressure_energy(i, world_density(p, i), double(rest_density_[i]));
      };
      // Poor neighbourhoods among melts bear a part of it only.
      const auto share = [&](std::size_t i) {
        const std::vector<T>& of = p.is_molten(i) ? sound_share_ : rest_share_;
        return can_melt_ && Law::needs_rest_shape && !of.empty() ? double(of[i]) : 1.0;
      };
      const auto chunk = [&](std::size_t begin, std::size_t end) {
        Ledger l = empty_ledger();
        for (std::size_t i = first + begin; i < first + end; ++i) {
          if (counts && !counts(i)) continue;
          const double m = double(p.mass[i]), V = double(p.volume[i]);
          add_particle(l, m, V * double(determinant(p.F[i])), resized<double, 3>(p.x[i]), resized<double, 3>(p.v[i]),
                       controls_.gravity);
          l.elastic += V * (energy(i, l) + held(i)) * share(i) + m * pressed(i);
          if (!p.temperature.empty())
            l.heat += m * (law.heat.capacity * p.temperature[i] + (p.latent.empty() ? 0 : p.latent[i]));
        }
        return l;
      };
      all = combined(all, parallel_reduce(static_cast<std::size_t>(batch.end - batch.begin), 4096, empty_ledger(),
                                          chunk, combined));
    });
  return closed(all, world.tally);
}

template Ledger Meshless<float, 2>::ledger_of(const World&, const Counts&) const;
template Ledger Meshless<float, 3>::ledger_of(const World&, const Counts&) const;
template Ledger Meshless<double, 2>::ledger_of(const World&, const Counts&) const;
template Ledger Meshless<double, 3>::ledger_of(const World&, const Counts&) const;

}  // namespace knead
