// Splashing liquids: particles carry the mass, a sparse staggered grid keeps cells from being overfilled, and nothing
// else: where liquid does not press, it is free to separate (Gerszewski 2014, chapter 3: unilateral incompressibility,
// mass-full FLIP, blurred obstacles). The usual incompressible FLIP is here too, for comparison.
//
// Densities are in rest densities ("fill": 1 is full), pressures in the solves are scaled: q = dt^2 p / (rho_0 h^2).
#pragma once

#include "grid/block_sort.h"
#include "liquid/lcp.h"
#include "liquid/marks.h"
#include "liquid/open_share.h"
#include "liquid/staggered.h"
#include "scene/scene.h"
#include "world/controls.h"
#include "world/grid_velocities.h"
#include "world/solver.h"

#include <map>

namespace knead {

// The particle columns that the method reads and writes.
template <class T, int D>
struct LiquidColumns {
  std::span<Vec<T, D>> x, v;
  std::span<T> pressure;   // Pa
  std::span<T> density;    // kg/m^3, of the grid at the particle
  std::span<Mat<T, D>> C;  // 1/s, the affine velocity; empty for flip
  std::span<std::int32_t> body;
  explicit LiquidColumns(Particles&);
};

// What moving some particles saw.
struct MoveReport {
  double max_speed = 0;                                     // m/s
  bool gone = false;                                        // whether some leave
  double energy = 0;                                        // J/kg, kinetic and of gravity, summed over particles
  double lowest = std::numeric_limits<double>::infinity();  // J/kg, of gravity
  void add(const MoveReport& r) {
    max_speed = std::max(max_speed, r.max_speed);
    gone = gone || r.gone;
    energy += r.energy, lowest = std::min(lowest, r.lowest);
  }
};

template <class T, int D>
class Liquid final : public Solver, public ShowsGrid {
 public:
  using Columns = LiquidColumns<T, D>;
  using Field = std::vector<T>;  // 64 a block
  explicit Liquid(const Scene&);
  ~Liquid() override;  // in one file, since every file of the folder would compile one of its own

  void prepare(World&) override;
  TimeStep max_dt(const World&) const override;
  StepResult step(World& world, double dt) override;
  Ledger ledger_of(const World&, const Counts&) const override;
  double volume_ratio(const World&, std::size_t) const override { return 1; }
  double next_event(const World& world) const override { return controls_.next_event(world); }
  void do_events(World&) override;
  GridVelocities grid_velocities(std::size_t most) const override;
  std::size_t grid_blocks() const override { return blocks_.count(); }
  std::size_t scratch_bytes() const override;

  // A cell is liquid from this share of its room on (liquids with less are spray, which falls freely).
  static constexpr double least_fill = 0.01;
  // The density that a face's velocity is divided by is at least this share of what the face has room for.
  static constexpr double least_face_fill = 1e-3;
  // Largest entry of the affine velocity, a step.
  static constexpr double most_turn = 0.25;
  // Longest step, s, where the user gives none.
  static constexpr double longest_step = 1.0 / 60;
  // How far beyond its particles liquid feels solids, in cells.
  static constexpr double collider_reach = 3;
  // Columns are put in the order of the blocks every so many steps.
  static constexpr int reorder_every = 8;
  // Liquid that is shut in may be overfull by this much before the run is given up.
  static constexpr double most_trapped = 0.1;
  // Cells this near to the surface never pull (solver.liquid.suction).
  static constexpr int free_depth = 2;

 private:
  // The steps on one page; step.cpp.
  StepResult unilateral_step(World&, double dt);
  StepResult incompressible_step(World&, double dt);
  StepResult carried_step(World&, double dt);
  std::optional<Problem> judge(const World&) const;
  StepResult finish(World&, const MoveReport&, double dt);
  bool keeps_energy() const;
  void measure_energy(World&) const;

  // Where liquid is; blocks.cpp.
  std::optional<Problem> sort_into_blocks(World&);
  void build_blocks();
  void open_blocks(double time, Field& room);

  // Particles to grid and back; rasterize.cpp, gather.cpp.
  void rasterize(const Columns&);
  MoveReport move_particles(Columns&, double time, double dt);

  // Pressures; pressure.cpp.
  void classify();
  void measure_density(World&);
  bool is_outside(std::size_t block, int cell) const;
  CellSystem<D> system() const;
  void weigh_faces();
  // What a face counts for in the matrix of the pressure.
  double weight(int axis, std::size_t face) const {
    return double(spec_.liquid.matrix == PressureMatrix::open ? open_[axis][face] : weight_[axis][face]);
  }
  double corrected_fill(std::size_t block, int cell, int axis) const;
  int solve(World&, std::span<const double> lower, std::vector<double>& q);
  void correct_density(World&, std::span<const double> lower = {});
  void add_forces(double time, double dt);
  Vec3d forces_at(const Vec3d& x, double time) const;
  void push_as_before(double dt);
  void foresee(const Columns&, double dt);
  double converging(std::size_t block, int cell, double dt) const;
  double most_converging(std::size_t block, int cell) const;
  bool is_pressed(std::size_t block, int cell) const;
  double pushed_before(std::size_t block, int cell) const;
  void measure_forces(double dt);
  void push(World&, double dt);
  void change_velocities(double dt, std::span<const double> q);
  void find_deep();
  void warm_start(const World&, double dt);
  void keep_pressures(World&, double dt);
  void extrapolate(const World&, double dt);
  void relax(World&);

  // The usual FLIP; incompressible.cpp.
  void classify_by_particles(const Columns&);
  void project(World&, double dt);
  void hold_solid_faces();

  // A flow that is given; flow.cpp.
  void start_in_flow(World&) const;
  std::optional<Problem> set_flow(double time);

  // What comes and goes; sources.cpp.
  void emit(World&, double dt);
  const std::vector<Vec3d>& opening_of(std::size_t source);
  double stop_of(std::size_t source);
  void foresee_sources(double time, double dt);
  void add_row(World&, std::size_t source, std::int64_t row, double ahead);
  bool is_full(const Vec<T, D>& x) const;
  void remove_gone(World&);
  bool leaves(const Vec<T, D>& x) const;

  // f(block, cell in it, number of the cell) for each liquid cell.
  template <class F>
  void for_each_liquid(F&& f) const {
    parallel_for(blocks_.count(), 8, [&](std::size_t b) {
      for_each_mark(liquid_[b], [&](int c) { f(b, c, b * 64 + static_cast<std::size_t>(c)); });
    });
  }
  std::int64_t beside(std::size_t block, int cell, int axis, bool up) const {
    return cell_beside(blocks_, block, cell, axis, up);
  }

  Scene scene_;  // for sources, drains and the domain
  SolverSpec spec_;
  Controls controls_;
  Solids solids_;
  double h_;        // m
  double density_;  // kg/m^3, at rest
  int n_;           // particles of a full cell along an axis
  T share_;         // of a full cell, that a particle is
  OpenShares<D> shares_;
  LcpSolver<D> lcp_;

  // Scratch.
  bool stepped_ = false;  // the grid has the velocities of a step
  BlockSort<D> sort_;
  BlockSet<D> blocks_;
  std::vector<int> home_;                         // the number in blocks_ of each home block of sort_
  std::array<std::vector<int>, 1 << D> colours_;  // home blocks that share no cells
  std::vector<int> permutation_, kept_;
  std::vector<std::size_t> measured_;         // boundaries that a probe measures the force on
  std::vector<std::vector<Vec3d>> openings_;  // of the sources: where their particles come
  std::map<std::size_t, Bytes> spare_;
  Field fill_, room_, room_before_;                // of cells
  std::array<Field, D> face_fill_, u_, u_before_;  // of faces: fill, and velocity, m/s
  std::array<std::vector<float>, D> open_;         // of faces
  std::array<std::vector<float>, D> weight_;       // of faces, with solver.liquid.matrix other than open
  std::array<Field, D> offset_;                    // m, of particles by the density correction
  Field corrected_;                                // fill after the density correction, less before
  std::array<Marks, D> known_, spreading_;         // faces that have a velocity
  Marks liquid_;                                   // cells
  Marks lower_marks_, spread_;                     // cells that may pull; scratch
  Marks beside_solid_;                             // cells with less than all their room
  std::vector<unsigned char> passing_;             // blocks that something moves near
  std::vector<double> q_, eta_, b_, lower_;        // of cells
  std::vector<double> q_before_;                   // with which the solve starts
  Field converging_;                               // fill that convergence adds in the step
  Field coming_;                                   // fill that sources bring in the step
  Field foreseen_;                                 // fill, were there no pressure
  std::array<std::vector<int>, BlockSet<D>::around> wide_colours_;  // home blocks whose surroundings share no cells
  Field shown_pressure_;                                            // Pa
  std::vector<unsigned char> gone_;                                 // particles that leave
  std::vector<MoveReport> move_partial_;
  long trapped_ = 0;                  // cells of closed parts that are too full
  std::vector<std::size_t> missing_;  // blocks that are sampled now
  std::vector<OpenBlock<D>> sampled_;
};

std::unique_ptr<Solver> make_liquid(const Scene&);

}  // namespace knead
