// The steps of a liquid, each on a page.
#include "liquid/solver.h"

namespace knead {

template <class T, int D>
StepResult Liquid<T, D>::step(World& world, double dt) {
  StepResult result = spec_.liquid.is_given()                         ? carried_step(world, dt)
                      : spec_.liquid.pressure == Pressure::unilateral ? unilateral_step(world, dt)
                                                                      : incompressible_step(world, dt);
  stepped_ = result.ok();
  return result;
}

// Gerszewski 2014, section 3.2, with the density correction and its offsets in their place (the printed list leaves
// them out). Solids stand where they were while crowded particles are moved apart, and where they will be when pressure
// acts: so what a solid pushes gets its velocity.
template <class T, int D>
StepResult Liquid<T, D>::unilateral_step(World& world, double dt) {
  const double time = world.clock.time;
  if (auto lost = controls_.move_to(time)) return {lost};
  if (auto lost = profile("sort", [&] { return sort_into_blocks(world); })) return {lost};
  Columns p(world.particles);
  profile("solids", [&] { open_blocks(time, room_before_); });
  if (auto lost = controls_.move_to(time + dt)) return {lost};
  profile("solids", [&] { open_blocks(time + dt, room_); });

  profile("rasterize", [&] { rasterize(p); });
  profile("pressure", [&] { classify(), measure_density(world), warm_start(world, dt); });
  profile("density correction", [&] { correct_density(world); });
  profile("pressure", [&] {
    add_forces(time, dt);
    if (spec_.liquid.matrix != PressureMatrix::open) weigh_faces();
    if (!scene_.sources.empty()) foresee_sources(time, dt);
    if (spec_.liquid.foresight == Foresight::bounded) push_as_before(dt);
    if (spec_.liquid.foresight == Foresight::particles) foresee(p, dt);
    push(world, dt);
    keep_pressures(world, dt);
    measure_forces(dt);
  });
  if (auto lost = judge(world)) return {lost};
  profile("extrapolate", [&] { extrapolate(world, dt); });
  const MoveReport moved = profile("advect", [&] { return move_particles(p, time, dt); });
  return finish(world, moved, dt);
}

// The usual FLIP (Zhu and Bridson 2005): a cell with a particle is full, solids are whole
// cells, and pressure of either sign keeps the velocity free of divergence.
template <class T, int D>
StepResult Liquid<T, D>::incompressible_step(World& world, double dt) {
  const double time = world.clock.time;
  if (auto lost = controls_.move_to(time + dt)) return {lost};
  if (auto lost = profile("sort", [&] { return sort_into_blocks(world); })) return {lost};
  Columns p(world.particles);
  profile("solids", [&] { open_blocks(time + dt, room_); });
  profile("rasterize", [&] { rasterize(p); });
  profile("pressure", [&] {
    classify_by_particles(p), measure_density(world), warm_start(world, dt);
    add_forces(time, dt);
    extrapolate(world, dt);
    project(world, dt);
    keep_pressures(world, dt);
    measure_forces(dt);
  });
  if (auto lost = judge(world)) return {lost};
  profile("extrapolate", [&] { extrapolate(world, dt); });
  const MoveReport moved = profile("advect", [&] { return move_particles(p, time, dt); });
  return finish(world, moved, dt);
}

// Particles carried by a flow that is given. It is taken at the middle of the step, so that with the trapezoidal rule
// of the motion paths are of second order in the step, also where the flow changes with time.
template <class T, int D>
StepResult Liquid<T, D>::carried_step(World& world, double dt) {
  const double time = world.clock.time;
  if (auto lost = controls_.move_to(time + dt)) return {lost};
  if (auto lost = profile("sort", [&] { return sort_into_blocks(world); })) return {lost};
  Columns p(world.particles);
  profile("solids", [&] { open_blocks(time + dt, room_); });
  profile("rasterize", [&] { rasterize(p); });
  if (auto lost = profile("flow", [&] { return set_flow(time + dt / 2); })) return {lost};
  const MoveReport moved = profile("advect", [&] { return move_particles(p, time, dt); });
  return finish(world, moved, dt);
}

// Before a particle is touched: liquid that is shut in where it has no room, or a velocity that is no finite number.
template <class T, int D>
std::optional<Problem> Liquid<T, D>::judge(const World& world) const {
  if (trapped_ > 0 && world.tally.liquid.over_density_rms > most_trapped)
    return Problem{
        .what = fmt::format(
            "liquid is enclosed: {} cells without a way to the air contain {:.0f} % more than they have room for",
            trapped_, 100 * world.tally.liquid.over_density_rms),
        .remedy =
            "leave air or an open side (scene.domain.open), stop its sources earlier, or keep obstacles from closing "
            "in on it"};
  for (int a = 0; a < D; ++a) {
    const std::size_t none = u_[a].size();
    const std::size_t c = parallel_reduce(
        none, 16384, none,
        [&](std::size_t begin, std::size_t end) {
          unsigned any = 0;
          for (std::size_t i = begin; i < end; ++i) any |= !(std::abs(u_[a][i]) <= std::numeric_limits<T>::max());
          if (!any) return none;
          while (std::isfinite(u_[a][begin])) ++begin;
          return begin;
        },
        [](std::size_t one, std::size_t other) { return std::min(one, other); });
    if (c == none) continue;
    Vec3d at{};
    const Vec<int, D> cell = blocks_.first_cell(c / 64) + BlockLayout<D>::node_offset(static_cast<int>(c % 64));
    for (int k = 0; k < D; ++k) at[k] = (cell[k] + (k == a ? 0 : 0.5)) * h_;
    return Problem{"a velocity is not a finite number", -1, at};
  }
  return {};
}

template <class T, int D>
StepResult Liquid<T, D>::finish(World& world, const MoveReport& moved, double dt) {
  controls_.reactions.book(world);
  world.tally.max_speed = moved.max_speed;
  if (LiquidTally& tally = world.tally.liquid; keeps_energy() && world.particles.count() > 0) {
    const double energy = moved.energy / double(world.particles.count());
    if (const double before = tally.energy - tally.lowest; before > 0)
      tally.frame_energy_rise = std::max(tally.frame_energy_rise, (energy - tally.energy) / before);
    tally.energy = energy, tally.lowest = moved.lowest;
  }
  world.tally.liquid.last_dt = dt;
  world.clock.time += dt;
  ++world.clock.step;
  profile("sources", [&] {
    if (moved.gone) remove_gone(world);
    emit(world, dt);
  });
  return {};
}

// Whether nothing may give the liquid energy: then a rise in a step is a fault.
template <class T, int D>
bool Liquid<T, D>::keeps_energy() const {
  const auto boundaries = controls_.colliders.boundaries();
  return scene_.sources.empty() && scene_.drains.empty() && scene_.explosions.empty() && !spec_.liquid.is_given() &&
         controls_.body_force.is_zero() && (!scene_.scene.domain || scene_.scene.domain->open.empty()) &&
         std::none_of(boundaries.begin(), boundaries.end(),
                      [](const Boundary& b) { return b.collider.motion.moves(); });
}

// At the start, and after what an event did.
template <class T, int D>
void Liquid<T, D>::measure_energy(World& world) const {
  const auto x = world.particles.get<Vec<T, D>>("x"), v = world.particles.get<Vec<T, D>>("v");
  MoveReport all;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double height = -dot(controls_.gravity, resized<double, 3>(x[i]));
    all.energy += double(dot(v[i], v[i])) / 2 + height, all.lowest = std::min(all.lowest, height);
  }
  if (x.empty()) return;
  world.tally.liquid.energy = all.energy / double(x.size()), world.tally.liquid.lowest = all.lowest;
}

// Liquid, a wave of one cell and solids may cross cfl cells. A given flow has no waves.
template <class T, int D>
TimeStep Liquid<T, D>::max_dt(const World& world) const {
  if (spec_.dt) return {*spec_.dt, Bound::given};
  const bool given = spec_.liquid.is_given();
  TimeStep best = given ? TimeStep{1 / scene_.scene.fps, Bound::frame} : TimeStep{longest_step, Bound::longest_step};
  if (spec_.dt_max) best = {*spec_.dt_max, Bound::dt_max};
  double speed = world.tally.max_speed + (given ? 0 : std::sqrt(length(controls_.gravity) * h_));
  for (const Source& s : scene_.sources)
    if (s.start < world.clock.time + best.dt && world.clock.time < s.stop.value_or(1e300))
      speed = std::max(speed, length(s.velocity));
  const double bubble = solids_.fastest_bubble(world.clock.time, best.dt), cells = spec_.liquid.cfl * h_;
  if (speed > 0 && cells / speed < best.dt) best = {cells / speed, Bound::speed};
  const double collider = collider_speed<T, D>(controls_, world, best.dt, collider_reach * h_, 0);
  if (const double solid = std::max(bubble, collider); solid > 0 && cells / (speed + solid) < best.dt)
    best = {cells / (speed + solid), collider > std::max(speed, bubble) ? Bound::collider_speed : Bound::speed};
  return best;
}

template class Liquid<float, 2>;
template class Liquid<float, 3>;
template class Liquid<double, 2>;
template class Liquid<double, 3>;

}  // namespace knead
