// What events do to matter without a grid: moduli and laws that change, shapes that are taken as those at rest.
#include "base/elementary.h"
#include "meshless/solver.h"
#include "meshless/strain_state.h"

namespace knead {

template <class T, int D>
void Meshless<T, D>::do_events(World& world) {
  while (next_event(world) <= world.clock.time) {
    const Event& event = controls_.events[static_cast<std::size_t>(world.clock.events++)];
    Columns p(world.particles);
    if (spec_.method == Method::mls) deform_from_rest(p);  // F is of the places before the last motion
    const Ledger before = ledger(world);
    const Pressed pressed = pressed_now(p, event);
    keep_stress(p, world, event);
    keep_stabilizer(p, world, event);
    const Vec3d gravity = controls_.gravity;
    controls_.apply(event);
    if (event.gravity) {
      const Vec<T, D> more = resized<T, D>(*event.gravity - gravity);
      for (Vec<T, D>& a : p.a) a += more;  // that the first half of the next kick takes
      if (!p.height.empty()) measure_heights(world.particles);
    }
    std::vector<std::size_t> order;
    if (event.body_index >= 0 && event.material_index >= 0) {
      order = switch_material<T>(event, controls_.materials, world);
      if (spec_.method == Method::mls) bond_rest_shape(p);
      if (spec_.method == Method::embedded) renumber_neighbours(world, order);
      find_first_of_bodies(p);
    }
    if (event.reset && spec_.method == Method::mls) {
      becomes_.resize(p.x.size());
      anew_.assign(controls_.bodies, 0);
      for (std::size_t i = 0; i < p.x.size(); ++i) {
        becomes_[i] = p.is_molten(i);
        if (p.body[i] == event.body_index) anew_[static_cast<std::size_t>(p.group[i])] = 1;
      }
      rest_anew(world, p);
    }
    if (event.reset)
      for (std::size_t i = 0; i < p.x.size(); ++i) {
        if (p.body[i] != event.body_index) continue;
        p.F[i] = Mat<T, D>::identity(), p.tau[i] = Sym<T, D>::zero();
        if (!p.P.empty()) p.embedded[i] = p.x[i], p.P[i] = Mat<T, D>::identity();
        if (!p.strain.empty()) p.plastic[i] = Mat<T, D>::identity(), p.strain[i] = Sym<T, D>::zero();
        if (!p.held_slope.empty()) p.held_slope[i] = p.held_strain[i] = T(0);
      }
    if (!event.velocity.is_zero()) add_velocity<T, D>(event, world);
    let_melt(world);
    measure_materials(world);
    keep_pressure(p, pressed, order);
    find_held(p);
    world.tally.max_wave_speed = std::max(world.tally.max_wave_speed, wave_speed_);
    if (spec_.method == Method::mls) bond_rest_shape(p), world_.clear(), settle_phases(world);
    if (spec_.method == Method::embedded) bond_embedding(p);
    measure_swing(world);
    world_.clear(), contact_.clear(), heat_.clear();
    find_world_neighbours(world);
    find_led(p);
    // All that it does to the energy is work.
    const Ledger after = ledger(world);
    world.tally.body_work = before.body_work + (after.kinetic + after.elastic) - (before.kinetic + before.elastic);
    if (event.gravity) world.tally.body_work += after.gravitational - before.gravitational;
  }
}

namespace {

// What a law says of small strains: mu and D lambda + 2 mu, Pa.
template <int D>
std::pair<double, double> moduli_of(const Material& m) {
  return visit(m, []<class Law>(const Law& law) -> std::pair<double, double> {
    if constexpr (Law::needs_rest_shape) {
      const StrainState<double, D> state(law);
      return {state.mu, D * state.lambda + 2 * state.mu};
    } else if constexpr (is_meshless_law<Law>) {
      return {law.elastic.mu(), D * law.elastic.lambda() + 2 * law.elastic.mu()};
    }
    return {1, 1};
  });
}
// J/m^3, elastic.
template <int D>
double energy_of(const Material& m, const Vec<double, D>& stretches) {
  return visit(m, [&]<class Law>(const Law& law) {
    if constexpr (Law::needs_rest_shape) {
      Vec<double, D> green;
      for (int k = 0; k < D; ++k) green[k] = 0.5 * (square(stretches[k]) - 1);
      return StrainState<double, D>(law).energy(Mat<double, D>::identity(), Mat<double, D>::diagonal(green));
    } else if constexpr (is_meshless_law<Law>) {
      return law.elastic.energy(stretches);
    }
    return 0.0;
  });
}
// The stretches of one material as they are kept when it becomes another: the same stress where that is stiffer, the
// same strain where it is softer, as StrainState::taken_over, of their logarithms; and never more energy.
template <int D>
Vec<double, D> taken_over(const Vec<double, D>& stretches, const Material& then, const Material& now) {
  const auto [mu_then, bulk_then] = moduli_of<D>(then);
  const auto [mu_now, bulk_now] = moduli_of<D>(now);
  const double shape = std::min(mu_then / mu_now, 1.0), volume = std::min(bulk_then / bulk_now, 1.0);
  Vec<double, D> logs;
  double mean = 0;
  for (int k = 0; k < D; ++k) logs[k] = elementary::log(std::max(stretches[k], smallest_stretch)), mean += logs[k] / D;
  const auto scaled = [&](double by) {
    Vec<double, D> kept;
    for (int k = 0; k < D; ++k) kept[k] = elementary::exp(by * ((logs[k] - mean) * shape + mean * volume));
    return kept;
  };
  const double had = energy_of<D>(then, stretches), has = energy_of<D>(now, scaled(1));
  return scaled(has > had ? std::sqrt(had / has) : 1.0);
}

}  // namespace

// What an event does to the moduli it does not do to the stress, where matter turns stiffer: a strained body would else
// be given energy. What has flowed stays so, whatever the law that comes after.
template <class T, int D>
void Meshless<T, D>::keep_stress(Columns& p, const World& world, const Event& event) {
  if (event.material_index < 0) return;
  const auto to = static_cast<std::size_t>(event.material_index);
  const Material& becomes = event.changed ? *event.changed : controls_.materials[to];
  const auto* now = std::get_if<StrainYieldLaw>(&becomes.value);
  for (const Batch& batch : world.batches) {
    const Material& was = controls_.materials[static_cast<std::size_t>(batch.material)];
    const auto* then = std::get_if<StrainYieldLaw>(&was.value);
    const bool whole = batch.material == event.material_index && event.changed.has_value();
    const bool same_law = was.value.index() == becomes.value.index();
    const auto [mu_then, bulk_then] = moduli_of<D>(was);
    const auto [mu_now, bulk_now] = moduli_of<D>(becomes);
    if (same_law && !now && mu_now <= mu_then && bulk_now <= bulk_then) continue;
    for (auto i = static_cast<std::size_t>(batch.begin); i < static_cast<std::size_t>(batch.end); ++i) {
      if (!whole && p.body[i] != event.body_index) continue;
      if (then && now) {
        const StrainState<T, D> before(*then, p.is_molten(i)), after(*now, p.is_molten(i));
        const Mat<T, D> E = p.is_molten(i) ? Mat<T, D>::zero() : StrainState<T, D>::green(p.F[i]);
        const Mat<T, D> e = p.is_molten(i) ? to_matrix<D>(p.strain[i]) : E - to_matrix<D>(p.strain[i]);
        p.strain[i] = to_sym(p.is_molten(i) ? after.taken_over(e, before) : E - after.taken_over(e, before));
        continue;
      }
      // The elastic part of F, from what the old law keeps to what the new one does.
      const Mat<double, D> F = cast<double>(p.F[i]);
      Mat<double, D> elastic = F;
      if (then) {
        const Mat<double, D> e = StrainState<double, D>::green(F) - cast<double>(to_matrix<D>(p.strain[i]));
        EigenSym<double, D> s = eigen_sym<D>(to_sym(e));
        for (int k = 0; k < D; ++k) s.values[k] = std::sqrt(std::max(1 + 2 * s.values[k], square(smallest_stretch)));
        elastic = rotation_of(F) * to_matrix<D>(rotated_diagonal(s.Q, s.values));
      } else if (!p.plastic.empty()) {
        elastic = F * cast<double>(p.plastic[i]);
      }
      const Svd<double, D> d = svd(elastic);
      if (!(d.sigma[D - 1] > 0)) continue;
      const Mat<double, D> kept = d.U * Mat<double, D>::diagonal(taken_over<D>(d.sigma, was, becomes)) * transpose(d.V);
      if (spec_.method == Method::mls) {
        p.plastic[i] = now ? Mat<T, D>::identity() : cast<T>(inverse(F) * kept);
        const Mat<double, D> R = rotation_of(F), left = kept * transpose(kept) - Mat<double, D>::identity();
        const Mat<double, D> green = transpose(R) * left * R * 0.5;
        p.strain[i] = now ? to_sym(cast<T>(StrainState<double, D>::green(F) - green)) : Sym<T, D>::zero();
      } else {
        p.F[i] = cast<T>(kept);
        if (!p.P.empty()) p.P[i] = cast<T>(inverse(kept) * F) * p.P[i], keep_volume(p, i);
        visit(becomes, [&]<class Law>(const Law& law) {
          if constexpr (is_meshless_law<Law> && !Law::needs_rest_shape) {
            const Svd<double, D> k = svd(kept);
            const Vec<double, D> tau = law.kirchhoff(k.sigma, law.template initial_history<double>());
            p.tau[i] = to_sym(cast<T>(to_matrix<D>(rotated_diagonal(k.U, tau))));
          }
        });
      }
    }
  }
}

// Nor to what the stabilizer holds; see stabilizer.h. What matter at rest holds is rounding.
template <class T, int D>
void Meshless<T, D>::keep_stabilizer(Columns& p, const World& world, const Event& event) {
  if (event.material_index < 0 || p.held_slope.empty()) return;
  constexpr double least = 1e-4;
  const auto to = static_cast<std::size_t>(event.material_index);
  const Material& becomes = event.changed ? *event.changed : controls_.materials[to];
  const auto law_of = [&](const Material& m) {
    return visit(m, [&](const auto& law) { return stabilizer_law_of(law, spec_.method == Method::mls); });
  };
  const StabilizerLaw now = law_of(becomes);
  for (const Batch& batch : world.batches) {
    const StabilizerLaw then = law_of(controls_.materials[static_cast<std::size_t>(batch.material)]);
    if (now.mu == then.mu && now.softness == then.softness) continue;
    const bool whole = batch.material == event.material_index && event.changed.has_value();
    for (auto i = static_cast<std::size_t>(batch.begin); i < static_cast<std::size_t>(batch.end); ++i) {
      if ((!whole && p.body[i] != event.body_index) || p.is_molten(i)) continue;
      const double square_strain = square_stabilizer_strain(p, i), strain = std::sqrt(square_strain);
      double kept = then.mu * held_strain(p, i, then.mu).slope_at(square_strain, then.softness);
      // Force beyond the yield stress is let go.
      if (now.softness > 0) kept = std::min(kept, now.mu / (strain * std::sqrt(now.softness)));
      const bool keeps = strain > least && kept < now.mu * stabilizer_slope(square_strain, now.softness);
      p.held_slope[i] = T(keeps ? kept : 0), p.held_strain[i] = T(keeps ? strain : 0);
    }
  }
}
template <class T, int D>
void Meshless<T, D>::find_held(const Columns& p) {
  any_held_ = std::any_of(p.held_slope.begin(), p.held_slope.end(), [](T slope) { return slope > T(0); });
}

// Nor to the pressure of composed matter and of melts, which is stiff as their waves are: where it is pressed it begins
// at a density at which the force is that of before. Particles may change places in an event: order says which was
// where.
template <class T, int D>
typename Meshless<T, D>::Pressed Meshless<T, D>::pressed_now(const Columns& p, const Event& event) const {
  const bool stiffens = event.material_index >= 0 || event.gravity;  // melts, as they are heavier
  if (!stiffens || p.held_density.empty() || !(sound_ > 0)) return {};
  Pressed now{{}, square_sound_};
  for (std::size_t i = 0; i < p.x.size(); ++i) {
    const bool pressed = spec_.method == Method::composed || p.is_molten(i);
    now.over.push_back(pressed ? T(world_density(p, i)) - rest_density_[i] : T(0));
  }
  return now;
}
template <class T, int D>
void Meshless<T, D>::keep_pressure(Columns& p, const Pressed& before, const std::vector<std::size_t>& order) {
  for (std::size_t i = 0; i < before.over.size(); ++i) {
    const std::size_t was = order.empty() ? i : order[i];
    if (!(before.over[was] > T(0)) || !(square_sound_[i] > before.square_sound[was])) continue;
    const T more = before.over[was] * (T(1) - before.square_sound[was] / square_sound_[i]);
    p.held_density[i] += more;
    rest_density_[i] = lattice_density(p, i) + p.held_density[i];  // as when it is measured after a resume
  }
}

// Particles have changed places; lists stay in the order of numbers.
template <class T, int D>
void Meshless<T, D>::renumber_neighbours(World& world, const std::vector<std::size_t>& order) {
  std::vector<std::int32_t> now(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) now[order[i]] = static_cast<std::int32_t>(i);
  Columns p(world.particles);
  std::vector<std::pair<std::int32_t, T>> list;
  for (std::size_t i = 0; i < p.x.size(); ++i) {
    list.clear();
    for (int k = 0; k < Neighbours::size && p.neighbours[i][k] >= 0; ++k)
      list.push_back({now[static_cast<std::size_t>(p.neighbours[i][k])], p.fades[i][k]});
    std::sort(list.begin(), list.end());
    for (std::size_t k = 0; k < list.size(); ++k)
      p.neighbours[i][static_cast<int>(k)] = list[k].first, p.fades[i][static_cast<int>(k)] = list[k].second;
  }
}

template class Meshless<float, 2>;
template class Meshless<float, 3>;
template class Meshless<double, 2>;
template class Meshless<double, 3>;

}  // namespace knead
