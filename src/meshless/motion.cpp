// Kick, drift and contact with colliders.
#include "meshless/solver.h"
#include "scene/force_variables.h"

namespace knead {

namespace {
constexpr std::size_t grain = 1024;
}

// Gravity and body forces, m/s^2.
template <class T, int D>
Vec<T, D> Meshless<T, D>::outer_acceleration(const World& world, const Columns& p, std::size_t i) const {
  Vec3d a = controls_.gravity;
  if (!controls_.body_force.is_zero())
    a += body_force_at(controls_.body_force, p.x[i], p.X[i], p.v[i], world.clock.time);
  return resized<T, D>(a);
}

// Whether what velocity_ says can be done in one step.
template <class T, int D>
std::optional<Problem> Meshless<T, D>::judge_motion(const Columns& p, double dt) {
  const std::size_t n = p.x.size();
  motion_partial_.assign((n + grain - 1) / grain, MotionReport{});
  parallel_chunks(n, grain, [&](std::size_t begin, std::size_t end) {
    MotionReport report;
    for (std::size_t i = begin; i < end; ++i) {
      const double speed = double(length(velocity_[i])), share = speed * dt / double(p.h[i]);
      if (!std::isfinite(speed) && report.finite)
        report.finite = false, report.worst = static_cast<std::int64_t>(i);
      else if (report.finite && share > report.farthest)
        report.farthest = share, report.worst = static_cast<std::int64_t>(i);
    }
    motion_partial_[begin / grain] = report;
  });
  MotionReport all;
  for (const MotionReport& r : motion_partial_) all.add(r);
  if (all.finite && all.farthest <= most_motion) return {};
  return Problem{all.finite ? fmt::format("a particle would move {:.3g} of its neighbourhood in one step", all.farthest)
                            : "a velocity is not a finite number",
                 all.worst, resized<double, 3>(p.x[static_cast<std::size_t>(all.worst)])};
}

// The velocities that forces lead to; particles are not touched yet.
template <class T, int D>
std::optional<Problem> Meshless<T, D>::kick(const World& world, const Columns& p, double dt) {
  velocity_.resize(p.x.size());
  parallel_for(p.x.size(), grain, [&](std::size_t i) {
    velocity_[i] = p.v[i] + (force_[i] / p.mass[i] + outer_acceleration(world, p, i)) * T(dt);
  });
  return judge_motion(p, dt);
}

// Viscous force L v over the bonds: each bond, seen from both of its ends, is half of a pair.
template <class T, int D>
template <class Add>
void Meshless<T, D>::drag(const Columns& p, std::span<const Vec<T, D>> v, std::size_t i, Add&& add) const {
  const T viscosity = T(spec_.meshless.viscosity / 2);
  const auto over = [&](std::span<const Bond<T, D>> bonds) {
    for (const Bond<T, D>& b : bonds) {
      const auto j = static_cast<std::size_t>(b.other);
      const T h = T(0.5) * (p.h[i] + p.h[j]);
      const T factor = viscosity * p.volume[i] * p.volume[j] * viscosity_laplacian<D>(length(p.x[j] - p.x[i]), h);
      add(v[j] - v[i], factor);
    }
  };
  over(rest_.from(i)), over(rest_.to(i));
}

// Explicit viscosity.
template <class T, int D>
void Meshless<T, D>::add_drag(const Columns& p) {
  if (spec_.meshless.viscosity == 0) return;
  parallel_for(p.x.size(), 256, [&](std::size_t i) {
    drag(p, p.v, i, [&](const Vec<T, D>& apart, T factor) { force_[i] += apart * factor; });
  });
}

// (M + dt/2 L) v' = M (v + dt/2 a), by conjugate gradients (Bridson 2003).
template <class T, int D>
std::optional<Problem> Meshless<T, D>::half_kick(const World&, const Columns& p, double dt) {
  const std::size_t n = p.x.size();
  const T half = T(dt / 2);
  velocity_.resize(n);
  parallel_for(n, grain, [&](std::size_t i) { velocity_[i] = p.v[i] + p.a[i] * half; });
  if (spec_.meshless.viscosity > 0) {
    cg_.resize(n);
    parallel_for(n, 256, [&](std::size_t i) {
      Vec<T, D> f = Vec<T, D>::zero();
      T own = 0;
      drag(p, velocity_, i, [&](const Vec<T, D>& apart, T factor) { f += apart * factor, own += factor; });
      cg_.residual[i] = f * half;
      cg_.diagonal[i] = p.mass[i] + half * own;
    });
    const auto matrix = [&](std::span<const Vec<T, D>> z, std::span<Vec<T, D>> out) {
      parallel_for(n, 256, [&](std::size_t i) {
        out[i] = z[i] * p.mass[i];
        drag(p, z, i, [&](const Vec<T, D>& apart, T factor) { out[i] -= apart * (factor * half); });
      });
    };
    cg_.solve(velocity_, matrix, 1e-12 * cg_.squared(cg_.residual), 50);
  }
  return judge_motion(p, dt);
}

// v = v' + dt/2 (a - M^-1 L v'), and nothing moves into a collider.
template <class T, int D>
void Meshless<T, D>::second_half_kick(const World& world, Columns& p, double dt) {
  const T half = T(dt / 2);
  const ColliderSet::Some boundaries = controls_.colliders.all();
  std::copy(p.v.begin(), p.v.end(), velocity_.begin());
  parallel_for(p.x.size(), 256, [&](std::size_t i) {
    p.a[i] = force_[i] / p.mass[i] + outer_acceleration(world, p, i);
    Vec<T, D> v = velocity_[i] + p.a[i] * half;
    if (spec_.meshless.viscosity > 0) {
      Vec<T, D> f = Vec<T, D>::zero();
      drag(p, velocity_, i, [&](const Vec<T, D>& apart, T factor) { f += apart * factor; });
      v += f * (half / p.mass[i]);
    }
    boundaries.template for_each_within<D>(resized<double, 3>(p.x[i]), contact_radius_ * (1 + 1e-6),
                                           [&](std::size_t, const Boundary& other, double distance,
                                               const Vec<double, D>& u, const Vec<double, D>& normal) {
                                             if (other.grip) {
                                               if (distance > 0) return;
                                               for (int k = 0; k < D; ++k)
                                                 if (other.held[static_cast<std::size_t>(k)]) v[k] = T(u[k]);
                                             } else {
                                               const Vec<T, D> moving = resized<T, D>(u);
                                               v = contact_velocity(other.collider.contact, T(other.collider.friction),
                                                                    v - moving, resized<T, D>(normal)) +
                                                   moving;
                                             }
                                           });
    p.v[i] = v;
  });
}

// Grips hold velocities; then particles move, and those that come closer to a collider than their radius are put back
// and lose the velocity into it, and some along it.
template <class T, int D>
MotionReport Meshless<T, D>::move(World&, Columns& p, double dt) {
  const std::size_t n = p.x.size();
  y_.resize(n);
  const ColliderSet::Some boundaries = controls_.colliders.all();
  Reactions& reactions = controls_.reactions;
  const auto there = controls_.colliders.boundaries();
  const bool gripped = std::any_of(there.begin(), there.end(), [](const Boundary& b) { return b.grip && b.on; });
  motion_partial_.assign((n + grain - 1) / grain, MotionReport{});
  reactions.start_stage(motion_partial_.size());
  parallel_chunks(n, grain, [&](std::size_t begin, std::size_t end) {
    MotionReport report;
    for (std::size_t i = begin; i < end; ++i) {
      const Vec<T, D> free = velocity_[i];
      Vec<T, D> v = free, y = p.x[i] + v * T(dt);
      const auto changed = [&](std::size_t boundary, const Vec<T, D>& change) {
        report.contact_work += double(p.mass[i]) * double(dot(change, v));
        if (reactions.measured())
          reactions.add(begin / grain, boundary, resized<double, 3>(y), resized<double, 3>(change) * double(p.mass[i]));
      };
      // Colliders, the deepest first: out of a corner in a few turns.
      for (int turn = 0; turn < 4; ++turn) {
        double deepest = 0;
        std::size_t which = 0;
        const Boundary* boundary = nullptr;
        Vec<double, D> moving{}, normal{};
        boundaries.template for_each_within<D>(resized<double, 3>(y), contact_radius_,
                                               [&](std::size_t b, const Boundary& other, double distance,
                                                   const Vec<double, D>& u, const Vec<double, D>& m) {
                                                 if (other.grip || distance - contact_radius_ >= deepest) return;
                                                 deepest = distance - contact_radius_, which = b, boundary = &other,
                                                 moving = u, normal = m;
                                               });
        if (!boundary) break;
        y -= resized<T, D>(normal * deepest);
        const Vec<T, D> before = v, u = resized<T, D>(moving);
        v = contact_velocity(boundary->collider.contact, T(boundary->collider.friction), v - u, resized<T, D>(normal)) +
            u;
        changed(which, v - before);
        if (boundary->collider.contact == Contact::sticky) y = p.x[i] + v * T(dt);
      }
      // Grips have the last word.
      if (gripped)
        boundaries.template for_each_within<D>(
            resized<double, 3>(y), 0.0,
            [&](std::size_t b, const Boundary& other, double, const Vec<double, D>& u, const Vec<double, D>&) {
              if (!other.grip) return;
              const Vec<T, D> before = v;
              for (int a = 0; a < D; ++a)
                if (other.held[static_cast<std::size_t>(a)]) v[a] = T(u[a]), y[a] = p.x[i][a] + v[a] * T(dt);
              changed(b, v - before);
            });
      p.v[i] = v, y_[i] = y;
      report.max_speed = std::max(report.max_speed, double(length(v)));
    }
    motion_partial_[begin / grain] = report;
  });
  reactions.finish_stage();
  MotionReport all;
  for (const MotionReport& r : motion_partial_) all.add(r);
  return all;
}

template class Meshless<float, 2>;
template class Meshless<float, 3>;
template class Meshless<double, 2>;
template class Meshless<double, 3>;

}  // namespace knead
