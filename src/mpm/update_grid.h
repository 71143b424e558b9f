// On the grid: momentum becomes velocity, gravity acts, colliders have their say (Wang 2020, Eq. 3.17; Fumoto, Eqs. 10
// and 11).
#pragma once

#include "grid/block_grid.h"
#include "world/colliders.h"
#include "world/reactions.h"

namespace knead {

// What the grid's new velocities look like, before any particle has seen them.
struct GridReport {
  double max_speed = 0;     // m/s, largest velocity component that a node can give to a particle
  bool finite = true;       // all velocities are
  Vec3d worst{};            // m, the place of the largest or first non-finite velocity
  double contact_work = 0;  // J, done by colliders and grips on the matter
  // Where the velocities before the forces are kept.
  double kinetic_before = 0, kinetic = 0;  // J
  double impact_loss = 0;                  // J
};

template <class T, int D>
Vec3d node_position(const BlockGrid<T, D>& grid, std::size_t block, int node, double dx) {
  const Vec<int, D> at = grid.first_node(block) + BlockLayout<D>::node_offset(node);
  return resized<double, 3>(at) * dx;
}

// A node of mass m weighs at most m / lightest in a particle's velocity, so fast but nearly empty nodes at the rim of a
// body are not counted as fast.
template <class T, int D>
void note_speed(GridReport& report, const BlockGrid<T, D>& grid, std::size_t block, int n, double dx, T lightest) {
  const Node<T, D>& node = grid.nodes[block * BlockLayout<D>::nodes + static_cast<std::size_t>(n)];
  const double share = std::min(1.0, double(node.m) / double(lightest));
  for (int a = 0; a < D; ++a) {
    const double speed = std::abs(double(node.v[a])) * share;
    if (speed <= report.max_speed) continue;
    if (report.finite) report.worst = node_position(grid, block, n, dx);
    if (std::isfinite(speed))
      report.max_speed = speed;
    else
      report.finite = false;
  }
}
// Kinetic energy before and after the forces. A node that moves with v after the impulses J took the work J . v, but
// gained only J . v - m |dv|^2 / 2: where nothing is struck the rest is the integrator's, small and paid back by the
// elastic energy, where a boundary acted it is lost in the impact.
template <class T, int D>
void note_kinetic(GridReport& report, const Node<T, D>& node, const Vec<T, D>& before, bool struck) {
  const double half = 0.5 * double(node.m);
  report.kinetic_before += half * double(dot(before, before));
  report.kinetic += half * double(dot(node.v, node.v));
  if (struck) report.impact_loss += half * double(dot(node.v - before, node.v - before));
}
inline GridReport summed(std::span<const GridReport> partial) {
  GridReport all;
  for (const GridReport& r : partial) {
    if (all.finite && (!r.finite || r.max_speed > all.max_speed)) all.worst = r.worst;
    all.finite = all.finite && r.finite;
    all.max_speed = std::max(all.max_speed, r.max_speed);
    all.contact_work += r.contact_work;
    all.kinetic_before += r.kinetic_before, all.kinetic += r.kinetic;
    all.impact_loss += r.impact_loss;
  }
  return all;
}

// `lightest` is the smallest particle mass. Nodes far lighter are left at rest: their velocity is rounding noise.
template <class T, int D>
GridReport update_grid(BlockGrid<T, D>& grid, double dx, T dt, const Vec<T, D>& gravity, T lightest,
                       const ColliderSet& colliders, Reactions& reactions, std::vector<GridReport>& partial) {
  const T min_mass = lightest * T(sizeof(T) == 4 ? 1e-7 : 1e-12);
  constexpr int nodes = BlockLayout<D>::nodes;
  partial.assign(grid.blocks(), GridReport{});
  reactions.start_stage(grid.blocks());
  parallel_for(grid.blocks(), 4, [&](std::size_t block) {
    GridReport report;
    // The colliders that can reach this block: distances are never overestimated, so one look at the centre tells.
    const double half = 0.5 * dx * (BlockLayout<D>::side - 1);
    Vec3d center = node_position(grid, block, 0, dx);
    for (int a = 0; a < D; ++a) center[a] += half;
    const auto near = colliders.near(center, half * std::sqrt(double(D)));
    for (int n = 0; n < nodes; ++n) {
      const std::size_t i = block * nodes + static_cast<std::size_t>(n);
      Node<T, D>& node = grid.nodes[i];
      const T inverse_mass = node.m > min_mass ? T(1) / node.m : T(0);
      if (!grid.old.empty()) grid.old[i].v *= inverse_mass;
      if (!grid.unforced.empty()) grid.unforced[i].v *= inverse_mass;
      if (!(node.m > min_mass)) {
        node.v = Vec<T, D>::zero();
        continue;
      }
      node.v = node.v * inverse_mass + gravity * dt;
      bool struck = false;
      if (!near.empty()) {
        // The work of the collider's impulse on matter that moves on with the velocity after contact: none by a wall at
        // rest but for friction, which takes.
        const Vec<T, D> before = node.v;
        const Vec3d x = node_position(grid, block, n, dx);
        node.v = near.collide(before, x, [&](std::size_t boundary, const Vec<T, D>& change) {
          if (reactions.measured()) reactions.add(block, boundary, x, resized<double, 3>(change) * double(node.m));
        });
        report.contact_work += double(node.m) * double(dot(node.v - before, node.v));
        struck = node.v != before;
      }
      note_speed(report, grid, block, n, dx, lightest);
      if (!grid.old.empty()) note_kinetic(report, node, grid.before_forces()[i].v, struck);
    }
    partial[block] = report;
  });
  reactions.finish_stage();
  return summed(partial);
}

}  // namespace knead
