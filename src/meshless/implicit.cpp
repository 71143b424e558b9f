// The linear system of backward Euler, (M - dt^2 K) v' = M v + dt f with K = df/dx, without ever making a matrix
// (Mueller 2004, Eqs. 42 to 46 and appendix B; the printed volume rows are not its derivative). K loses what would make
// it indefinite: the negative part of the stress in the geometric term and the curvature of the volume term; of laws of
// stretches the negative eigenvalues of dT/dF (material/differential.h), with T(F F_p^-1) F_p^-T on the rest shape.
// Plastic flow is that of the start. Melts have no bonds and so no part in K: their forces are those of the start.
#include "base/elementary.h"
#include "meshless/solver.h"

#include <atomic>

namespace knead {

namespace {

// The law of strains that is as stiff at rest.
template <class Law>
StrainYieldLaw alike_at_rest(const Law& law) {
  StrainYieldLaw hooke;
  hooke.elastic.young = law.elastic.young, hooke.elastic.poisson = law.elastic.poisson;
  return hooke;
}

}  // namespace

// How stress answers, without what is negative, and once for a rest shape the blocks of the particles' own.
template <class T, int D>
void Meshless<T, D>::open_tangent(World& world, const Columns& p) {
  const std::size_t n = p.x.size();
  held_stress_.resize(n), law_of_.resize(n), tangent_.resize(n);
  strain_states_.clear();
  strain_states_.reserve(world.batches.size());
  for (const Batch& batch : world.batches)
    visit(controls_.materials[static_cast<std::size_t>(batch.material)], [&]<class Law>(const Law& law) {
      const auto first = static_cast<std::size_t>(batch.begin), count = static_cast<std::size_t>(batch.end) - first;
      if constexpr (Law::needs_rest_shape) {
        const StrainState<T, D>& state = strain_states_.emplace_back(law);
        parallel_for(count, 128, [&](std::size_t k) {
          const std::size_t i = first + k;
          law_of_[i] = &state;
          const Mat<T, D> e = StrainState<T, D>::green(p.F[i]) - to_matrix<D>(p.strain[i]);
          EigenSym<T, D> s = eigen_sym<D>(to_sym(state.second(e)));
          for (int a = 0; a < D; ++a) s.values[a] = std::max(s.values[a], T(0));
          held_stress_[i] = to_matrix<D>(rotated_diagonal(s.Q, s.values));
        });
      } else if constexpr (is_meshless_law<Law>) {
        const StrainState<T, D>& state = strain_states_.emplace_back(alike_at_rest(law));
        differential_.resize(n);
        std::array<const T*, max_flow_history> columns{};
        for (std::size_t h = 0; h < law.history_columns.size(); ++h)
          columns[h] = world.particles.get<T>(law.history_columns[h].name).data();
        parallel_for(count, 128, [&](std::size_t k) {
          const std::size_t i = first + k;
          law_of_[i] = &state;
          auto history = law.template initial_history<T>();
          for (int h = 0; h < Law::history_size; ++h) history[h] = columns[static_cast<std::size_t>(h)][i];
          Svd<T, D> d = svd(p.F[i] * p.plastic[i]);
          for (int a = 0; a < D; ++a) d.sigma[a] = std::max(d.sigma[a], T(smallest_stretch));
          differential_[i] = positive_part(
              StressDifferential<T, D>{d.U, d.V, law.hessian(d.sigma, history), law.pair_slopes(d.sigma, history)});
        });
      }
    });
  if (own_.size() == n) return;
  own_.resize(n);
  parallel_for(n, 64, [&](std::size_t i) { own_[i] = own_stiffness(p, i); });
}

// out = K delta: the stress that a motion changes, and its force.
template <class T, int D>
void Meshless<T, D>::elastic_differential(const World& world, const Columns& p, std::span<const Vec<T, D>> delta,
                                          std::span<Vec<T, D>> out) {
  using P = Pack<T>;
  fit_gradients(delta, {}, tangent_);
  const auto some = [&](const StrainState<P, D>& law, std::size_t first, int count) {
    const Mat<P, D> F = load_lanes<P>(p.F.data() + first, count), back = load_lanes<P>(inverse_.data() + first, count);
    const Mat<P, D> dF = load_lanes<P>(tangent_.data() + first, count), half = transpose(F) * dF;
    Mat<P, D> dT =
        dF * load_lanes<P>(held_stress_.data() + first, count) + F * law.second((half + transpose(half)) * P(0.5));
    if (law.stiff_volume) {
      const Mat<P, D> cof = cofactor(F);
      P change(0);
      for (int e = 0; e < D * D; ++e) change = fma(cof.e[e], dF.e[e], change);
      dT += cof * (law.k * change);
    }
    P volume = load_scalars<P>(p.volume.data() + first, count);
    if (can_melt_) volume = volume * load_scalars<P>(rest_share_.data() + first, count);
    store_lanes<P>(dT * back * volume - dF * load_scalars<P>(stiffness_.data() + first, count), tangent_.data() + first,
                   count);
  };
  for (const Batch& batch : world.batches)
    visit(controls_.materials[static_cast<std::size_t>(batch.material)], [&]<class Law>(const Law& law) {
      if constexpr (Law::needs_rest_shape) {
        const StrainState<P, D> state(law);
        const auto begin = static_cast<std::size_t>(batch.begin), end = static_cast<std::size_t>(batch.end);
        parallel_chunks(end - begin, 128, [&](std::size_t from, std::size_t to) {
          for_packs<P>(begin + from, begin + to, [&](std::size_t first, int count) { some(state, first, count); });
        });
      } else if constexpr (is_meshless_law<Law>) {
        const auto begin = static_cast<std::size_t>(batch.begin), end = static_cast<std::size_t>(batch.end);
        parallel_for(end - begin, 128, [&](std::size_t k) {
          const std::size_t i = begin + k;
          const Mat<T, D> dF = tangent_[i], dT = differential_[i](dF * p.plastic[i]) * transpose(p.plastic[i]);
          tangent_[i] = dT * inverse_[i] * p.volume[i] - dF * stiffness_[i];
        });
      }
    });
  rest_forces(tangent_, out);
}

template <class T, int D>
void Meshless<T, D>::tangent_force(World& world, std::span<const Vec<T, D>> delta, std::span<Vec<T, D>> out) {
  Columns p(world.particles);
  deform_from_rest(p);
  stress_from_rest(world, p, 0);
  open_tangent(world, p);
  elastic_differential(world, p, delta, out);
}

// The block of a particle's own of -K, in N/m, of the shape at rest: it steers the solver only, and turns with the
// particle. Where only it moves, by u, the gradients of its neighbourhoods change by u d^T, d = A^-1 g, and its own by
// -u d^T, d = A^-1 sum g; each such neighbourhood gives
//
//   V [ (lambda + mu + k) d d^T + mu d.d I + E_f (f.d)^2 f f^T ]
//
// and the stabilizer c (w - g.d) I.
template <class T, int D>
Mat<T, D> Meshless<T, D>::own_stiffness(const Columns& p, std::size_t i) const {
  Mat<T, D> sum = Mat<T, D>::zero();
  const auto add = [&](std::size_t j, const Vec<T, D>& g, T w) {
    const StrainState<T, D>& law = *law_of_[j];
    const Vec<T, D> d = inverse_[j] * g;
    Mat<T, D> Q = Mat<T, D>::identity() * (law.mu * dot(d, d)) + outer(d, d) * (law.lambda + law.mu + law.k);
    if (law.fibred) Q += outer(law.fibre, law.fibre) * (law.fibre_young * square(dot(law.fibre, d)));
    const T volume = can_melt_ ? p.volume[j] * rest_share_[j] : p.volume[j];
    sum += Q * volume + Mat<T, D>::identity() * (stiffness_[j] * (w - dot(g, d)));
  };
  add(i, rest_.sum(i), rest_.weight(i));
  for (const Bond<T, D> b : rest_.to(i)) add(static_cast<std::size_t>(b.other), b.g, b.w);
  return sum;
}

// Particles that would come closer to a collider than their radius are held so that they just touch; those that a grip
// holds go with it. Whether any is held anew. The first time velocities are those of a fall.
template <class T, int D>
bool Meshless<T, D>::hold_contacts(const Columns& p, double dt, bool first) {
  const ColliderSet::Some boundaries = controls_.colliders.all();
  std::atomic<bool> any_fresh(false);
  parallel_for(p.x.size(), 128, [&](std::size_t i) {
    Hold<T, D>& hold = hold_[i];
    if (hold.fresh) any_fresh = true;
    if (hold.grip) return;
    if (const int by = led_by(i); by >= 0) {
      hold.grip = true, hold.boundary = by, hold.fresh = true, any_fresh = true;
      const Vec<T, D> v = led_velocity(p, i, velocity_[i], dt);
      for (int a = 0; a < D; ++a)
        if (controls_.colliders.boundaries()[static_cast<std::size_t>(by)].held[static_cast<std::size_t>(a)])
          hold.free(a, a) = 0, hold.velocity[a] = v[a];
      return;
    }
    const Vec<T, D> y = p.x[i] + velocity_[i] * T(dt);
    boundaries.template for_each_within<D>(
        resized<double, 3>(y), farthest_touch(),
        [&](std::size_t b, const Boundary& other, double distance, const Vec<double, D>& u, const Vec<double, D>& m) {
          if (hold.boundary >= 0 || distance > touch_radius(other)) return;
          const Vec<T, D> moving = resized<T, D>(u), normal = resized<T, D>(m);
          if (other.grip) {
            if (distance > 0 || other.leads()) return;
            hold.grip = true, hold.boundary = static_cast<int>(b);
            for (int a = 0; a < D; ++a)
              if (other.held[static_cast<std::size_t>(a)]) hold.free(a, a) = 0, hold.velocity[a] = moving[a];
          } else if (other.collider.contact == Contact::sticky) {
            hold.boundary = static_cast<int>(b), hold.free = Mat<T, D>::zero(), hold.velocity = moving;
          } else {
            // Where the way to the surface ends. What friction may well stop is taken to stick.
            const T along = dot(normal, velocity_[i]) + T((contact_radius_ - distance) / dt);
            hold.boundary = static_cast<int>(b), hold.normal = normal, hold.moving = moving;
            hold.free = Mat<T, D>::identity() - outer(normal, normal), hold.velocity = normal * along;
            if (other.collider.contact == Contact::separate) hold.friction = T(other.collider.friction);
            const T pressed = first ? length(velocity_[i] - p.v[i]) : T(0);
            const Vec<T, D> slip = hold.along_surface((first ? p.v[i] : velocity_[i]) - moving);
            if (hold.friction > T(0) && length(slip) <= slow_slip(dt) + hold.friction * pressed) hold.stick();
          }
          hold.fresh = true, any_fresh = true;
        });
  });
  return any_fresh;
}

// The stiffness is about what resists if only this particle moves.
template <class T, int D>
Rubbing<T, D> Meshless<T, D>::rubbing(const Columns& p, std::size_t i, double dt) const {
  return {hold_[i], velocity_[i], p.mass[i] + trace(own_[i]) * T(dt * dt / D)};
}

// What pulls is let go; what sticks by more than friction bears slides, what friction would drag along sticks. Whether
// anything is to be otherwise than in the last solve.
template <class T, int D>
bool Meshless<T, D>::revise(const Columns& p, std::size_t i, double dt) {
  Hold<T, D>& hold = hold_[i];
  if (hold.boundary < 0 || hold.fresh || !hold.lets_go()) return false;
  if (dot(hold.impulse, hold.normal) < T(0)) return hold = Hold<T, D>{}, true;
  if (!(hold.friction > T(0))) return false;
  const Rubbing<T, D> r = rubbing(p, i, dt);
  if (r.error() <= T(near_friction) * r.most) return false;
  if (r.holds() || dot(r.slip, r.rub) > T(0))
    hold.stick();
  else
    r.slide(hold);
  return true;
}

// Whether the friction of all contacts is Coulomb's in sum.
template <class T, int D>
bool Meshless<T, D>::friction_is_lawful(const Columns& p, double dt) {
  const auto of_all = [&](auto&& f) {
    return block_cg_.sum([&](std::size_t i) {
      return hold_[i].fresh || !(hold_[i].friction > T(0)) ? 0.0 : double(f(rubbing(p, i, dt)));
    });
  };
  return of_all([](const Rubbing<T, D>& r) { return r.error(); }) <=
         near_friction * of_all([](const Rubbing<T, D>& r) { return r.most; });
}

template <class T, int D>
std::optional<Problem> Meshless<T, D>::solve_implicit(World& world, Columns& p, double dt) {
  const std::size_t n = p.x.size();
  const T h = T(dt);
  velocity_.resize(n), known_.resize(n);
  block_cg_.resize(n);
  hold_.resize(n);
  open_tangent(world, p);
  // Contacts are guessed from where particles would fall. In free flight that is also where to start.
  parallel_for(n, 128, [&](std::size_t i) {
    const Vec<T, D> a = outer_acceleration(p, i, world.clock.time, dt);
    known_[i] = p.v[i] * p.mass[i] + (force_[i] + a * p.mass[i]) * h;
    velocity_[i] = p.v[i] + a * h;
    hold_[i] = Hold<T, D>{};
  });
  if (hold_contacts(p, dt, true)) std::copy(p.v.begin(), p.v.end(), velocity_.begin());
  const auto differentiate = [&](std::span<const Vec<T, D>> z) {
    elastic_differential(world, p, z, block_cg_.product);
  };
  const auto row = [&](std::size_t i, std::span<const Vec<T, D>> z) {
    return hold_[i].free * (z[i] * p.mass[i] + hold_[i].turning * z[i] - block_cg_.product[i] * (h * h));
  };
  const double rounding = square(16 * double(std::numeric_limits<T>::epsilon()));
  // Contacts that are missing or wrong are found by solving.
  constexpr int most_turns = 10;
  for (int turn = 1;; ++turn) {
    parallel_for(n, 128, [&](std::size_t i) {
      hold_[i].fresh = false;
      const Mat<T, D>& free = hold_[i].free;
      velocity_[i] = free * velocity_[i] + hold_[i].velocity;
      const Mat<T, D> R = rotation_of(p.F[i]);
      const Mat<T, D> own = R * own_[i] * transpose(R) * (h * h) + Mat<T, D>::identity() * p.mass[i] + hold_[i].turning;
      // What is held stays out of the block.
      block_cg_.inverse[i] = inverse(free * own * free + (Mat<T, D>::identity() - free) * trace(own));
    });
    elastic_differential(world, p, velocity_, block_cg_.product);
    parallel_for(n, 512, [&](std::size_t i) {
      block_cg_.residual[i] = hold_[i].free * (known_[i] + hold_[i].rub(velocity_[i]) - velocity_[i] * p.mass[i] +
                                               block_cg_.product[i] * (h * h));
    });
    ++world.tally.frame_newton;
    // Of what forces give in the step; what matter has already counts as far as it is rounded.
    const double given = block_cg_.sum([&](std::size_t i) {
      const Vec<T, D> had = p.v[i] * p.mass[i], gets = known_[i] - had;
      return 1e-8 * double(dot(gets, block_cg_.preconditioned(i, gets))) +
             rounding * double(dot(had, block_cg_.preconditioned(i, had)));
    });
    world.tally.frame_cg += block_cg_.solve_by_rows(velocity_, differentiate, row, given, 200);
    const bool last = turn == most_turns, any_fresh = !last && hold_contacts(p, dt, false);
    // The impulse of a contact is what the equation lacks.
    elastic_differential(world, p, velocity_, block_cg_.product);
    std::atomic<bool> revised(false);
    parallel_for(n, 256, [&](std::size_t i) {
      Hold<T, D>& hold = hold_[i];
      const Vec<T, D> lacking = velocity_[i] * p.mass[i] - block_cg_.product[i] * (h * h) - known_[i];
      hold.impulse = lacking - hold.free * lacking;
      if (!last && revise(p, i, dt)) revised = true;
    });
    if (last && !friction_is_lawful(p, dt)) ++world.tally.frame_contact_unsolved;
    if (!any_fresh && !revised) break;
  }
  return judge_motion(p, dt);
}

template class Meshless<float, 2>;
template class Meshless<float, 3>;
template class Meshless<double, 2>;
template class Meshless<double, 3>;

}  // namespace knead
