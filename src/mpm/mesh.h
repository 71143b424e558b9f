// Bodies that are meshes (Wang 2020, section 3.5.3): the strain of a cell is that of its corners, which are particles,
// so that no stretching beyond the grid's spacing takes matter apart; only damage does. Cells push their corners,
// corners meet everything else on the grid.
//
//   F = D_s D_m^-1,  trial F_E = F F_P^-1,  F_P <- F_E^-1 F after the return map    (3.22; section 3.3.2)
//   f_k = - V tau grad N_k, grad N_k the gradient of corner k's shape function now    (3.27 with sign, volume and F_P:
//                                                                   P F_P^-T grad_X N_k = tau F^-T grad_X N_k)
//
// The particles inside a cell carry mass and sleep until it fails, then they take over: at rest in the cell's volume at
// that time.
#pragma once

#include "mpm/columns.h"
#include "mpm/stress.h"

#include <functional>

namespace knead {

template <class T, int D>
class MpmMesh {
 public:
  // Adds the columns of cells and particles; to be called again when the world is another.
  void prepare(World&, const std::vector<Material>&, double dx);
  bool any() const { return !first_.empty(); }

  // v += dt f / m of the corners; gives the kinetic energy gained. The particles may have been put in another order.
  double push(World&, double dt);
  // The velocities as they were before the push, for a step that is refused.
  void take_back(World&) const;
  // The strain and stress of all cells, the particles inside those that fail, the stretch of edges and the turn of
  // particles, after the particles have moved.
  StressReport update(World&, const std::vector<Material>&, const FlowStep&);

  // f(i, j) for particles that hold each other: corners by the cells that hold, particles inside by the corner that
  // they are next to. False, and nothing, where there is matter without a mesh too.
  bool for_each_bond(const World&, const std::function<void(std::size_t, std::size_t)>& f) const;

  // How much shorter than dx, for waves, the flattest cell is: at most 1.
  double shortness() const { return shortness_; }
  std::size_t bytes() const;

 private:
  struct Cells;  // the columns
  Mat<T, D> sides(const Cells&, std::span<const Vec<T, D>> of, std::size_t cell) const;
  void wake(World&, const Cells&, std::size_t cell, T volume_ratio, bool keep_history) const;
  void stretch_edges(World&) const;
  void turn_particles(World&, double dt) const;

  void locate(const World&);

  double shortness_ = 1;
  bool is_all_ = false;               // of the matter
  std::vector<std::int64_t> first_;   // of each id, into `pushes_`: who pushes it
  std::vector<std::int64_t> pushes_;  // cell (D + 1) + corner
  std::vector<int> where_;            // of each id: where its particle is
  std::vector<Mat<T, D>> force_;      // of each cell, on the corners 1 to D; corner 0 bears the rest
  std::vector<Vec<T, D>> before_;     // m/s, of each corner's id, before the push
  std::vector<double> gain_;
  std::vector<StressReport> partial_;
};

}  // namespace knead
