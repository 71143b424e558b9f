// The material point method: particles carry the state, a sparse background grid is where forces act and
// bodies meet.
#pragma once

#include "grid/block_grid.h"
#include "mpm/implicit_system.h"
#include "mpm/mesh.h"
#include "mpm/phase_field.h"
#include "mpm/stress.h"
#include "mpm/symmetry.h"
#include "mpm/update_grid.h"
#include "world/controls.h"
#include "world/grid_velocities.h"

#include <functional>
#include <map>

namespace knead {

// What moving some particles with their own velocity saw.
struct AdvectReport {
  double max_speed = 0;                      // m/s, largest component
  double contact_work = 0;                   // J
  double kinetic_gain = 0, impact_loss = 0;  // J
};

// T is the scalar of state and grid (float; double for convergence studies), D the dimension.
template <class T, int D>
class Mpm final : public Solver, public ShowsGrid {
 public:
  explicit Mpm(const Scene&);
  ~Mpm() override;  // in one file, since every file of the folder would compile one of its own

  void prepare(World&) override;
  TimeStep max_dt(const World&) const override;
  StepResult step(World& world, double dt) override;
  Ledger ledger_of(const World&, const Counts&) const override;
  double volume_ratio(const World&, std::size_t particle) const override;
  double next_event(const World& world) const override { return controls_.next_event(world); }
  void do_events(World&) override;
  bool for_each_bond(const World& world, int body,
                     const std::function<void(std::size_t, std::size_t)>& f) const override {
    return mesh_.any() && mesh_.for_each_bond(world, body, f);
  }
  GridVelocities grid_velocities(std::size_t most) const override;
  std::size_t grid_blocks() const override { return grid_.blocks(); }
  std::size_t scratch_bytes() const override;

  // Particles may not move further than this in a step, in cells: a step that would is refused.
  static constexpr double max_cells = 1;
  // How far beyond its particles matter can be held, in cells: the nodes of the widest kernel, and a step.
  static constexpr double collider_reach = 3;
  // Viscous stress 2 eta D diffuses momentum with 2 nu; on the grid its fastest mode decays at 8 nu/dx^2, and explicit
  // steps bear dt < 2 over that. This is 0.4 of it, like the elastic bound.
  static constexpr double viscous_cfl = 0.1;
  // Implicit steps are bound by no wave; where no dt_max is given they are this share of a frame, so that what a frame
  // can show is not damped away.
  static constexpr double implicit_share_of_frame = 0.1;
  // Columns are put in the order of the blocks every so many steps.
  static constexpr int reorder_every = 16;

 private:
  // The step on one page; step.cpp.
  StepResult explicit_step(World&, double dt);
  // The implicit one; implicit_step.h.
  StepResult implicit_step(World&, double dt);
  template <int degree>
  StepResult implicit_step(World&, double dt);

  // Mass, momentum and, over dt, what the stress does to it.
  void bring_to_grid(const Columns<T, D>&, double dt);
  void keep_unforced(const Columns<T, D>&);
  void solve_phase_field(World&);
  void change_world(const Event&, World&);
  void note_batches(const World&);
  std::optional<Problem> kick_with_body_force(World&, double dt);
  void book_body_work(World&, const Columns<T, D>&, bool reordered);
  StepResult refuse(World&, const Problem&);
  std::optional<Problem> sort_into_blocks(World&);
  void list_batches(const World&);
  void reorder(Particles&);
  template <int degree>
  void estimate_volumes(World&);
  // The strain that bodies start with; start_strain.cpp.
  void strain_bodies(World&);
  void check_borne(const World&) const;
  void open_kernels(World&);
  // Of the particles that concerns(material, body) picks.
  void update_stress(World&, const std::function<bool(std::int32_t, std::int32_t)>& concerns);
  // Everything that a step does to the particles once the grid's new velocities are accepted, and to the sums.
  void update_particles(World&, Columns<T, D>&, double dt, const GridReport&);
  void add_mesh(const World&, const Counts&, Ledger&) const;
  AdvectReport advect_with_particles(Columns<T, D>&, double dt);
  std::optional<Problem> judge(const GridReport&, const Columns<T, D>&, double dt) const;

  SolverSpec spec_;
  Controls controls_;
  std::vector<Vec3d> spins_;         // rad/s, of each body at the start
  std::vector<Formula> velocities_;  // m/s, likewise
  std::vector<Body> strained_;       // all, where one of them starts with a strain
  std::vector<double> densities_;    // kg/m^3, likewise; its mass stays whatever it becomes
  bool measures_losses_;             // whether a probe asks for them
  std::vector<Mirror> mirrors_;
  MpmMesh<T, D> mesh_;
  PhaseField<T, D> phase_field_;
  T lightest_ = 0;        // kg, of all particles
  double viscosity_ = 0;  // m^2/s, kinematic, the largest of all matter

  // Scratch: rebuilt by every step.
  BlockSort<D> sort_;
  BlockGrid<T, D> grid_;
  bool stepped_ = false;  // the grid has the velocities of a step
  std::vector<std::int64_t> batch_ends_;
  std::vector<Node<T, D>> behind_;  // what mirrors folded, where it is measured
  std::vector<double> lightness_;   // of the batches: the largest density of the law over that of the mass
  std::vector<GridReport> grid_partial_;
  std::vector<StressKernel<T, D>> kernels_;  // of the batches
  std::vector<ParticleReport> particle_partial_;
  std::vector<AdvectReport> advect_partial_;
  std::vector<std::int64_t> kick_partial_;
  std::vector<double> work_partial_;
  // m/s, velocities before body forces, and what these change, in the order of the step's start.
  std::vector<Vec<T, D>> unkicked_, kick_;
  std::vector<StressReport> stress_partial_;
  std::vector<int> permutation_;
  std::vector<const Material*> batch_materials_;
  ImplicitScratch<T, D> implicit_;
  std::map<std::size_t, Bytes> spare_;  // a column's worth of memory for each size of entry
};

std::unique_ptr<Solver> make_mpm(const Scene&);

}  // namespace knead
