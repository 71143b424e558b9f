// Kick, drift and contact with colliders.
#include "base/rounding.h"
#include "meshless/solver.h"
#include "scene/force_variables.h"

#include <atomic>

namespace knead {

namespace {
constexpr std::size_t grain = 256;
}

// f(begin, end, part) over all particles, and what they report, in the order of the parts.
template <class T, int D>
template <class F>
MotionReport Meshless<T, D>::in_parts(std::size_t n, F&& f) {
  motion_partial_.assign((n + grain - 1) / grain, MotionReport{});
  controls_.reactions.start_stage(motion_partial_.size());
  parallel_chunks(n, grain, [&](std::size_t begin, std::size_t end) {
    motion_partial_[begin / grain] = f(begin, end, begin / grain);
  });
  controls_.reactions.finish_stage();
  MotionReport all;
  for (const MotionReport& r : motion_partial_) all.add(r);
  return all;
}

// Gravity and body forces, m/s^2; the latter are kept, for their work.
template <class T, int D>
Vec<T, D> Meshless<T, D>::outer_acceleration(const Columns& p, std::size_t i, double time, double dt) const {
  Vec3d a = controls_.gravity;
  if (!p.body_a.empty()) {
    const Vec3d force = body_force_at(controls_.body_force, p.x[i], p.X[i], p.v[i], time, dt);
    p.body_a[i] = resized<T, D>(force);
    a += force;
  }
  return resized<T, D>(a);
}

// The grips that lead each particle by itself, found by where it started.
template <class T, int D>
void Meshless<T, D>::find_led(const Columns& p) {
  led_by_.clear();
  const auto there = controls_.colliders.boundaries();
  for (std::size_t b = 0; b < there.size(); ++b) {
    if (!there[b].leads()) continue;
    led_by_.resize(p.x.size(), -1);
    for (std::size_t i = 0; i < p.x.size(); ++i)
      if (there[b].collider.shape.distance(resized<double, 3>(p.X[i])) <= 1e-6 * spec_.dx)
        led_by_[i] = static_cast<std::int32_t>(b);
  }
}

// The boundary that leads particle i and is on; none has the number -1.
template <class T, int D>
int Meshless<T, D>::led_by(std::size_t i) const {
  if (led_by_.empty() || led_by_[i] < 0) return -1;
  return controls_.colliders.boundaries()[static_cast<std::size_t>(led_by_[i])].on ? led_by_[i] : -1;
}

// The velocity v of particle i with what a grip that leads it asks for: to be where it belongs at the end of the step.
template <class T, int D>
Vec<T, D> Meshless<T, D>::led_velocity(const Columns& p, std::size_t i, Vec<T, D> v, double dt) const {
  const int by = led_by(i);
  if (by < 0) return v;
  const Boundary& grip = controls_.colliders.boundaries()[static_cast<std::size_t>(by)];
  const Vec3d place = grip.led(resized<double, 3>(p.X[i]), controls_.colliders.time());
  for (int a = 0; a < D; ++a)
    if (grip.held[static_cast<std::size_t>(a)]) v[a] = T((place[a] - place_of(p, i)[a]) / dt);
  return v;
}

// Whether what velocity_ says can be done in one step.
template <class T, int D>
std::optional<Problem> Meshless<T, D>::judge_motion(const Columns& p, double dt) {
  using P = Pack<T>;
  const auto velocity = [&](std::size_t i) { return led_velocity(p, i, velocity_[i], dt); };
  const auto velocities = [&](std::size_t first, int count) {
    if (led_by_.empty()) return load_lanes<P>(velocity_.data() + first, count);
    Vec<T, D> some[P::width]{};
    for (int lane = 0; lane < count; ++lane) some[lane] = velocity(first + static_cast<std::size_t>(lane));
    return load_lanes<P>(some, count);
  };
  // Whether none crosses more than its part of a neighbourhood; what is no number is not less either.
  std::atomic<bool> all_can(true);
  parallel_packs<P>(p.x.size(), grain, [&](std::size_t first, int count) {
    const Vec<P, D> way = velocities(first, count) * P(dt);
    const P most = load_scalars<P>(p.h.data() + first, count) * P(most_motion);
    if (!all(dot(way, way) <= most * most)) all_can = false;
  });
  if (all_can) return {};
  // The first that is no number, or the one that would go farthest.
  std::size_t worst = 0;
  double farthest = -1;
  for (std::size_t i = 0; i < p.x.size() && std::isfinite(farthest); ++i) {
    const double share = length(resized<double, D>(velocity(i))) * dt / double(p.h[i]);
    if (share > farthest || !std::isfinite(share)) worst = i, farthest = share;
  }
  const auto number = static_cast<std::int64_t>(worst);
  const Vec3d place = resized<double, 3>(p.x[worst]);
  if (!p.body_a.empty() && !std::isfinite(sum(p.body_a[worst])))
    return Problem{"scene.body_force is not a finite number", number, place,
                   fmt::format("correct the expression at {}, or end the scene before", controls_.body_force.place)};
  return Problem{
      (std::isfinite(farthest) ? fmt::format("a particle would move {:.3g} of its neighbourhood in one step", farthest)
                               : "a velocity is not a finite number") +
          neighbourhood_text(p, worst),
      number, place};
}

// How many neighbours it has, and how they lie: the moments of a full neighbourhood are about alike, one of a flat one
// is near 0.
template <class T, int D>
std::string Meshless<T, D>::neighbourhood_text(const Columns& p, std::size_t i) const {
  const bool world_bonds = spec_.method == Method::composed || p.is_molten(i);
  Mat<T, D> A = Mat<T, D>::zero();
  int count = 0;
  if (world_bonds) {
    for (const int other : world_.list(i)) {
      const Vec<T, D> away = p.x[static_cast<std::size_t>(other)] - p.x[i];
      const T w = poly6_shape(dot(away, away) / (world_h_ * world_h_));
      A += outer(away * w, away), count += w > T(0);
    }
  } else {
    const Mat<T, D> offset = p.P.empty() ? Mat<T, D>::identity() : p.P[i];
    A = offset * rest_.moment(i) * transpose(offset);
    for (const Bond<T, D> b : rest_.from(i)) count += b.w > T(0);
  }
  const EigenSym<T, D> e = eigen_sym<D>(to_sym(A));
  Vec<T, D> moments = e.values;
  std::sort(moments.e, moments.e + D, std::greater<>());
  std::string text = fmt::format("; it has {} neighbours", count);
  for (int k = 0; k < D && moments[0] > T(0); ++k)
    text += fmt::format("{}{:.2g}", k == 0 ? ", whose moments are as " : " : ", double(moments[k] / moments[0]));
  return text;
}

// How long forces act in a step of leap-frog, s.
template <class T, int D>
double Meshless<T, D>::kicked_dt(const World& world, double dt) {
  const double last = world.tally.drift_dt;
  return last > 0 ? 0.5 * (last + dt) : dt;
}

// The velocities that forces lead to; particles are not touched yet. They are those of the middle of steps, so that
// forces act over half of the last step and half of this one (leap-frog): else the energy drifts where steps change.
// What does not depend on places acts over the whole of it.
template <class T, int D>
std::optional<Problem> Meshless<T, D>::kick(const World& world, Columns& p, double dt) {
  using P = Pack<T>;
  velocity_.resize(p.x.size());
  const double between = kicked_dt(world, dt);
  const auto outer_accelerations = [&](std::size_t first, int count) {
    if (p.body_a.empty()) return spread<P>(resized<T, D>(controls_.gravity));
    Vec<T, D> some[P::width]{};
    for (int lane = 0; lane < count; ++lane)
      some[lane] = outer_acceleration(p, first + static_cast<std::size_t>(lane), world.clock.time, dt);
    return load_lanes<P>(some, count);
  };
  parallel_packs<P>(p.x.size(), grain, [&](std::size_t first, int count) {
    const Vec<P, D> v = load_lanes<P>(p.v.data() + first, count), f = load_lanes<P>(force_.data() + first, count);
    const Vec<P, D> a = f / load_scalars<P>(p.mass.data() + first, count);
    store_lanes<P>(v + a * P(between) + outer_accelerations(first, count) * P(dt), velocity_.data() + first, count);
  });
  return judge_motion(p, dt);
}

// The viscosity between bonded particles where they are: each bond, seen from both of its ends, is half of a pair.
template <class T, int D>
void Meshless<T, D>::measure_drag(const Columns& p) {
  using P = Pack<T>;
  const T viscosity = T(spec_.meshless.viscosity);
  place_.resize(p.x.size());
  parallel_for(p.x.size(), 512, [&](std::size_t i) {
    place_[i] = resized<T, 4>(p.x[i]);
    place_[i][D] = p.volume[i];
  });
  laplacian_.measure([&](std::size_t i, const int* others, const P& share) {
    const Vec<P, 4> other = load_lanes_at<P>(place_.data(), others);
    const P h = P(0.5) * (P(p.h[i]) + load_lanes_at<P>(p.h.data(), others));
    const P distance = length(resized<P, D>(other) - spread<P>(p.x[i]));
    return share * P(viscosity) * (P(p.volume[i]) * other[D]) * viscosity_laplacian<D>(distance, h);
  });
  drag_known_ = true;
}

// Explicit viscosity.
template <class T, int D>
void Meshless<T, D>::add_drag(const Columns& p) {
  if (spec_.meshless.viscosity == 0) return;
  measure_drag(p);
  parallel_for(p.x.size(), 128, [&](std::size_t i) {
    losing_[i] = laplacian_.pull(i, p.v);
    force_[i] += losing_[i];
  });
}

// (M + dt/2 L) v' = M (v + dt/2 a), by conjugate gradients (Bridson 2003).
template <class T, int D>
std::optional<Problem> Meshless<T, D>::half_kick(const Columns& p, double dt) {
  const std::size_t n = p.x.size();
  const T half = T(dt / 2);
  velocity_.resize(n);
  parallel_for(n, grain, [&](std::size_t i) { velocity_[i] = p.v[i] + p.a[i] * half; });
  if (spec_.meshless.viscosity > 0) {
    // The last step has measured it at its end, unless bonds have changed.
    if (!drag_known_) measure_drag(p);
    cg_.resize(n);
    parallel_for(n, 128, [&](std::size_t i) {
      cg_.residual[i] = laplacian_.pull(i, velocity_) * half;
      cg_.inverse[i] = T(1) / (p.mass[i] + half * laplacian_.diagonal(i));
    });
    const auto row = [&](std::size_t i, std::span<const Vec<T, D>> z) {
      return z[i] * p.mass[i] - laplacian_.pull(i, z) * half;
    };
    cg_.solve_by_rows(
        velocity_, [](auto) {}, row, 1e-12 * cg_.squared(cg_.residual), 50);
  }
  return judge_motion(p, dt);
}

// v = v' + dt/2 (a - M^-1 L v'), and nothing moves into a collider.
template <class T, int D>
MotionReport Meshless<T, D>::second_half_kick(World& world, Columns& p, double dt) {
  const T half = T(dt / 2);
  const ColliderSet::Some boundaries = controls_.colliders.all();
  copy_entries<Vec<T, D>>(p.v, velocity_);
  if (spec_.meshless.viscosity > 0) measure_drag(p);
  const auto kick_one = [&](std::size_t i, std::size_t part, MotionReport& report) {
    p.a[i] = force_[i] / p.mass[i] + outer_acceleration(p, i, world.clock.time + dt, 0);
    Vec<T, D> v = velocity_[i] + p.a[i] * half;
    if (spec_.meshless.viscosity > 0) {
      const Vec<T, D> drag = laplacian_.pull(i, velocity_);
      v += drag * (half / p.mass[i]), losing_[i] += drag;
    }
    boundaries.template for_each_within<D>(resized<double, 3>(p.x[i]), farthest_touch() * (1 + 1e-6),
                                           [&](std::size_t b, const Boundary& other, double distance,
                                               const Vec<double, D>& u, const Vec<double, D>& normal) {
                                             if (distance > touch_radius(other) * (1 + 1e-6)) return;
                                             const Vec<T, D> before = v, moving = resized<T, D>(u);
                                             if (other.grip) {
                                               if (distance > 0 || other.leads()) return;
                                               for (int k = 0; k < D; ++k)
                                                 if (other.held[static_cast<std::size_t>(k)]) v[k] = moving[k];
                                             } else {
                                               v = contact_velocity(other.collider.contact, T(other.collider.friction),
                                                                    v - moving, resized<T, D>(normal)) +
                                                   moving;
                                             }
                                             book_contact(p, i, part, b, p.x[i], v - before, v, report);
                                           });
    if (const int by = led_by(i); by >= 0) {
      const Vec<T, D> before = v;
      for (int k = 0; k < D; ++k)
        if (controls_.colliders.boundaries()[static_cast<std::size_t>(by)].held[static_cast<std::size_t>(k)])
          v[k] = velocity_[i][k];
      book_contact(p, i, part, static_cast<std::size_t>(by), p.x[i], v - before, v, report);
    }
    p.v[i] = v;
  };
  const MotionReport all = in_parts(p.x.size(), [&](std::size_t begin, std::size_t end, std::size_t part) {
    MotionReport report;
    for (std::size_t i = begin; i < end; ++i) kick_one(i, part, report);
    return report;
  });
  world.tally.body_work += dt / 2 * body_work(p, velocity_, p.v);
  world.tally.dissipated += dt * lost_power(p.v, p.v);  // forces act over half of this step and half of the next
  return all;
}

// Puts a particle that has moved to where the grip that leads it wants it.
template <class T, int D>
void Meshless<T, D>::lead(Columns& p, std::size_t i, std::size_t part, double dt, MotionReport& report) {
  const int by = led_by(i);
  if (by < 0) return;
  const auto grip = static_cast<std::size_t>(by);
  const Vec<T, D> before = p.v[i], v = led_velocity(p, i, before, dt), change = v - before;
  for (int a = 0; a < D; ++a)
    if (controls_.colliders.boundaries()[grip].held[static_cast<std::size_t>(a)]) move_along(p, i, a, v[a] * T(dt));
  p.v[i] = v;
  book_contact(p, i, part, grip, y_[i], change, v, report);
}

// A boundary has changed the velocity of particle i to v, at x.
template <class T, int D>
void Meshless<T, D>::book_contact(const Columns& p, std::size_t i, std::size_t part, std::size_t boundary,
                                  const Vec<T, D>& x, const Vec<T, D>& change, const Vec<T, D>& v,
                                  MotionReport& report) {
  report.contact_work += double(p.mass[i]) * double(dot(change, v));
  if (controls_.reactions.measured())
    controls_.reactions.add(part, boundary, resized<double, 3>(x), resized<double, 3>(change) * double(p.mass[i]));
}

// A particle that has come closer to a collider than its radius is put back and loses the velocity into it, and some
// along it; grips hold velocities. It moves along the collider with the velocity that is left, as one that forces slow
// down does: with the one before, friction that holds would let it creep by the step times what pulls at it.
template <class T, int D>
void Meshless<T, D>::meet_boundaries(Columns& p, std::size_t i, std::size_t part, double dt, MotionReport& report) {
  const ColliderSet::Some boundaries = controls_.colliders.all();
  Vec<T, D> v = p.v[i];
  Vec<T, D>& y = y_[i];
  const auto changed = [&](std::size_t boundary, const Vec<T, D>& change) {
    book_contact(p, i, part, boundary, y, change, v, report);
  };
  // Colliders, the deepest first: out of a corner in a few turns.
  for (int turn = 0; turn < 4; ++turn) {
    double deepest = 0;
    std::size_t which = 0;
    const Boundary* boundary = nullptr;
    Vec<double, D> moving{}, normal{};
    boundaries.template for_each_within<D>(
        resized<double, 3>(y), farthest_touch(),
        [&](std::size_t b, const Boundary& other, double distance, const Vec<double, D>& u, const Vec<double, D>& m) {
          const double depth = distance - touch_radius(other);
          if (other.grip || depth >= deepest) return;
          deepest = depth, which = b, boundary = &other, moving = u, normal = m;
        });
    if (!boundary) break;
    y -= resized<T, D>(normal * deepest);
    const Vec<T, D> before = v, u = resized<T, D>(moving), n = resized<T, D>(normal);
    v = contact_velocity(boundary->collider.contact, T(boundary->collider.friction), v - u, n) + u;
    const Vec<T, D> change = v - before;
    changed(which, change);
    if (boundary->collider.contact == Contact::sticky)
      for (int a = 0; a < D; ++a) move_along(p, i, a, v[a] * T(dt));
    else
      y += (change - n * dot(change, n)) * T(dt);
  }
  // Grips have the last word.
  if (any_grips_)
    boundaries.template for_each_within<D>(
        resized<double, 3>(y), 0.0,
        [&](std::size_t b, const Boundary& other, double, const Vec<double, D>& u, const Vec<double, D>&) {
          if (!other.grip || other.leads()) return;
          const Vec<T, D> before = v;
          for (int a = 0; a < D; ++a)
            if (other.held[static_cast<std::size_t>(a)]) v[a] = T(u[a]), move_along(p, i, a, v[a] * T(dt));
          changed(b, v - before);
        });
  p.v[i] = v;
}

// What held a particle in the solve of an implicit step.
template <class T, int D>
void Meshless<T, D>::book_hold(const Columns& p, std::size_t i, std::size_t part, MotionReport& report) {
  const Hold<T, D>& hold = hold_[i];
  if (hold.boundary < 0 || hold.fresh) return;
  book_contact(p, i, part, static_cast<std::size_t>(hold.boundary), y_[i],
               (hold.impulse + hold.rub(p.v[i])) / p.mass[i], p.v[i], report);
}

// Of particle i along axis a: where a velocity that a boundary holds takes it.
template <class T, int D>
void Meshless<T, D>::move_along(const Columns& p, std::size_t i, int a, T way) {
  if (!p.x_low.empty()) way += p.x_low[i][a];
  y_[i][a] = p.x[i][a] + way;
  if (!p.x_low.empty()) y_low_[i][a] = rounding_of_sum(p.x[i][a], way, y_[i][a]);
}

// Particles are where they have moved to.
template <class T, int D>
void Meshless<T, D>::take_places(const Columns& p) {
  copy_entries<Vec<T, D>>(y_, p.x);
  if (!p.x_low.empty()) copy_entries<Vec<T, D>>(y_low_, p.x_low);
}

// Particles move, and meet what there is. Most packs of them are far from everything: the ball around their places
// tells.
template <class T, int D>
MotionReport Meshless<T, D>::move(World& world, Columns& p, double dt) {
  using P = Pack<T>;
  const std::size_t n = p.x.size();
  y_.resize(n), y_low_.resize(p.x_low.size());
  if (!p.body_a.empty() || !losing_.empty()) before_.assign(p.v.begin(), p.v.end());
  const auto boundaries = controls_.colliders.boundaries();
  any_grips_ = std::any_of(boundaries.begin(), boundaries.end(), [](const Boundary& b) { return b.grip && b.on; });
  const auto far_from_all = [&](const Vec<P, D>& y) {
    Vec<double, D> center{}, half{};
    for (int a = 0; a < D; ++a) {
      const double low = double(least(y[a])), high = double(greatest(y[a]));
      center[a] = 0.5 * (low + high), half[a] = 0.5 * (high - low);
    }
    // A little more, so that rounding does not make it depend on who is in the pack.
    return controls_.colliders.near(resized<double, 3>(center), (length(half) + farthest_touch()) * (1 + 1e-6)).empty();
  };
  const MotionReport all = in_parts(n, [&](std::size_t begin, std::size_t end, std::size_t part) {
    MotionReport report;
    P fastest(0);  // squared
    for_packs<P>(begin, end, [&](std::size_t first, int count) {
      Vec<P, D> v = load_lanes<P>(velocity_.data() + first, count);
      const Vec<P, D> x = load_lanes<P>(p.x.data() + first, count);
      Vec<P, D> way = v * P(dt);
      if (!p.x_low.empty()) way += load_lanes<P>(p.x_low.data() + first, count);
      const Vec<P, D> y = x + way;
      if (!p.x_low.empty()) {
        Vec<P, D> low;
        for (int a = 0; a < D; ++a) low[a] = rounding_of_sum(x[a], way[a], y[a]);
        store_lanes<P>(low, y_low_.data() + first, count);
      }
      store_lanes<P>(v, p.v.data() + first, count);
      store_lanes<P>(y, y_.data() + first, count);
      if (led_by_.empty() && far_from_all(y)) {
        fastest = max(fastest, dot(v, v));
        return;
      }
      for (std::size_t i = first; i < first + static_cast<std::size_t>(count); ++i) {
        if (!spec_.is_explicit()) book_hold(p, i, part, report);
        meet_boundaries(p, i, part, dt, report);
        lead(p, i, part, dt, report);
      }
      v = load_lanes<P>(p.v.data() + first, count);
      fastest = max(fastest, dot(v, v));
    });
    report.max_speed = std::sqrt(double(greatest(fastest)));
    return report;
  });
  // At the velocities that boundaries leave: what is held moves no further, whatever forces ask for.
  const bool newmark = spec_.method == Method::embedded;
  world.tally.body_work += (newmark ? dt / 2 : dt) * body_work(p, before_, p.v);
  if (!newmark) world.tally.dissipated += (spec_.is_explicit() ? kicked_dt(world, dt) : dt) * lost_power(before_, p.v);
  return all;
}

template class Meshless<float, 2>;
template class Meshless<float, 3>;
template class Meshless<double, 2>;
template class Meshless<double, 3>;

}  // namespace knead
