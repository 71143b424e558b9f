// Molten matter of the method mls (Mueller 2004, section 4.2): after each step the deformed shape becomes the shape at
// rest, and the strain of the step is added to an elastic strain that creeps away. Neighbours are those of the moment,
// so that melts part and fuse. Solid particles near a melt feel it, and it them; all forces are of pairs.
#include "base/elementary.h"
#include "base/groups.h"
#include "meshless/solver.h"

#include <atomic>

namespace knead {

namespace {

// Where a particle's entries lie: H = V sigma K^-1, pressure over square density, viscosity, half the modulus by which
// it keeps others from pairing with it.
template <int D>
constexpr int pressure_at = D* D;
template <int D>
constexpr int viscosity_at = D* D + 1;
template <int D>
constexpr int nearest_at = D* D + 2;

// Closer than this share of their distance at rest particles push each other apart whatever the density says: pressure
// lets them pair where matter is thin. As stiffly as the melt is, unless a speed of sound is given.
constexpr double nearest_share = 0.5;
// Share of the rate of creep at which the density where pressure begins sinks to that of a lattice: slower than stress
// of shape, so that particles in disorder find places rather than being thrown.
constexpr double release_share = 0.1;
// Neighbourhoods whose least moment is below this share of a lattice's bear less stress the poorer they are, and do not
// tell the strain of a step: strays fly off else.
constexpr double poorest_share = 0.1;
// Mean distance to the nearest, in spacings, beyond which set matter is a stray; 1.5 at the corner of a lattice.
constexpr double farthest_mean = 1.7;

}  // namespace

// K = sum w x x^T of the molten, their density, and what their neighbours need of them. The pressure of a density above
// that of the lattice keeps the volume, since only part of the strain tells of it. The kernel of the density is that of
// its force, which so is the slope of an energy.
template <class T, int D>
void Meshless<T, D>::melt_moments(World& world, Columns& p) {
  const std::size_t n = p.x.size();
  moment_.resize(n), density_.resize(n), sound_share_.resize(n), melt_carrier_.resize(n);
  const T inverse_h2 = T(1) / (world_h_ * world_h_);
  const T inverse_h = T(1) / world_h_, kernel = Spiky<D>::value(T(0), world_h_);
  for (const Batch& batch : world.batches)
    visit(controls_.materials[static_cast<std::size_t>(batch.material)], [&]<class Law>(const Law& law) {
      T viscosity = T(spec_.meshless.viscosity), modulus = 0;
      if constexpr (Law::needs_rest_shape)
        viscosity += T(law.flow.melt_viscosity), modulus = StrainState<T, D>(law, true).p_wave_modulus();
      parallel_for(static_cast<std::size_t>(batch.end - batch.begin), 128, [&](std::size_t at) {
        const std::size_t i = static_cast<std::size_t>(batch.begin) + at;
        MeltCarrier<T, D>& carrier = melt_carrier_[i];
        carrier = MeltCarrier<T, D>::zero();
        if (!p.is_molten(i)) return;
        Sym<T, D> K = Sym<T, D>::zero();
        T mass = p.mass[i];
        for (const int other : world_.list(i)) {
          const auto j = static_cast<std::size_t>(other);
          const Vec<T, D> away = p.x[j] - p.x[i];
          const T square_distance = dot(away, away);
          add_outer<T, D>(K, away, poly6_shape(square_distance * inverse_h2));
          const T left = std::max(T(1) - std::sqrt(square_distance) * inverse_h, T(0));
          mass += p.mass[j] * (left * left * left);
        }
        moment_[i] = K, density_[i] = kernel * mass;
        const EigenSym<T, D> K_i = eigen_sym<D>(moment_[i]);
        T least = K_i.values[0];
        Vec<T, D> inverted{};
        for (int k = 0; k < D; ++k)
          least = std::min(least, K_i.values[k]), inverted[k] = T(1) / std::max(K_i.values[k], T(1e-30));
        const T share = sound_share_[i] = std::clamp(least / (T(poorest_share) * lattice_moment_), T(0), T(1));
        const Mat<T, D> back = to_matrix<D>(rotated_diagonal(K_i.Q, inverted));
        const Mat<T, D> H = to_matrix<D>(p.tau[i]) * back * (p.volume[i] * share);
        for (int e = 0; e < D * D; ++e) carrier[e] = H.e[e];
        const T rest = rest_density_[i], over = std::max(density_[i] - rest, T(0));
        carrier[pressure_at<D>] = square_sound_[i] * over / (density_[i] * density_[i]);
        carrier[viscosity_at<D>] = viscosity;
        const T density = T(densities_[static_cast<std::size_t>(p.body[i])]);
        carrier[nearest_at<D>] = T(0.5) * (spec_.meshless.sound_speed ? density * square_sound_[i] : modulus);
        // The ball that its density says; matter at a surface seems thinner than it is.
        p.F[i] = Mat<T, D>::identity() * T(elementary::pow(double(rest / std::max(density_[i], rest)), 1.0 / D));
      });
    });
}

// The force of the stored stress, as for solids with F = I, pressure, viscosity, and what keeps particles from pairing.
template <class T, int D>
void Meshless<T, D>::add_melt_forces(const Columns& p) {
  const T h = world_h_, nearest = T(nearest_share * spec_.dx);
  const T slope = T(-3 * kernel_detail::spiky<D> / elementary::power(double(h), D + 1));
  const T laplacian = T(0.5) * viscosity_laplacian<D>(T(0), h);
  const T size = T(elementary::power(spec_.dx, D - 2));
  parallel_for(p.x.size(), 128, [&](std::size_t i) {
    const bool flows = p.is_molten(i);
    Vec<T, D> f = Vec<T, D>::zero(), drag = f;
    for (const int other : world_.list(i)) {
      const auto j = static_cast<std::size_t>(other);
      if (!flows && !p.is_molten(j)) continue;
      const Vec<T, D> away = p.x[j] - p.x[i];
      const T square_distance = dot(away, away);
      if (!(square_distance < h * h) || square_distance == T(0)) continue;
      const MeltCarrier<T, D> both = melt_carrier_[j] + melt_carrier_[i];
      Mat<T, D> H{};
      for (int e = 0; e < D * D; ++e) H.e[e] = both[e];
      const T d = std::sqrt(square_distance), left = T(1) - d / h;
      f += H * away * poly6_shape(square_distance / (h * h));
      const T push = p.mass[i] * p.mass[j] * both[pressure_at<D>] * slope * left * left;
      f += away * ((push - both[nearest_at<D>] * size * std::max(nearest - d, T(0))) / d);
      drag += (p.v[j] - p.v[i]) * (p.volume[i] * p.volume[j] * laplacian * left * both[viscosity_at<D>]);
    }
    force_[i] += f + drag;
    if (!losing_.empty()) losing_[i] += drag;
  });
}

// The strain of the step's motion x -> y, F = (sum w y x^T) K^-1, is taken up; its deviator creeps; and it turns with
// the matter, which the printed loop leaves out (melt_turns = false): stress keeps its direction there in a body that
// turns.
template <class T, int D>
MeshlessReport Meshless<T, D>::absorb(World& world, Columns& p, double dt) {
  const T inverse_h2 = T(1) / (world_h_ * world_h_);
  MeshlessReport all;
  for (const Batch& batch : world.batches) {
    const auto* law = std::get_if<StrainYieldLaw>(&controls_.materials[static_cast<std::size_t>(batch.material)].value);
    if (!law) continue;
    const StrainState<T, D> state(*law, true);
    const T forgotten = T(1 - elementary::exp(-law->flow.melt_creep * dt));
    const T holds = T(elementary::exp(-release_share * law->flow.melt_creep * dt));
    const auto some = [&](std::size_t begin, std::size_t end) {
      MeshlessReport report;
      for (std::size_t i = static_cast<std::size_t>(batch.begin) + begin;
           i < static_cast<std::size_t>(batch.begin) + end; ++i) {
        if (!p.is_molten(i)) continue;
        Mat<T, D> moved = Mat<T, D>::zero();
        int neighbours = 0;
        for (const int other : world_.list(i)) {
          const auto j = static_cast<std::size_t>(other);
          const Vec<T, D> x = p.x[j] - p.x[i];
          const T w = poly6_shape(dot(x, x) * inverse_h2);
          moved += outer((y_[j] - y_[i]) * w, x);
          neighbours += w > T(0);
        }
        const Mat<T, D> R = law->flow.melt_turns ? rotation_of(moved) : Mat<T, D>::identity();
        Mat<T, D> e = to_matrix<D>(p.strain[i]);
        // Poor neighbourhoods only turn it, and forget it whole.
        const T poor = T(1) - sound_share_[i];
        if (poor == T(0))
          e += StrainState<T, D>::green(moved * inverse(to_matrix<D>(moment_[i])));
        else
          add_guard(report.guarded, guard_for<D>(neighbours));
        const Mat<T, D> S = state.second(e), shape = state.flow_of(e, dt);
        const Mat<T, D> flow = shape + (e - shape) * (poor * forgotten);
        for (int k = 0; k < D * D; ++k) report.dissipated += double(p.volume[i]) * double(S.e[k]) * double(flow.e[k]);
        p.strain[i] = to_sym(R * (e - flow) * transpose(R));
        report.pressed += release_pressure(p, i, holds);
      }
      return report;
    };
    all.add(parallel_reduce(static_cast<std::size_t>(batch.end - batch.begin), 256, MeshlessReport{}, some,
                            [](MeshlessReport a, const MeshlessReport& b) { return a.add(b), a; }));
  }
  return all;
}

// Matter that melts bears no more pressure than before: its pressure begins at the density of that moment, since
// particles in disorder are too close for that of a lattice. From there it sinks: with the density where there is no
// pressure, and slowly where there is. The energy that this takes, J.
template <class T, int D>
double Meshless<T, D>::release_pressure(Columns& p, std::size_t i, T holds) {
  if (p.held_density[i] == T(0)) return 0;
  const T lattice = lattice_density(p, i), before = rest_density_[i];
  p.held_density[i] = std::min(p.held_density[i] * holds, std::max(density_[i] - lattice, T(0)));
  if (p.held_density[i] < T(1e-4) * lattice) p.held_density[i] = T(0);
  rest_density_[i] = lattice + p.held_density[i];
  const double density = double(density_[i]);
  return double(p.mass[i]) *
         (pressure_energy(i, density, double(rest_density_[i])) - pressure_energy(i, density, double(before)));
}

namespace {

// The elastic strain of a solid in the frame of the world: that which bears its Kirchhoff stress, since a particle
// keeps the volume that it had at rest.
template <class T, int D>
Mat<T, D> strain_in_world(const StrainState<T, D>& state, const Mat<T, D>& F, const Mat<T, D>& plastic) {
  return state.strain_of(state.first(F, state.second(StrainState<T, D>::green(F) - plastic)) * transpose(F));
}

// By its law, or by its heat: it melts where it is hot and has all its latent heat, and sets where it is cold and has
// none.
template <class T, int D>
bool is_molten(const StrainYield& law, const MeshlessColumns<T, D>& p, std::size_t i) {
  if (!law.melting_temperature) return law.melt;
  if (p.is_molten(i)) return p.latent[i] > 0 || p.temperature[i] >= law.sets_below();
  return p.latent[i] >= law.latent_heat && p.temperature[i] >= *law.melting_temperature;
}

}  // namespace

template <class T, int D>
bool Meshless<T, D>::melts_by_now(const World& world) const {
  if (!may_melt_) return false;
  const auto first = controls_.events.begin(), last = first + world.clock.events;
  return melts_at_start_ || std::any_of(first, last, [](const Event& e) { return e.changed && melts(*e.changed); });
}

// After an event that is the first by which something may melt.
template <class T, int D>
void Meshless<T, D>::let_melt(World& world) {
  if (can_melt_ || !melts_by_now(world)) return;
  can_melt_ = true;
  const auto x = world.particles.get<Vec<T, D>>("x");
  std::copy(x.begin(), x.end(), world.particles.get<Vec<T, D>>(".x_list").begin());
}

// Which particles melt and which set.
template <class T, int D>
void Meshless<T, D>::settle_phases(World& world) {
  if (!can_melt_) return;
  Columns p(world.particles);
  becomes_.resize(p.x.size());
  // Each of them is set only, so that the order does not matter.
  std::atomic<bool> molten(false), melts(false), sets(false);
  for (const Batch& batch : world.batches) {
    const auto* law = std::get_if<StrainYieldLaw>(&controls_.materials[static_cast<std::size_t>(batch.material)].value);
    parallel_for(static_cast<std::size_t>(batch.end - batch.begin), 512, [&](std::size_t k) {
      const std::size_t i = static_cast<std::size_t>(batch.begin) + k;
      becomes_[i] = law && is_molten(law->flow, p, i);
      if (becomes_[i] && !molten) molten = true;
      if (becomes_[i] && !p.is_molten(i)) melts = true;
      if (!becomes_[i] && p.is_molten(i)) sets = true;
    });
  }
  any_molten_ = molten;
  if (!melts && !sets) return;
  if (melts) find_world_neighbours(world);
  if (sets && spec_.meshless.fuse) fuse_groups(world, p);
  anew_.assign(controls_.bodies, 0);
  for (std::size_t i = 0; i < p.x.size(); ++i)
    if (p.is_molten(i) && !becomes_[i]) anew_[static_cast<std::size_t>(p.group[i])] = 1;
  rest_anew(world, p);
}

// Matter that sets beside solid matter, or beside other matter that sets, becomes one with it.
template <class T, int D>
void Meshless<T, D>::fuse_groups(World& world, Columns& p) {
  find_world_neighbours(world);
  Groups groups(controls_.bodies);
  for (std::size_t i = 0; i < p.x.size(); ++i) {
    if (!p.is_molten(i) || becomes_[i]) continue;
    for (const int other : world_.list(i)) {
      const auto j = static_cast<std::size_t>(other);
      const Vec<T, D> away = p.x[j] - p.x[i];
      if (!becomes_[j] && dot(away, away) < world_h_ * world_h_)
        groups.join(static_cast<std::size_t>(p.group[i]), static_cast<std::size_t>(p.group[j]));
    }
  }
  for (std::int32_t& g : p.group) g = static_cast<std::int32_t>(groups.find(static_cast<std::size_t>(g)));
}

// Particles become what becomes_ says. The groups in anew_ take their present shape as that at rest, whole: what was
// solid before keeps its stress as a strain, as far as that holds no more energy: a strain of the present shape does
// where matter was stretched far, or where the volume term bore it.
template <class T, int D>
void Meshless<T, D>::rest_anew(World& world, Columns& p) {
  const auto starts_anew = [&](std::size_t i) {
    return !becomes_[i] && anew_[static_cast<std::size_t>(p.group[i])] != 0;
  };
  deform_from_rest(p);
  share_before_.resize(p.x.size()), sound_share_.resize(p.x.size(), T(1));
  std::vector<T> energy(p.x.size(), T(-1));  // J/m^3, that was born; below 0 where it stays
  for (const Batch& batch : world.batches) {
    const auto* law = std::get_if<StrainYieldLaw>(&controls_.materials[static_cast<std::size_t>(batch.material)].value);
    for (auto i = static_cast<std::size_t>(batch.begin); i < static_cast<std::size_t>(batch.end); ++i) {
      const bool was = p.is_molten(i), is = becomes_[i];
      share_before_[i] = !can_melt_ ? T(1) : was ? sound_share_[i] : rest_share_[i];
      if (was == is && !starts_anew(i)) continue;
      if (law) {
        const StrainState<T, D> before(*law, was), after(*law, is);
        const Mat<T, D> kept = to_matrix<D>(p.strain[i]), e = was ? kept : strain_in_world(before, p.F[i], kept);
        const Mat<T, D> elastic = was ? kept : StrainState<T, D>::green(p.F[i]) - kept;
        energy[i] = share_before_[i] * before.energy(was ? Mat<T, D>::identity() : p.F[i], elastic);
        p.strain[i] = to_sym(after.taken_over(e, before) * T(is ? 1 : -1));
      } else {
        p.plastic[i] = p.F[i] * p.plastic[i];
      }
      if (is) p.h[i] = world_h_, sound_share_[i] = share_before_[i];
      if (!is) p.X[i] = p.x[i], p.F[i] = Mat<T, D>::identity();
      if (!p.held_slope.empty()) p.held_slope[i] = p.held_strain[i] = T(0);
      if (was != is) {
        const T lattice = lattice_density(p, i);
        p.molten[i] = T(is);
        p.held_density[i] = is ? std::max(T(world_density(p, i)) - lattice, T(0)) : T(0);
        rest_density_[i] = lattice + p.held_density[i];
      }
    }
  }
  // Only solid matter of the same group has a say in the radius.
  std::vector<std::int32_t> solid(p.group.begin(), p.group.end());
  for (std::size_t i = 0; i < solid.size(); ++i)
    if (becomes_[i]) solid[i] = -1;
  size_neighbourhoods(p, solid, starts_anew);
  // Drops and strays set by themselves: they do not reach for matter that no melt bonded them to.
  for (std::size_t i = 0; i < p.x.size(); ++i)
    if (starts_anew(i) && p.h[i] > T(farthest_mean * support() * spec_.dx)) p.h[i] = world_h_;
  h_min_ = smallest(p.h);
  bond_rest_shape(p);
  measure_swing(world);
  contact_.clear();
  // Stress that a poor neighbourhood did not bear is not born by a better one either.
  for (const Batch& batch : world.batches) {
    const auto* law = std::get_if<StrainYieldLaw>(&controls_.materials[static_cast<std::size_t>(batch.material)].value);
    for (auto i = static_cast<std::size_t>(batch.begin); i < static_cast<std::size_t>(batch.end); ++i) {
      if (energy[i] < T(0)) continue;
      const T share = !can_melt_ ? T(1) : becomes_[i] ? share_before_[i] : rest_share_[i];
      if (share > share_before_[i]) p.strain[i] = p.strain[i] * (share_before_[i] / share);
      const StrainState<T, D> state(*law, becomes_[i]);
      const T now = share * state.energy(Mat<T, D>::identity(), to_matrix<D>(p.strain[i]));
      if (now > energy[i]) p.strain[i] = p.strain[i] * std::sqrt(energy[i] / now);
    }
  }
}

template class Meshless<float, 2>;
template class Meshless<float, 3>;
template class Meshless<double, 2>;
template class Meshless<double, 3>;

}  // namespace knead
