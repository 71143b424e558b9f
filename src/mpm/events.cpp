// Events: what changes at a time of the scene's choosing.
#include "mpm/solver.h"

namespace knead {

template <class T, int D>
void Mpm<T, D>::do_events(World& world) {
  while (next_event(world) <= world.clock.time) {
    const Event& event = controls_.events[static_cast<std::size_t>(world.clock.events++)];
    const Ledger before = ledger(world);
    controls_.apply(event);
    find_mirrors(controls_.colliders.boundaries(), spec_.dx, mirrors_);
    change_world(event, world);
    // All that it does to the energy is work; what it gives the particles, the grid of the next step will have.
    const Ledger after = ledger(world);
    const auto energy = [&](const Ledger& l) {
      return l.kinetic + l.elastic + l.dissipated + (event.gravity ? l.gravitational : 0);
    };
    world.tally.body_work = before.body_work + (energy(after) - energy(before));
    if (measures_losses_) world.tally.grid_kinetic += after.kinetic - before.kinetic;
  }
}

// What an event changes in the world.
template <class T, int D>
void Mpm<T, D>::change_world(const Event& event, World& world) {
  const bool switches = event.body_index >= 0 && event.material_index >= 0;
  if (switches) switch_material<T>(event, controls_.materials, world);
  if (event.reset) {
    const auto H = world.particles.get<Mat<T, D>>(strain_column);
    const auto body = world.particles.get<std::int32_t>("body");
    for (std::size_t i = 0; i < H.size(); ++i)
      if (body[i] == event.body_index) H[i] = Mat<T, D>::zero();
  }
  if (!event.velocity.is_zero()) add_velocity<T, D>(event, world);
  note_batches(world);
  if (switches || event.reset)
    update_stress(world, [&](std::int32_t, std::int32_t body) { return body == event.body_index; });
  if (event.changed)
    update_stress(world, [&](std::int32_t material, std::int32_t) { return material == event.material_index; });
}

// What follows from which material the particles are of now, and which mass they were made with.
template <class T, int D>
void Mpm<T, D>::note_batches(const World& world) {
  const auto body = world.particles.get<std::int32_t>("body");
  batch_ends_.clear(), lightness_.clear();
  viscosity_ = 0;
  for (const Batch& b : world.batches) {
    const Material& material = controls_.materials[static_cast<std::size_t>(b.material)];
    double lightest = std::numeric_limits<double>::max();
    for (auto i = static_cast<std::size_t>(b.begin); i < static_cast<std::size_t>(b.end); ++i)
      lightest = std::min(lightest, densities_[static_cast<std::size_t>(body[i])]);
    batch_ends_.push_back(b.end);
    lightness_.push_back(density_of(material) / lightest);
    viscosity_ = std::max(viscosity_, viscosity_of(material) * lightness_.back());
  }
  phase_field_.note_batches(world, controls_.materials);
}

template void Mpm<float, 2>::do_events(World&);
template void Mpm<float, 2>::change_world(const Event&, World&);
template void Mpm<float, 2>::note_batches(const World&);
template void Mpm<float, 3>::do_events(World&);
template void Mpm<float, 3>::change_world(const Event&, World&);
template void Mpm<float, 3>::note_batches(const World&);
template void Mpm<double, 2>::do_events(World&);
template void Mpm<double, 2>::change_world(const Event&, World&);
template void Mpm<double, 2>::note_batches(const World&);
template void Mpm<double, 3>::do_events(World&);
template void Mpm<double, 3>::change_world(const Event&, World&);
template void Mpm<double, 3>::note_batches(const World&);

}  // namespace knead
