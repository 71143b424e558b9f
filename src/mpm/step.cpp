// The explicit step: symplectic Euler on the grid (Wang 2020, section 3.4; Fumoto, "Method").
#include "mpm/particles_to_grid.h"
#include "mpm/solver.h"
#include "mpm/with_transfer.h"

namespace knead {

template <class T, int D>
StepResult Mpm<T, D>::step(World& world, double dt) {
  StepResult result = spec_.is_explicit() ? explicit_step(world, dt) : implicit_step(world, dt);
  stepped_ = result.ok();
  return result;
}

template <class T, int D>
StepResult Mpm<T, D>::explicit_step(World& world, double dt) {
  const T h = T(dt);
  if (auto problem = profile("sort", [&] { return sort_into_blocks(world); })) return {problem};
  Columns<T, D> p(world.particles);

  keep_unforced(p);
  if (auto problem = profile("body force", [&] { return kick_with_body_force(world, dt); })) return {problem};
  if (mesh_.bears()) profile("mesh forces", [&] { mesh_.push(world, dt); });
  if (phase_field_.any()) solve_phase_field(world);
  profile("particles to grid", [&] { bring_to_grid(p, dt); });
  if (auto problem = controls_.move_to(world.clock.time + dt)) return refuse(world, *problem);
  const GridReport report = profile("grid", [&] {
    fold_mirrors<T, D>(grid_, mirrors_, resized<T, D>(controls_.gravity), h, controls_.reactions.measured(), behind_);
    return update_grid(grid_, spec_.dx, h, resized<T, D>(controls_.gravity), lightest_, controls_.colliders,
                       controls_.reactions, grid_partial_);
  });
  reflect_mirrors<T, D>(grid_, mirrors_);
  tell_mirrors<T, D>(grid_, mirrors_, behind_, resized<double, D>(controls_.gravity) * dt, spec_.dx,
                     controls_.reactions, [](std::size_t) { return Vec<double, D>{}; });
  if (auto problem = judge(report, p, dt)) return refuse(world, *problem);  // before a particle is touched

  update_particles(world, p, dt, report);
  controls_.reactions.book(world);
  world.clock.time += dt;
  ++world.clock.step;
  return {};
}

template <class T, int D>
void Mpm<T, D>::bring_to_grid(const Columns<T, D>& p, double dt) {
  with_transfer(spec_, [&]<Transfer transfer, int degree>() {
    particles_to_grid<transfer, degree>(p, sort_, T(spec_.dx), T(dt), grid_);
  });
}

// Losses are measured from the grid's velocities before any force: before body forces and meshes act on particles.
template <class T, int D>
void Mpm<T, D>::keep_unforced(const Columns<T, D>& p) {
  grid_.unforced.clear();
  const bool pushed = spec_.is_explicit() && mesh_.bears();
  if (!measures_losses_ || (!pushed && controls_.body_force.is_zero())) return;
  profile("particles to grid", [&] { bring_to_grid(p, 0); });
  grid_.unforced = grid_.nodes;
}

// Matter that is pulled no further than it has been has the field that it had.
template <class T, int D>
void Mpm<T, D>::solve_phase_field(World& world) {
  constexpr double next_to_nothing = 1e-3;
  if (world.tally.cracking < next_to_nothing) return;
  world.tally.cracking = 0;
  world.tally.frame_cg += profile("phase field", [&] {
    return with_degree(
        spec_, [&]<int degree>() { return phase_field_.template solve<degree>(world, sort_, grid_, spec_.dx); });
  });
}

template <class T, int D>
TimeStep Mpm<T, D>::max_dt(const World& world) const {
  if (spec_.dt) return {*spec_.dt, Bound::given};
  const Tally& t = world.tally;
  TimeStep best{std::numeric_limits<double>::max(), Bound::none};
  const auto bound = [&](double dt, Bound name) {
    if (dt < best.dt) best = {dt, name};
  };
  // Implicit steps bear any stiffness and viscosity.
  if (spec_.is_explicit()) {
    bound(spec_.elastic_cfl_number() * spec_.dx / std::max(t.swing * t.max_wave_speed, 1e-30), Bound::elastic_wave);
    if (viscosity_ > 0) bound(viscous_cfl * spec_.dx * spec_.dx / viscosity_, Bound::viscous);
  }
  if (t.max_speed > 0) bound(spec_.cfl * spec_.dx / t.max_speed, Bound::speed);
  if (t.max_gradient > 0) bound(0.3 / t.max_gradient, Bound::strain_rate);
  if (const double rate = body_force_rate<T, D>(controls_.body_force, world); rate > 0)
    bound(1 / rate, Bound::body_force);
  if (spec_.dt_max) bound(*spec_.dt_max, Bound::dt_max);
  // What is faster leaps over nodes, or over all of the matter.
  if (const double fast =
          collider_speed<T, D>(controls_, world, best.dt, collider_reach * spec_.dx, spec_.cfl * spec_.dx / best.dt);
      fast > 0)
    bound(spec_.cfl * spec_.dx / fast, Bound::collider_speed);
  return best;
}

// A NaN or an explosion shows on the grid first: matter that would cross more than a cell in this step, or has no speed
// at all.
template <class T, int D>
std::optional<Problem> Mpm<T, D>::judge(const GridReport& report, const Columns<T, D>& p, double dt) const {
  const double cells = report.max_speed * dt / spec_.dx;
  if (report.finite && cells <= max_cells) return {};
  Problem problem{report.finite ? fmt::format("matter would move {:.3g} cells in one step", cells)
                                : "a velocity is not a finite number",
                  -1, report.worst};
  // The particle to blame: of those that reach the node, the one under the largest stress.
  double largest = -1;
  for (std::size_t i = 0; i < p.x.size(); ++i) {
    bool near = true;
    for (int a = 0; a < D; ++a) near = near && std::abs(double(p.x[i][a]) - report.worst[a]) < 2 * spec_.dx;
    const double stress = double(dot(p.tau[i], p.tau[i]));
    if (near && !(stress <= largest)) {
      largest = std::isfinite(stress) ? stress : std::numeric_limits<double>::max();
      problem.particle = static_cast<std::int64_t>(i);
    }
  }
  return problem;
}

template class Mpm<float, 2>;
template class Mpm<float, 3>;
template class Mpm<double, 2>;
template class Mpm<double, 3>;

}  // namespace knead
