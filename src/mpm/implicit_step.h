// The implicit step: backward Euler on the grid (Wang 2020, section 3.4 with alpha = 1; Gast 2015), and the
// semi-implicit one of Stomakhin 2013, Eq. 9. Plastic flow is held during the solve and acts once after it. Viscous
// stress is part of the solve, and so are the cells of meshes. Included by implicit_step_*.cpp alone, one for each
// scalar and dimension.
#pragma once

#include "mpm/implicit_solve.h"
#include "mpm/solver.h"
#include "mpm/with_transfer.h"

namespace knead {

namespace implicit_detail {

inline Problem unsolved(const char* why, double dt) {
  return {fmt::format("implicit step of {:.3g} s: {}", dt, why), -1, {}};
}

// How often the solve is repeated because contact or friction changed.
inline constexpr int contact_passes = 5;

// Momentum becomes velocity; nodes with next to no mass take no part. The start is what gravity alone makes of it.
template <class T, int D>
void start_velocities(BlockGrid<T, D>& grid, const Vec<double, D>& change, double min_mass, ImplicitScratch<T, D>& s) {
  parallel_for(grid.nodes.size(), 1024, [&](std::size_t i) {
    const double mass = double(grid.nodes[i].m);
    Node<double, D>& target = s.target[i];
    target = {};
    if (mass > min_mass) target = {resized<double, D>(grid.nodes[i].v) * (1 / mass) + change, mass};
    s.v[i].v = target.v;
    const T inverse_mass = mass > min_mass ? T(1 / mass) : T(0);
    if (!grid.old.empty()) grid.old[i].v *= inverse_mass;
    if (!grid.unforced.empty()) grid.unforced[i].v *= inverse_mass;
  });
}

// The directions that colliders and grips take from each node: those for good first, then those that matter may leave.
template <int D>
HeldNode<D> held_node(const ColliderSet::Some& near, std::size_t node, const Vec3d& x) {
  HeldNode<D> held(node);
  for (const bool releasable : {false, true})
    near.template for_each_at<D>(x, [&](std::size_t index, const Boundary& boundary, const Vec<double, D>& moving,
                                        const Vec<double, D>& normal) {
      const Collider& c = boundary.collider;
      const bool all = !boundary.grip && c.contact == Contact::sticky;
      if (releasable != (!boundary.grip && c.contact == Contact::separate)) return;
      for (int a = 0; a < D; ++a)
        if (all || (boundary.grip && boundary.held[static_cast<std::size_t>(a)]))
          held.hold({Vec<double, D>::axis(a), moving[a], 0, false, true, index}, moving);
      if (boundary.grip || all) return;
      held.hold({normal, dot(moving, normal), releasable ? c.friction : 0.0, releasable, true, index}, moving);
    });
  return held;
}

template <class T, int D>
void find_held_nodes(const BlockGrid<T, D>& grid, double dx, const ColliderSet& colliders, ImplicitScratch<T, D>& s) {
  constexpr int nodes = BlockLayout<D>::nodes;
  if (s.held.size() < grid.blocks()) s.held.resize(grid.blocks());
  parallel_for(grid.blocks(), 4, [&](std::size_t block) {
    s.held[block].clear();
    const double half = 0.5 * dx * (BlockLayout<D>::side - 1);
    Vec3d center = node_position(grid, block, 0, dx);
    for (int a = 0; a < D; ++a) center[a] += half;
    const auto near = colliders.near(center, half * std::sqrt(double(D)));
    if (near.empty()) return;
    for (int n = 0; n < nodes; ++n) {
      const std::size_t i = block * nodes + static_cast<std::size_t>(n);
      if (!(s.target[i].m > 0)) continue;
      HeldNode<D> held = held_node<D>(near, i, node_position(grid, block, n, dx));
      if (held.holds()) s.held[block].push_back(held);
    }
  });
}

// Contact as an explicit step would find it: with the stress of the start, which is in `internal`. Where that makes
// nodes stick, they start at rest.
template <class System>
void start_contact(System& system, double speed) {
  auto& s = system.s;
  parallel_for(system.blocks(), 4, [&](std::size_t block) {
    for (auto& h : s.held[block]) {
      const auto& target = s.target[h.node];
      if (h.start(target.v - s.internal[h.node].v * (1 / target.m), target.v, target.m, speed))
        s.v[h.node].v = h.still();
    }
  });
}

// Solves until the boundaries let go, take hold and change their friction by no more than this share of what they give,
// but not for ever.
inline constexpr double contact_tolerance = 0.01;
template <class System, class Solve>
SolveReport solve_with_contact(System& system, const ImplicitLimits& limits, Solve&& solve) {
  auto& s = system.s;
  SolveReport all;
  for (int pass = 0;; ++pass) {
    const SolveReport one = solve();
    all = {all.newton + one.newton, all.cg + one.cg, one.failure};
    if (all.failure || pass == contact_passes) return all;
    const double given = system.sum_over_blocks([&](std::size_t block) {
      double sum = 0;
      for (const auto& h : s.held[block]) sum += length(system.reaction(h.node, s.v));
      return sum;
    });
    const double changed = system.sum_over_blocks([&](std::size_t block) {
      double sum = 0;
      for (auto& h : s.held[block])
        sum += h.revise(s.v[h.node].v, system.reaction(h.node, s.v), s.target[h.node].m, limits.speed);
      return sum;
    });
    if (changed <= contact_tolerance * given) return all;
  }
}

// (I + beta dt^2 M^-1 K) v = v^n + dt (g + M^-1 f), f and K at the start of the step.
template <class System>
SolveReport semi_implicit(System& system, double beta, const ImplicitLimits& limits) {
  auto& s = system.s;
  system.clear(s.trial);
  system.evaluate(s.trial, beta);
  start_contact(system, limits.speed);
  // Behind mirrors there is no mass; there the impulse of the start is kept for those who measure.
  parallel_for(s.v.size(), 1024, [&](std::size_t i) {
    s.target[i].v -= s.internal[i].v * (s.target[i].m > 0 ? 1 / s.target[i].m : 1.0);
  });
  return solve_with_contact(system, limits, [&] { return linear_solve(system, limits); });
}

template <class System>
SolveReport backward_euler(System& system, const ImplicitLimits& limits) {
  auto& s = system.s;
  system.clear(s.trial);
  system.evaluate(s.trial);
  start_contact(system, limits.speed);
  return solve_with_contact(system, limits, [&] { return newton(system, limits); });
}

// What gravity and body forces do to the velocities of the step, in the mean over the mass.
template <class T, int D>
double mean_kick(const Columns<T, D>& p, std::span<const Vec<T, D>> unkicked, const Vec<double, D>& gravity,
                 double dt) {
  double kick = 0, mass = 0;
  for (std::size_t i = 0; i < unkicked.size(); ++i) {
    kick += double(p.mass[i]) * double(length(p.v[i] - unkicked[i]));
    mass += double(p.mass[i]);
  }
  return length(gravity) * dt + (mass > 0 ? kick / mass : 0.0);
}

// The impulse that a node's boundaries gave, to those who gave it: pushes along the normals, the rest to the last one.
template <int D>
void tell(Reactions& reactions, std::size_t block, const HeldNode<D>& held, const Vec3d& x, Vec<double, D> impulse) {
  const std::array<double, D> push = held.pushes(impulse);
  int last = 0;
  for (int k = 0; k < held.count(); ++k) {
    if (!held.direction(k).active) continue;
    const Vec<double, D> part = held.direction(k).normal * push[k];
    reactions.add(block, held.direction(k).boundary, x, resized<double, 3>(part));
    impulse -= part;
    last = k;
  }
  reactions.add(block, held.direction(last).boundary, x, resized<double, 3>(impulse));
}

// The solved velocities go to the grid.
template <class System, class T, int D>
GridReport finish_velocities(System& system, BlockGrid<T, D>& grid, double dx, T lightest, Reactions& reactions,
                             std::vector<GridReport>& partial) {
  auto& s = system.s;
  constexpr int nodes = BlockLayout<D>::nodes;
  partial.assign(grid.blocks(), GridReport{});
  reactions.start_stage(grid.blocks());
  parallel_for(grid.blocks(), 4, [&](std::size_t block) {
    GridReport& report = partial[block];
    for (const HeldNode<D>& h : s.held[block]) {
      const Vec<double, D> solved = s.v[h.node].v, v = h.finished(solved);
      const Vec<double, D> impulse = system.reaction(h.node, s.v) + (v - solved) * s.target[h.node].m;
      const int n = static_cast<int>(h.node - block * nodes);
      report.contact_work += dot(impulse, v);
      if (reactions.measured()) tell(reactions, block, h, node_position(grid, block, n, dx), impulse);
      s.v[h.node].v = v;
      if (!grid.old.empty()) {
        const Vec<double, D> change = v - resized<double, D>(grid.before_forces()[h.node].v);
        report.impact_loss += 0.5 * s.target[h.node].m * dot(change, change);
      }
    }
    for (int n = 0; n < nodes; ++n) {
      const std::size_t i = block * nodes + static_cast<std::size_t>(n);
      grid.nodes[i].v = s.target[i].m > 0 ? resized<T, D>(s.v[i].v) : Vec<T, D>::zero();
      note_speed(report, grid, block, n, dx, lightest);
      if (!grid.old.empty()) note_kinetic(report, grid.nodes[i], grid.before_forces()[i].v, false);
    }
  });
  reactions.finish_stage();
  return summed(partial);
}

}  // namespace implicit_detail

template <class T, int D>
template <int degree>
StepResult Mpm<T, D>::implicit_step(World& world, double dt) {
  using namespace implicit_detail;
  if (auto problem = profile("sort", [&] { return sort_into_blocks(world); })) return {problem};
  Columns<T, D> p(world.particles);

  keep_unforced(p);
  if (auto problem = profile("body force", [&] { return kick_with_body_force(world, dt); })) return {problem};

  if (phase_field_.any()) solve_phase_field(world);

  // Particles to grid, without stress.
  profile("particles to grid", [&] { bring_to_grid(p, 0); });
  if (auto problem = controls_.move_to(world.clock.time + dt)) return refuse(world, *problem);

  // The grid: velocities at the end of the step.
  list_batches(world);
  fold_mirrors<T, D>(grid_, mirrors_, resized<T, D>(controls_.gravity), T(dt), controls_.reactions.measured(), behind_);
  if (mesh_.bears()) implicit_.mesh.start(world, mesh_, controls_.materials);
  ImplicitSystem<T, D, degree> system(implicit_, p, sort_, grid_, batch_materials_, spec_.transfer == Transfer::mls,
                                      spec_.dx, dt, mirrors_);
  // What is left of the error must be small beside a cell. It should be small beside what gravity and body forces do in
  // the step too, as far as that is not next to nothing.
  const double cells = spec_.newton_tolerance * spec_.dx / dt;
  const double kick = mean_kick<T, D>(p, controls_.body_force.is_zero() ? std::span<const Vec<T, D>>{} : unkicked_,
                                      resized<double, D>(controls_.gravity), dt);
  const ImplicitLimits limits{spec_.newton_iterations, spec_.cg_iterations,
                              kick > 0 ? std::clamp(1e-3 * kick, 1e-4 * cells, cells) : cells, cells};
  profile("grid", [&] {
    start_velocities(grid_, resized<double, D>(controls_.gravity) * dt, 1e-12 * double(lightest_), implicit_);
    find_held_nodes(grid_, spec_.dx, controls_.colliders, implicit_);
  });
  const SolveReport solved = profile("solve", [&] {
    return spec_.integrator == Integrator::implicit ? backward_euler(system, limits)
                                                    : semi_implicit(system, spec_.semi_implicit_beta, limits);
  });
  world.tally.frame_newton += solved.newton;
  world.tally.frame_cg += solved.cg;
  if (solved.failure) return refuse(world, unsolved(solved.failure, dt));
  const GridReport report = profile("grid", [&] {
    return finish_velocities(system, grid_, spec_.dx, lightest_, controls_.reactions, grid_partial_);
  });
  reflect_mirrors<T, D>(grid_, mirrors_);
  tell_mirrors<T, D>(grid_, mirrors_, behind_, resized<double, D>(controls_.gravity) * dt, spec_.dx,
                     controls_.reactions,
                     [&](std::size_t i) { return implicit_.target[i].v - implicit_.internal[i].v; });
  if (auto problem = judge(report, p, dt)) return refuse(world, *problem);  // before a particle is touched

  // Grid to particles, and the return to what the material can bear.
  update_particles(world, p, dt, report);
  controls_.reactions.book(world);
  world.clock.time += dt;
  ++world.clock.step;
  return {};
}

// The material of each batch and what its particles remember.
template <class T, int D>
void Mpm<T, D>::list_batches(const World& world) {
  batch_materials_.clear();
  implicit_.histories.clear();
  for (const Batch& b : world.batches) {
    const Material& material = controls_.materials[static_cast<std::size_t>(b.material)];
    batch_materials_.push_back(&material);
    auto& histories = implicit_.histories.emplace_back();
    std::size_t h = 0;
    for (const HistoryColumn& column : history_columns_of(material))
      histories[h++] = world.particles.get<T>(column.name);
  }
}

template <class T, int D>
StepResult Mpm<T, D>::implicit_step(World& world, double dt) {
  return with_degree(spec_, [&]<int degree>() { return implicit_step<degree>(world, dt); });
}

}  // namespace knead
