// The steps of the methods without a grid, each on a page.
#include "meshless/solver.h"

namespace knead {

// Mueller 2004, section 4: strain from the rest shape, stress, forces, motion, plastic strain; molten matter takes the
// deformed shape as its shape at rest. Implicit steps are backward Euler, linearised once (section 5.1): they bear any
// stiffness of what is solid, and damp.
template <class T, int D>
StepResult Meshless<T, D>::mls_step(World& world, double dt) {
  Columns p(world.particles);
  if (auto lost = controls_.move_to(world.clock.time + dt)) return {Problem{*lost}};
  profile("neighbours", [&] { find_contacts(world), find_world_neighbours(world); });
  profile("deformation", [&] { deform_from_rest(p), keep_flow(world); });
  MeshlessReport stress = profile("stress", [&] { return stress_from_rest(world, p, dt); });
  profile("forces", [&] { elastic_forces(), start_losses(p.x.size()), add_drag(p), contact_forces(p, dt); });
  if (any_molten_) profile("melt", [&] { melt_moments(world, p), add_melt_forces(p); });
  if (auto problem = spec_.is_explicit() ? profile("motion", [&] { return kick(world, p, dt); })
                                         : profile("solve", [&] { return solve_implicit(world, p, dt); }))
    return undo_flow(world), StepResult{problem};
  const MotionReport motion = profile("motion", [&] { return move(world, p, dt); });
  if (any_molten_) stress.add(profile("melt", [&] { return absorb(world, p, dt); }));
  take_places(p);
  return finish(world, stress, motion, dt);
}

// Gerszewski 2014, section 4.1: forces of the composed deformation, motion, the step's own deformation, flow.
template <class T, int D>
StepResult Meshless<T, D>::composed_step(World& world, double dt) {
  Columns p(world.particles);
  if (auto lost = controls_.move_to(world.clock.time + dt)) return {Problem{*lost}};
  profile("neighbours", [&] { find_world_neighbours(world), find_contacts(world); });
  profile("moments", [&] { world_moments(p); });
  profile("forces", [&] { add_world_forces(p), contact_forces(p, dt); });
  if (auto problem = profile("motion", [&] { return kick(world, p, dt); })) return {problem};
  const MotionReport motion = profile("motion", [&] { return move(world, p, dt); });
  const MeshlessReport stress = profile("deformation and stress", [&] { return compose(world, p, dt); });
  take_places(p);
  return finish(world, stress, motion, dt);
}

// Ward 2012, Algorithm 1, with Bridson's modified Newmark step: half a kick with viscosity solved for, motion, strain
// against the embedded rest space, flow into the plastic offsets, forces, half a kick, and the embedding when it is
// due. (The printed list gives each force half a step only.)
template <class T, int D>
StepResult Meshless<T, D>::embedded_step(World& world, double dt) {
  Columns p(world.particles);
  if (auto lost = controls_.move_to(world.clock.time + dt)) return {Problem{*lost}};
  profile("neighbours", [&] { find_contacts(world); });
  if (auto problem = profile("motion", [&] { return half_kick(p, dt); })) return {problem};
  MotionReport motion = profile("motion", [&] { return move(world, p, dt); });
  copy_entries<Vec<T, D>>(p.x, p.x_before);
  take_places(p);
  const MeshlessReport stress = profile("deformation and stress", [&] { return stress_from_embedding(world, p, dt); });
  profile("forces", [&] { embedded_forces(p), start_losses(p.x.size()), contact_forces(p, dt); });
  motion.contact_work += profile("motion", [&] { return second_half_kick(world, p, dt); }).contact_work;
  const bool bonds_changed = profile("embedding", [&] { return embed_if_due(world, p); });
  if (bonds_changed || world.clock.step % swing_interval == 0) profile("embedding", [&] { measure_swing(world); });
  return finish(world, stress, motion, dt);
}

template <class T, int D>
StepResult Meshless<T, D>::finish(World& world, const MeshlessReport& stress, const MotionReport& motion, double dt) {
  if (has_heat_) {
    Columns p(world.particles);
    profile("heat", [&] { pass_heat(world, p, dt); });
  }
  Tally& tally = world.tally;
  tally.max_speed = motion.max_speed;
  tally.max_wave_speed = stress.fastest;
  tally.drift_dt = dt;
  tally.dissipated += stress.dissipated;
  tally.body_work += stress.pressed;
  tally.frame_guarded.add(stress.guarded);
  tally.contact_work += motion.contact_work;
  controls_.reactions.book(world);
  world.clock.time += dt;
  ++world.clock.step;
  return {};
}

// The bounds of an explicit step: elastic wave, motion, viscosity, flow, sound, body force.
template <class T, int D>
TimeStep Meshless<T, D>::max_dt(const World& world) const {
  if (spec_.dt) return {*spec_.dt, Bound::given};
  TimeStep best{std::numeric_limits<double>::max(), Bound::none};
  const auto bound = [&](double dt, Bound name) {
    if (dt < best.dt) best = {dt, name};
  };
  const Tally& t = world.tally;
  const double h = double(h_min_);
  // In implicit steps only what is molten is moved by the stress of the start.
  if (spec_.is_explicit() || any_molten_) {
    const double wave = spec_.is_explicit() ? t.max_wave_speed : melt_wave_speed();
    bound(wave_share() * h / std::max({wave * t.swing, 1.25 * sound_, 1e-30}), Bound::elastic_wave);
  }
  if (t.max_speed > 0) bound(0.5 * most_motion * h / t.max_speed, Bound::speed);
  if (viscosity_ > 0) bound(0.1 * least_density_ * h * h / viscosity_, Bound::viscous);
  if (heat_rate_ > 0) bound(heat_share / heat_rate_, Bound::heat);
  if (const double rate = body_force_rate<T, D>(controls_.body_force, world); rate > 0)
    bound(1 / rate, Bound::body_force);
  if (spec_.dt_max) bound(*spec_.dt_max, Bound::dt_max);
  // What is faster leaps over particles, or over all of them.
  if (const double fast = collider_speed<T, D>(controls_, world, best.dt, farthest_touch() + most_motion * h,
                                               0.5 * most_motion * h / best.dt);
      fast > 0)
    bound(0.5 * most_motion * h / fast, Bound::collider_speed);
  return best;
}

template class Meshless<float, 2>;
template class Meshless<float, 3>;
template class Meshless<double, 2>;
template class Meshless<double, 3>;

}  // namespace knead
