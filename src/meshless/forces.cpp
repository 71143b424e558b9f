// Forces on particles: elastic, stabilizing, pressure, viscous, between bodies.
#include "meshless/solver.h"

namespace knead {

// Elastic force and stabilizer over the bonds of the rest shape; see rest_space.h. The stabilizer holds neighbours
// where F puts them: its force is c w (x_ij - F_i q_ij) on i, whose second part is in G already.
template <class T, int D>
void Meshless<T, D>::rest_forces(std::span<const Vec<T, D>> x, std::span<const Mat<T, D>> G,
                                 std::span<Vec<T, D>> force) const {
  const bool stabilized = spec_.meshless.stabilizer > 0;
  parallel_for(x.size(), 256, [&](std::size_t i) {
    Vec<T, D> f = G[i] * rest_.sum(i);
    const Vec<T, D> here = x[i];
    for (const Bond<T, D>& b : rest_.to(i)) {
      const auto j = static_cast<std::size_t>(b.other);
      f -= G[j] * b.g;
      if (stabilized) f += (x[j] - here) * (stiffness_[j] * b.w);
    }
    if (stabilized) {
      Vec<T, D> pull = Vec<T, D>::zero();
      for (const Bond<T, D>& b : rest_.from(i)) pull += (x[static_cast<std::size_t>(b.other)] - here) * b.w;
      f += pull * stiffness_[i];
    }
    force[i] = f;
  });
}

// H_i = V tau N^-1 (Gerszewski 2014, Eqs. 4.10 and 4.11 in their energy-consistent form), or that of the cosine kernel,
// and the pressure.
template <class T, int D>
void Meshless<T, D>::carry_stress(World& world, const Columns& p) {
  const T rest_share = lattice_density_;
  const T square_sound = T(sound_ * sound_);
  for (const Batch& batch : world.batches) {
    const T density = T(density_of(controls_.materials[static_cast<std::size_t>(batch.material)]));
    parallel_for(static_cast<std::size_t>(batch.end - batch.begin), 256, [&](std::size_t k) {
      const std::size_t i = static_cast<std::size_t>(batch.begin) + k;
      const Mat<T, D> N = to_matrix<D>(pulled_moment_[i]);
      const T mean = trace(N) / T(D);
      const bool round = determinant(N) > T(1e-3) * (D == 2 ? mean * mean : mean * mean * mean);
      const Mat<T, D> back = round ? inverse(N) : inverse_of_moment(N).inverse;
      const Mat<T, D> H = to_matrix<D>(p.tau[i]) * back * p.volume[i];
      for (int e = 0; e < D * D; ++e) carrier_[i][e] = H.e[e];
      const T rest = density * rest_share, over = std::max(density_[i] - rest, T(0));
      carrier_[i][Carrier<T, D>::size - 1] = sound_ > 0 ? square_sound * over / (density_[i] * density_[i]) : T(0);
    });
  }
}

template <class T, int D>
void Meshless<T, D>::world_forces(const Columns& p) {
  using P = Pack<T>;
  const T h = h_max_;
  const bool pressed = sound_ > 0;
  const T viscosity = T(spec_.meshless.viscosity);
  const P slope(-3 * kernel_detail::spiky<D> / std::pow(double(h), D + 1)), inverse_h(T(1) / h);
  const P laplacian(viscosity * viscosity_laplacian<D>(T(0), h));
  constexpr int metric_at = D * D, pressure_at = Carrier<T, D>::size - 1;
  parallel_for(p.x.size(), 128, [&](std::size_t i) {
    const Vec<P, D> here = spread<P>(p.x[i]);
    const Carrier<P, D> own = spread<P>(carrier_[i]);
    const Vec<P, D> speed = spread<P>(p.v[i]);
    const auto part = [&](const Carrier<P, D>& c, const Vec<P, D>& away) {
      Sym<P, D> S{};
      for (int k = 0; k < Sym<P, D>::size; ++k) S[k] = c[metric_at + k];
      Mat<P, D> H{};
      for (int e = 0; e < D * D; ++e) H.e[e] = c[e];
      return H * away * poly6_shape(squared_length<P, D>(S, away));
    };
    Vec<P, D> f = Vec<P, D>::zero();
    world_.for_each_pack(i, [&](const int* index) {
      const Vec<P, D> away = load_lanes_at<P>(p.x.data(), index) - here;
      const Carrier<P, D> other = load_lanes_at<P>(carrier_.data(), index);
      f += part(own, away) + part(other, away);
      if (!pressed && !(viscosity > 0)) return;
      const P d = sqrt(dot(away, away)), left = max(P(1) - d * inverse_h, P(0));
      if (pressed) {
        const P pair = P(p.mass[i]) * load_lanes_at<P>(p.mass.data(), index) * (own[pressure_at] + other[pressure_at]);
        f += away * (pair * slope * left * left / max(d, P(1e-20)));
      }
      if (viscosity > 0) {
        const P pair = P(p.volume[i]) * load_lanes_at<P>(p.volume.data(), index) * laplacian * left;
        f += (load_lanes_at<P>(p.v.data(), index) - speed) * pair;
      }
    });
    force_[i] = sums_of_lanes(f);
  });
}

// Bodies that meet push each other apart and rub: springs and dashpots along the line between particles that come
// closer than their contact radii, Coulomb's friction across it.
template <class T, int D>
void Meshless<T, D>::contact_forces(const Columns& p) {
  if (!many_bodies_) return;
  const T reach = T(2 * contact_radius_), friction = T(spec_.meshless.friction);
  parallel_for(p.x.size(), 256, [&](std::size_t i) {
    Vec<T, D> f = Vec<T, D>::zero();
    for (int other : contact_.list(i)) {
      const auto j = static_cast<std::size_t>(other);
      const Vec<T, D> away = p.x[j] - p.x[i];
      const T square_distance = dot(away, away);
      if (square_distance >= reach * reach || square_distance == T(0)) continue;
      const T distance = std::sqrt(square_distance);
      const Vec<T, D> n = away / distance, relative = p.v[j] - p.v[i];
      const T mass = T(2) * p.mass[i] * p.mass[j] / (p.mass[i] + p.mass[j]);
      const T stiffness = contact_stiffness_;
      const T push =
          std::max(stiffness * (reach - distance) - T(0.2) * std::sqrt(stiffness * mass) * dot(n, relative), T(0));
      const Vec<T, D> sliding = relative - n * dot(n, relative);
      const T speed = length(sliding);
      // A dashpot as strong as the one along the line, up to Coulomb's limit.
      const T drag =
          speed > T(0) ? std::min(T(0.2) * std::sqrt(stiffness * mass) * speed, friction * push) / speed : T(0);
      f += sliding * drag - n * push;
    }
    force_[i] += f;
  });
}

template class Meshless<float, 2>;
template class Meshless<float, 3>;
template class Meshless<double, 2>;
template class Meshless<double, 3>;

}  // namespace knead
