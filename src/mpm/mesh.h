// Bodies that are meshes (Wang 2020, section 3.5.3): the strain of a cell is that of its corners, which are particles,
// so that no stretching beyond the grid's spacing takes matter apart; only damage does. Cells push their corners,
// corners meet everything else on the grid.
//
//   F = D_s D_m^-1,  trial F_E = F F_P^-1,  F_P <- F_E^-1 F after the return map    (3.22; section 3.3.2)
//   f_k = - V tau grad N_k, grad N_k the gradient of corner k's shape function now    (3.27 with sign, volume and F_P:
//                                                                   P F_P^-T grad_X N_k = tau F^-T grad_X N_k)
//
// The particles inside a cell carry mass and sleep until it fails, then they take over: at rest in the cell's volume at
// that time. Implicit steps have the same forces within their solve (implicit_mesh.h).
//
// Cells that bear nothing only follow their particles: for the surfaces of cracks (Wang 2020, section 3.5.1).
#pragma once

#include "mpm/columns.h"
#include "mpm/stress.h"

#include <functional>

namespace knead {

// The columns of the cells.
template <class T, int D>
struct MeshCells {
  std::span<Vec<std::int32_t, D + 1>> corners;  // ids
  std::span<std::int32_t> inside, failed;       // first id of those inside or -1; 1 from failing on
  std::span<T> volume;                          // m^3, at rest
  std::span<Mat<T, D>> rest, plastic, F;        // D_m^-1, F_P^-1, F_E
  std::span<Sym<T, D>> tau;                     // Pa
  const Column* damage;

  explicit MeshCells(Particles&);
};

template <class T, int D>
class MpmMesh {
 public:
  using Cells = MeshCells<T, D>;

  // Adds the columns of cells and particles; to be called again when the world is another. `degree` is the kernel's.
  void prepare(World&, const std::vector<Material>&, double dx, int degree = 2);
  bool any() const { return !where_.empty(); }
  bool bears() const { return !force_.empty(); }  // some of its cells do

  // v += dt f / m of the corners. The particles may have been put in another order.
  void push(World&, double dt);
  // The velocities as they were before the push, for a step that is refused.
  void take_back(World&) const;
  // The strain and stress of all cells, the particles inside those that fail, the stretch of edges and the turn of
  // particles, after the particles have moved.
  StressReport update(World&, const std::vector<Material>&, double dt);

  // f(i, j) for particles that hold each other: corners by edges that are no cracks, particles inside by the corner
  // that they are next to. False, and nothing, where the body (any of them, for -1) has matter without a mesh.
  bool for_each_bond(const World&, int body, const std::function<void(std::size_t, std::size_t)>& f) const;

  std::size_t bytes() const;

  // Where the particle of an id is in the columns; after locate(), as long as these keep their order.
  std::size_t at(std::int32_t id) const { return static_cast<std::size_t>(where_[static_cast<std::size_t>(id)]); }
  void locate(const World&);
  bool is_corner(std::int32_t id) const {
    return first_[static_cast<std::size_t>(id)] < first_[static_cast<std::size_t>(id) + 1];
  }
  // f(cell, corner of it) for the cells that push a particle.
  template <class F>
  void for_each_push(std::size_t id, F&& f) const {
    for (auto j = static_cast<std::size_t>(first_[id]); j < static_cast<std::size_t>(first_[id + 1]); ++j)
      f(static_cast<std::size_t>(pushes_[j] / (D + 1)), static_cast<int>(pushes_[j] % (D + 1)));
  }
  // What the corners of a cell have, as differences to the first: D_s of their Places. `of` is by place.
  template <class Of>
  auto sides(const Cells& c, const Of& of, std::size_t cell) const {
    const auto first = of[at(c.corners[cell][0])];
    Mat<std::remove_cvref_t<decltype(first[0])>, D> s;
    for (int k = 0; k < D; ++k) {
      const auto side = of[at(c.corners[cell][k + 1])] - first;
      for (int r = 0; r < D; ++r) s(r, k) = side[r];
    }
    return s;
  }

 private:
  void note_bodies(const World&);
  void show_damage(const Cells&, std::size_t cell, std::span<T> of_particles) const;
  void wake(World&, const Cells&, std::size_t cell, T volume_ratio, bool keep_history);
  void stretch_edges(World&) const;
  void turn_particles(World&, double dt) const;

  enum class Kind : std::uint8_t { particles, bearing, following };
  std::vector<Kind> kinds_;           // of the bodies
  std::vector<double> widths_;        // m, of the batches: mean of their cells, which is how wide a crack is
  bool pushed_ = false;               // in the step under way
  std::vector<std::int64_t> first_;   // of each id, into `pushes_`: who pushes it
  std::vector<std::int64_t> pushes_;  // cell (D + 1) + corner
  std::vector<int> where_;            // of each id: where its particle is
  std::vector<Mat<T, D>> force_;      // of each cell, on the corners 1 to D; corner 0 bears the rest
  std::vector<Vec<T, D>> before_;     // m/s, of each corner's id, before the push
  std::vector<StressReport> partial_;
};

// How much faster than the steps of particles allow for the cells that bear let the grid swing: at least 1.
template <class T, int D>
double mesh_swing(const World&, const std::vector<Material>&, double dx, int degree);

}  // namespace knead
