// The linear system of backward Euler, (M - dt^2 K) v' = M v + dt f with K = df/dx, without ever making a matrix
// (Mueller 2004, Eqs. 42 to 46 and appendix B; the printed volume rows are not its derivative). K loses what would make
// it indefinite: the negative part of the stress in the geometric term and the curvature of the volume term.
#include "meshless/solver.h"

namespace knead {

template <class T, int D>
void Meshless<T, D>::open_tangent(const World& world, const Columns& p) {
  const std::size_t n = p.x.size();
  held_stress_.resize(n), law_of_.resize(n), tangent_.resize(n);
  strain_states_.clear();
  strain_states_.reserve(world.batches.size());
  for (const Batch& batch : world.batches)
    visit(controls_.materials[static_cast<std::size_t>(batch.material)], [&]<class Law>(const Law& law) {
      if constexpr (Law::needs_rest_shape) {
        const StrainState<T, D>& state = strain_states_.emplace_back(law);
        parallel_for(static_cast<std::size_t>(batch.end - batch.begin), 256, [&](std::size_t k) {
          const std::size_t i = static_cast<std::size_t>(batch.begin) + k;
          law_of_[i] = &state;
          const Mat<T, D> e = StrainState<T, D>::green(p.F[i]) - to_matrix<D>(p.strain[i]);
          EigenSym<T, D> s = eigen_sym<D>(to_sym(state.second(e)));
          for (int a = 0; a < D; ++a) s.values[a] = std::max(s.values[a], T(0));
          held_stress_[i] = to_matrix<D>(rotated_diagonal(s.Q, s.values));
        });
      }
    });
}

// out = K delta: the stress that a motion changes, and its force.
template <class T, int D>
void Meshless<T, D>::elastic_differential(const Columns& p, std::span<const Vec<T, D>> delta,
                                          std::span<Vec<T, D>> out) {
  show_places<T, D>(delta, shown_);
  parallel_for(p.x.size(), 512, [&](std::size_t i) {
    const StrainState<T, D>& law = *law_of_[i];
    const Mat<T, D>&F = p.F[i], &back = inverse_[i];
    const Stretch<T, D> stretch = stretch_of<T, D>(rest_, shown_, i);
    const Mat<T, D> dF = stretch.moment * back, half = transpose(F) * dF;
    pull_[i] = stretch.pull;
    Mat<T, D> dT = dF * held_stress_[i] + F * law.second((half + transpose(half)) * T(0.5));
    if (law.k > 0) {
      const Mat<T, D> cof = cofactor(F);
      T change = 0;
      for (int e = 0; e < D * D; ++e) change += cof.e[e] * dF.e[e];
      dT += cof * (law.k * change);
    }
    tangent_[i] = dT * back * p.volume[i] - dF * stiffness_[i];
  });
  rest_forces(delta, tangent_, out);
}

// The block of a particle's own of -K. Where only it moves, by u, the gradients of its neighbourhoods change by u d^T,
// d = A^-1 g, and its own by -u d^T, d = A^-1 sum g; each such neighbourhood gives
//
//   V [ (d.S d) I + F ((lambda + mu) d d^T + mu d.d I + E_f (f.d)^2 f f^T) F^T + k (cof F d)(cof F d)^T ]
//
// and the stabilizer c (w - g.d) I.
template <class T, int D>
Mat<T, D> Meshless<T, D>::own_stiffness(const Columns& p, std::size_t i) const {
  Mat<T, D> sum = Mat<T, D>::zero();
  const auto add = [&](std::size_t j, const Vec<T, D>& g, T w) {
    const StrainState<T, D>& law = *law_of_[j];
    const Mat<T, D>& F = p.F[j];
    const Vec<T, D> d = inverse_[j] * g, turned = F * d, pressed = cofactor(F) * d;
    Mat<T, D> Q = F * transpose(F) * (law.mu * dot(d, d)) + outer(turned, turned) * (law.lambda + law.mu) +
                  outer(pressed, pressed) * law.k;
    if (law.fibre_young > 0) {
      const Vec<T, D> fibre = F * law.fibre;
      Q += outer(fibre, fibre) * (law.fibre_young * square(dot(law.fibre, d)));
    }
    const T round = p.volume[j] * dot(d, held_stress_[j] * d) + stiffness_[j] * (w - dot(g, d));
    sum += Q * p.volume[j] + Mat<T, D>::identity() * round;
  };
  add(i, rest_.sum(i), rest_.weight(i));
  for (const Bond<T, D> b : rest_.to(i)) add(static_cast<std::size_t>(b.other), b.g, b.w);
  return sum;
}

// Particles that would come closer to a collider than their radius are held so that they just touch; those that a grip
// holds go with it. Whether any is held anew.
template <class T, int D>
bool Meshless<T, D>::hold_contacts(const Columns& p, double dt) {
  const ColliderSet::Some boundaries = controls_.colliders.all();
  std::vector<unsigned char> held(p.x.size(), 0);
  parallel_for(p.x.size(), 512, [&](std::size_t i) {
    Hold<T, D>& hold = hold_[i];
    if (hold.grip) return;
    const Vec<T, D> y = p.x[i] + velocity_[i] * T(dt);
    boundaries.template for_each_within<D>(
        resized<double, 3>(y), contact_radius_,
        [&](std::size_t b, const Boundary& other, double distance, const Vec<double, D>& u, const Vec<double, D>& m) {
          if (hold.boundary >= 0) return;
          const Vec<T, D> moving = resized<T, D>(u), normal = resized<T, D>(m);
          if (other.grip) {
            if (distance > 0) return;
            hold.grip = true, hold.boundary = static_cast<int>(b);
            for (int a = 0; a < D; ++a)
              if (other.held[static_cast<std::size_t>(a)]) hold.free(a, a) = 0, hold.velocity[a] = moving[a];
          } else if (other.collider.contact == Contact::sticky) {
            hold.boundary = static_cast<int>(b), hold.free = Mat<T, D>::zero(), hold.velocity = moving;
          } else {
            // Where the way to the surface ends.
            const T along = dot(normal, velocity_[i]) + T((contact_radius_ - distance) / dt);
            hold.boundary = static_cast<int>(b), hold.normal = normal;
            hold.free = Mat<T, D>::identity() - outer(normal, normal), hold.velocity = normal * along;
          }
          held[i] = 1;
        });
  });
  return std::any_of(held.begin(), held.end(), [](unsigned char h) { return h != 0; });
}

template <class T, int D>
std::optional<Problem> Meshless<T, D>::solve_implicit(World& world, const Columns& p, double dt) {
  const std::size_t n = p.x.size();
  const T h = T(dt);
  velocity_.resize(n), known_.resize(n), own_.resize(n);
  block_cg_.resize(n);
  hold_.assign(n, Hold<T, D>{});
  open_tangent(world, p);
  parallel_for(n, 256, [&](std::size_t i) {
    velocity_[i] = p.v[i];
    known_[i] = p.v[i] * p.mass[i] + (force_[i] + outer_acceleration(world, p, i, dt) * p.mass[i]) * h;
    own_[i] = own_stiffness(p, i) * (h * h) + Mat<T, D>::identity() * p.mass[i];
  });
  const auto multiply = [&](std::span<const Vec<T, D>> z, std::span<Vec<T, D>> out) {
    elastic_differential(p, z, out);
    parallel_for(n, 1024, [&](std::size_t i) { out[i] = hold_[i].free * (z[i] * p.mass[i] - out[i] * (h * h)); });
  };
  // Contacts are found by solving; those that would pull are let go.
  for (int turn = 0; turn < 5; ++turn) {
    parallel_for(n, 1024, [&](std::size_t i) {
      const Mat<T, D>& free = hold_[i].free;
      velocity_[i] = free * velocity_[i] + hold_[i].velocity;
      // What is held stays out of the block.
      const Mat<T, D> held = (Mat<T, D>::identity() - free) * trace(own_[i]);
      block_cg_.inverse[i] = inverse(free * own_[i] * free + held);
    });
    elastic_differential(p, velocity_, block_cg_.product);
    parallel_for(n, 1024, [&](std::size_t i) {
      block_cg_.residual[i] = hold_[i].free * (known_[i] - velocity_[i] * p.mass[i] + block_cg_.product[i] * (h * h));
    });
    world.tally.frame_cg += block_cg_.solve(velocity_, multiply, 1e-8 * block_cg_.squared(known_), 200);
    bool changed = hold_contacts(p, dt);
    // The impulse of a contact is what the equation lacks.
    elastic_differential(p, velocity_, block_cg_.product);
    for (std::size_t i = 0; i < n; ++i) {
      Hold<T, D>& hold = hold_[i];
      if (hold.boundary < 0 || hold.grip || dot(hold.normal, hold.normal) == T(0)) continue;
      const Vec<T, D> impulse = velocity_[i] * p.mass[i] - block_cg_.product[i] * (h * h) - known_[i];
      if (dot(impulse, hold.normal) >= T(0) || turn == 0) continue;
      hold = Hold<T, D>{};
      changed = true;
    }
    if (!changed) break;
  }
  return judge_motion(p, dt);
}

template class Meshless<float, 2>;
template class Meshless<float, 3>;
template class Meshless<double, 2>;
template class Meshless<double, 3>;

}  // namespace knead
