// The persistent state and nothing else: everything that changes in time, as arrays. A checkpoint is a World.
#pragma once

#include "world/particles.h"

#include <algorithm>

namespace knead {

// A run of particles of one material. Within a batch, particles are kept roughly in the order of the grid's blocks.
struct Batch {
  std::int32_t material = 0;  // index into Scene::materials
  std::int64_t begin = 0, end = 0;
};

struct Clock {
  double time = 0;          // s
  std::int64_t step = 0;    // steps done since the start
  std::int64_t frame = 1;   // number of the last frame reached
  std::int64_t events = 0;  // how many of the scene's events have happened, in the order of their times
};

// What limits a time step. `given` is a step that the user fixed, `frame` one cut short to end on a frame,
// `longest_step` one as long as the method ever takes it.
enum class Bound : std::int32_t {
  none,
  speed,
  elastic_wave,
  strain_rate,
  viscous,
  dt_max,
  given,
  frame,
  heat,
  body_force,
  collider_speed,
  longest_step
};
const char* name_of(Bound);

// How often since the last frame a method without a grid had to guard a particle, once for each step: by what kept its
// deformation from being told, so that it only turned with its neighbours, and where its volume was held.
struct Guarded {
  std::int64_t shed = 0;      // no neighbours
  std::int64_t few = 0;       // too few to span a space
  std::int64_t flat = 0;      // in a plane or on a line
  std::int64_t inverted = 0;  // it would have been squeezed flat or turned inside out
  std::int64_t clamped = 0;   // volume at the end of what it may be
  std::int64_t turned() const { return shed + few + flat + inverted; }
  void add(const Guarded& g) {
    shed += g.shed, few += g.few, flat += g.flat, inverted += g.inverted, clamped += g.clamped;
  }
};

// What the liquid solver carries from step to step.
struct LiquidTally {
  double mass_in = 0, mass_out = 0, mass_kept_out = 0;  // kg: from sources; into drains and open sides; that sources
                                                        // found no room for
  double last_dt = 0;                                   // s
  double over_density = 0;                              // largest, after the last step, over the rest density
  double over_density_rms = 0;                          // of the liquid cells
  double least_pressure = 0;                            // Pa
  double liquid_volume = 0;                             // m^3, of the cells that count as liquid in the last step
  double energy = 0;                                    // J/kg, kinetic and of gravity, after the last step
  double lowest = 0;                                    // J/kg, of gravity, of the lowest particle
  // Since the last frame.
  double frame_energy_rise = 0;  // largest in a step, over the energy above the lowest particle
  double frame_residual = 0;     // largest residual of the complementarity
  std::int64_t frame_pressure_iterations = 0, frame_density_iterations = 0;
  std::int64_t frame_unsolved = 0;  // solves that ended at the limit of their iterations
  void start_frame() {
    frame_residual = frame_energy_rise = 0;
    frame_pressure_iterations = frame_density_iterations = frame_unsolved = 0;
  }
};

// Sums and extremes that are carried from step to step: they are state, since a resumed run must give the same bits.
struct Tally {
  double max_speed = 0;       // m/s, largest component of a particle velocity after the last step
  double max_gradient = 0;    // 1/s, largest velocity gradient (Frobenius) after the last step
  double max_wave_speed = 0;  // m/s
  double dissipated = 0;      // J, by plastic flow
  double contact_work = 0;    // J, done on the matter by colliders and grips
  double body_work = 0;       // J, done on it by body forces and events
  double heat_in = 0;         // J, from colliders
  double cracking = 0;        // largest change of a phase field that is due since it was last solved for
  // Where a probe asks for losses.
  double transfer_loss = 0;       // J, from grid to grid up to the last step
  double impact_loss = 0;         // J, of nodes that colliders and grips stop
  double grid_kinetic = 0;        // J, of the grid after the last step; of the particles before the first
  double drift_dt = 0;            // s, over which the last step without a grid moved matter; 0 before the first
  double swing = 1;               // how much faster than a wave bonds without a grid, or the cells of a mesh, swing
  double embedding_residual = 0;  // share of the rest vectors that the embedding could not follow
  // Since the last frame.
  std::int64_t frame_steps = 0, frame_retries = 0;
  double frame_time = 0;                        // s, of those steps
  double frame_min_dt = 0, frame_max_dt = 0;    // s
  Bound frame_bound = Bound::none;              // that set the smallest step
  std::int64_t frame_newton = 0, frame_cg = 0;  // iterations of implicit solves, those of refused steps too
  std::int64_t frame_contact_unsolved = 0;      // steps whose friction was not found
  std::int64_t frame_embeddings = 0;            // found
  Guarded frame_guarded;
  LiquidTally liquid;
  void start_frame() {
    liquid.start_frame();
    frame_embeddings = 0, frame_guarded = {};
    frame_steps = frame_retries = 0;
    frame_time = frame_min_dt = frame_max_dt = 0;
    frame_bound = Bound::none;
    frame_newton = frame_cg = frame_contact_unsolved = 0;
  }
};

// What the matter has done to a collider or grip since the last frame.
struct Reaction {
  Vec3d impulse{};  // N s
  Vec3d turn{};     // N m s, about the probe's point
};

// A particle that a probe follows. All numbers are doubles, so that files keep them in one table.
struct Followed {
  double id = 0;
  Vec3d start{};  // m
};

// The last pressures of a block of 64 liquid cells, with which the next solve starts.
struct CellPressures {
  Vec3d block{};  // whole numbers
  double pressure[64]{};
};

// Bodies that are meshes: their triangles or tetrahedra, whose corners are particles, and their edges.
struct MeshState {
  Particles cells;             // corners (ids), body, volume, rest, plastic, F, tau, failed, inside, …
  Particles edges;             // ends (ids), body, length, stretch, crack
  std::vector<Batch> batches;  // of the cells that bear stress, one a body
};

struct World {
  int dimension = 3;
  Clock clock;
  Tally tally;
  Particles
      particles;  // x, v, mass, volume, id, body, … ; `id` is the index at creation, by which files order particles
  std::vector<Batch> batches;
  std::vector<Reaction> reactions{};   // of each force probe, in the order of the scene
  std::vector<Followed> followed{};    // by each particle probe, likewise
  std::vector<CellPressures> cells{};  // liquid
  MeshState mesh{};
  std::vector<double> flowed{};  // embedded: mean strain of each body that has flowed since its embedding was found
  std::int64_t next_id = 0;      // of the next particle that is born
  // The frame is done: what is summed over it starts again.
  void start_frame() {
    tally.start_frame();
    std::fill(reactions.begin(), reactions.end(), Reaction{});
  }
};

}  // namespace knead
