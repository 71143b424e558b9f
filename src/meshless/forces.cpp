// Forces on particles: elastic, stabilizing, pressure, viscous, between bodies.
#include "base/elementary.h"
#include "meshless/solver.h"

namespace knead {

namespace {

// G_i sum_j g_ij of a pack.
template <class P, class T, int D>
KNEAD_INLINE Vec<P, D> own_force(const RestSpace<T, D>& rest, std::span<const Mat<T, D>> G, std::size_t first,
                                 int count) {
  return load_lanes<P>(G.data() + first, count) * load_lanes<P>(&rest.sum(first), count);
}
// The stabilizer's c_i sum_j w x_ij.
template <class P, class T, int D>
KNEAD_INLINE Vec<P, D> own_pull(std::span<const Vec<T, D>> pull, std::span<const T> stiffness, std::size_t first,
                                int count) {
  return load_lanes<P>(pull.data() + first, count) * load_scalars<P>(stiffness.data() + first, count);
}
// The sums of the rows: what was shown times what it was shown over.
template <class P, int D>
KNEAD_INLINE Vec<P, D> across(const Rows<P>& all) {
  Vec<P, D> sum;
  for (int r = 0; r < D; ++r) sum[r] = (all(r, 0) + all(r, 1)) + (all(r, 2) + all(r, 3));
  return sum;
}

}  // namespace

// Elastic force and stabilizer over the bonds of the rest shape; see rest_space.h. The stabilizer holds neighbours
// where F puts them: its force is c w (x_ij - F_i q_ij) on i, whose second part is in G already. The places are those
// of the last fit_gradients().
template <class T, int D>
void Meshless<T, D>::rest_forces(std::span<const Mat<T, D>> G, std::span<Vec<T, D>> force) {
  using P = Pack<T>;
  rest_sums_.template pull_of_others<P>(
      G, stiffness_, [&](std::size_t first, int count, const Mat<P, D>& map, const Vec<P, D>& others) {
        const P stiffness = load_scalars<P>(stiffness_.data() + first, count);
        const Mat<P, D> stress = load_lanes<P>(G.data() + first, count) + map * stiffness;
        const Vec<P, D> own =
            stress * load_lanes<P>(&rest_.sum(first), count) + load_lanes<P>(pull_.data() + first, count) * stiffness;
        store_lanes<P>(own + others, force.data() + first, count);
      });
}

// -G_ as rows, and what more(rows, first particle, how many) puts beside it.
template <class T, int D>
template <class More>
void Meshless<T, D>::show_stress(More&& more) {
  using P = Pack<T>;
  shown_.resize(G_.size());
  parallel_packs<P>(G_.size(), 256, [&](std::size_t first, int count) {
    Rows<P> shown;
    std::fill(std::begin(shown.e), std::end(shown.e), P(0));
    const Mat<P, D> some = load_lanes<P>(G_.data() + first, count);
    for (int r = 0; r < D; ++r)
      for (int k = 0; k < D; ++k) shown(r, k) = -some(r, k);
    more(shown, first, count);
    store_lanes<P>(shown, shown_.data() + first, count);
  });
}

// The stress over the bonds of the quadratic basis.
template <class T, int D>
void Meshless<T, D>::add_quadratic_forces() {
  using P = Pack<T>;
  show_stress([](Rows<P>&, std::size_t, int) {});
  parallel_packs<P>(force_.size(), 128, [&](std::size_t first, int count) {
    const Rows<P> all = sums_over<P>([&](std::size_t i) { return quadratic_.to(i); }, shown_, first, count);
    const Vec<P, D> f = own_force<P, T, D>(quadratic_, G_, first, count) + across<P, D>(all);
    store_lanes<P>(load_lanes<P>(force_.data() + first, count) + f, force_.data() + first, count);
  });
}

// Of mls: in the quadratic basis the stabilizer still goes by the linear fit, and the stress has bonds of its own.
template <class T, int D>
void Meshless<T, D>::elastic_forces() {
  rest_forces(quadratic() ? linear_G_ : G_, force_);
  if (quadratic()) add_quadratic_forces();
}

// The same of embedded matter, whose bonds come and go.
template <class T, int D>
void Meshless<T, D>::embedded_forces(const Columns& p) {
  using P = Pack<T>;
  show_stress([&](Rows<P>& shown, std::size_t first, int count) {
    Vec<T, D> places[P::width]{};
    for (int lane = 0; lane < count; ++lane) places[lane] = local_place(p, first + static_cast<std::size_t>(lane));
    const Vec<P, D> x = load_lanes<P>(places, count);
    for (int r = 0; r < D; ++r) shown(3, r) = x[r];
    shown(3, 3) = load_scalars<P>(stiffness_.data() + first, count);
  });
  parallel_packs<P>(p.x.size(), 128, [&](std::size_t first, int count) {
    Rows<T> sums[P::width]{};
    for (int lane = 0; lane < count; ++lane) {
      const std::size_t i = first + static_cast<std::size_t>(lane);
      sums[lane] = sum_with_pull<T, D>(rest_.to(i), shown_, i);
    }
    const Rows<P> all = load_lanes<P>(sums, count);
    Vec<P, D> f = own_force<P, T, D>(rest_, G_, first, count) + own_pull<P, T, D>(pull_, stiffness_, first, count) +
                  across<P, D>(all);
    for (int r = 0; r < D; ++r) f[r] = f[r] + all(3, r);
    store_lanes<P>(f, force_.data() + first, count);
  });
}

// To the force of a particle's own stress, that of its neighbours' stress, pressure and viscosity.
template <class T, int D>
template <ElasticForce force>
void Meshless<T, D>::sum_forces(const Columns& p) {
  using P = Pack<T>;
  const T h = world_h_;
  const bool pressed = sound_ > 0, viscous = spec_.meshless.viscosity > 0;
  const P slope(-3 * kernel_detail::spiky<D> / elementary::power(double(h), D + 1)), inverse_h(T(1) / h);
  const P laplacian(T(spec_.meshless.viscosity) * viscosity_laplacian<D>(T(0), h));
  constexpr int pressure_at = Carrier<T, D>::size - 1;
  slices_.for_each_slice([&](std::size_t slice, std::size_t first, int count) {
    const Vec<P, D> here = resized<P, D>(load_lanes<P>(place_.data() + first, count));
    const Vec<P, D> speed = load_lanes<P>(p.v.data() + first, count);
    const P mass = load_scalars<P>(p.mass.data() + first, count) * slope;
    const P own = load_scalars<P>(p.volume.data() + first, count), volume = own * laplacian;
    const P pressure = load_lanes<P>(&carrier_[first].value, count)[pressure_at];
    Vec<P, D> f = Vec<P, D>::zero(), drag = f;
    for (const int* index : slices_.near(slice)) {
      const Vec<P, 4> place = load_lanes_at<P>(place_.data(), index);
      const Vec<P, D> away = resized<P, D>(place) - here;
      const Carrier<P, D> other = load_lanes_at<P>(&carrier_[0].value, index);
      Mat<P, D> H;
      Sym<P, D> S;
      for (int e = 0; e < D * D; ++e) H.e[e] = other[e];
      for (int k = 0; k < Sym<P, D>::size; ++k) S[k] = other[D * D + k];
      const P bond = squared_length<P, D>(S, away);
      f += H * (away * (force == ElasticForce::cosine ? cosine_shape(bond) * own : poly6_shape(bond)));
      if (!pressed && !viscous) continue;
      const P square = dot(away, away), inverse_d = rsqrt(max(square, P(1e-20)));
      const P left = max(P(1) - square * inverse_d * inverse_h, P(0));
      if (pressed) f += away * (mass * place[D] * (pressure + other[pressure_at]) * left * left * inverse_d);
      if (viscous) {
        const Vec<P, 4> flow = load_lanes_at<P>(flow_.data(), index);
        drag += (resized<P, D>(flow) - speed) * (volume * flow[D] * left);
      }
    }
    store_lanes<P>(load_lanes<P>(force_.data() + first, count) + f + drag, force_.data() + first, count);
    if (viscous) store_lanes<P>(drag, losing_.data() + first, count);
  });
}

template <class T, int D>
void Meshless<T, D>::add_world_forces(const Columns& p) {
  start_losses(p.x.size());
  if (spec_.meshless.elastic_force == ElasticForce::cosine)
    sum_forces<ElasticForce::cosine>(p);
  else
    sum_forces<ElasticForce::consistent>(p);
}

// Bodies that meet push each other apart and rub: springs and dashpots along the line between particles that come
// closer than their contact radii, Coulomb's friction across it. Springs are no stiffer than the step bears, which
// counts in implicit ones.
template <class T, int D>
void Meshless<T, D>::contact_forces(const Columns& p, double dt) {
  if (!touches_) return;
  const T reach = T(2 * contact_radius_), friction = T(spec_.meshless.friction), borne = T(0.5 / (dt * dt));
  parallel_for(p.x.size(), 256, [&](std::size_t i) {
    Vec<T, D> f = Vec<T, D>::zero(), losing = f;
    for (int other : contact_.list(i)) {
      const auto j = static_cast<std::size_t>(other);
      const Vec<T, D> away = p.x[j] - p.x[i];
      const T square_distance = dot(away, away);
      if (square_distance >= reach * reach || square_distance == T(0)) continue;
      const T distance = std::sqrt(square_distance);
      const Vec<T, D> n = away / distance, relative = p.v[j] - p.v[i];
      const T mass = T(2) * p.mass[i] * p.mass[j] / (p.mass[i] + p.mass[j]);
      const T stiffness = std::min({contact_stiffness_[i], contact_stiffness_[j], borne * mass});
      const T spring = stiffness * (reach - distance), damper = T(0.2) * std::sqrt(stiffness * mass);
      const T push = std::max(spring - damper * dot(n, relative), T(0));
      const Vec<T, D> sliding = relative - n * dot(n, relative);
      const T speed = length(sliding);
      // A dashpot as strong as the one along the line, up to Coulomb's limit.
      const T drag = speed > T(0) ? std::min(damper * speed, friction * push) / speed : T(0);
      f += sliding * drag - n * push;
      losing += sliding * drag - n * (push - spring);
    }
    force_[i] += f, losing_[i] += losing;
  });
}

template class Meshless<float, 2>;
template class Meshless<float, 3>;
template class Meshless<double, 2>;
template class Meshless<double, 3>;

}  // namespace knead
