// Everything that a step does to the particles once the grid's new velocities are accepted, whichever way these were
// found.
#include "mpm/grid_to_particles.h"
#include "mpm/solver.h"
#include "mpm/with_transfer.h"

namespace knead {

template <class T, int D>
void Mpm<T, D>::update_particles(World& world, Columns<T, D>& p, double dt, const GridReport& grid) {
  const double blend = spec_.transfer == Transfer::pic    ? 0
                       : spec_.transfer == Transfer::flip ? spec_.flip
                                                          : spec_.damping;
  const GatherStep<T> step{T(spec_.dx), T(dt), T(blend), spec_.advect == Advect::grid};
  const bool reordered = world.clock.step % reorder_every == 0;
  if (reordered) {
    profile("reorder", [&] { reorder(world.particles); });
    p = Columns<T, D>(world.particles);
  }
  open_kernels(world);
  const ParticleReport report = profile("grid to particles, stress", [&] {
    return with_transfer(spec_, [&]<Transfer transfer, int degree>() {
      return grid_to_particles<transfer, degree>(p, sort_, grid_, step, std::span<const StressKernel<T, D>>(kernels_),
                                                 particle_partial_);
    });
  });
  AdvectReport moved{report.max_speed};
  if (!step.move) moved = profile("advect", [&] { return advect_with_particles(p, dt); });

  Tally& tally = world.tally;
  tally.max_speed = moved.max_speed;
  tally.max_gradient = report.max_gradient;
  tally.max_wave_speed = report.stress.max_wave_speed;
  tally.dissipated += report.stress.dissipated;
  tally.cracking += report.stress.cracking;
  tally.contact_work += grid.contact_work + moved.contact_work;
  book_body_work(world, p, reordered);
  if (mesh_.any()) {
    const StressReport cells = profile("mesh stress", [&] { return mesh_.update(world, controls_.materials, dt); });
    tally.dissipated += cells.dissipated;
    tally.max_wave_speed = std::max(tally.max_wave_speed, cells.max_wave_speed);
  }
  if (!measures_losses_) return;
  // A round trip ends where the forces of the next step begin.
  tally.transfer_loss += tally.grid_kinetic - grid.kinetic_before;
  tally.impact_loss += grid.impact_loss + moved.impact_loss;
  tally.grid_kinetic = grid.kinetic + moved.kinetic_gain;
}

template void Mpm<float, 2>::update_particles(World&, Columns<float, 2>&, double, const GridReport&);
template void Mpm<float, 3>::update_particles(World&, Columns<float, 3>&, double, const GridReport&);
template void Mpm<double, 2>::update_particles(World&, Columns<double, 2>&, double, const GridReport&);
template void Mpm<double, 3>::update_particles(World&, Columns<double, 3>&, double, const GridReport&);

}  // namespace knead
