// Events: what changes at a time of the scene's choosing.
#include "mpm/solver.h"
#include "world/controls.h"

namespace knead {

template <class T, int D>
double Mpm<T, D>::next_event(const World& world) const {
  const auto next = static_cast<std::size_t>(world.clock.events);
  return next < events_.size() ? events_[next].time : std::numeric_limits<double>::infinity();
}

template <class T, int D>
void Mpm<T, D>::do_events(World& world) {
  while (next_event(world) <= world.clock.time) {
    const Event& event = events_[static_cast<std::size_t>(world.clock.events++)];
    const Ledger before = ledger(world);
    change_solver(event);
    change_world(event, world);
    // All that it does to the energy is work; what it gives the particles, the grid of the next step will have.
    const Ledger after = ledger(world);
    const auto energy = [](const Ledger& l) { return l.kinetic + l.elastic + l.dissipated; };
    world.tally.body_work = before.body_work + (energy(after) - energy(before));
    if (measures_losses_) world.tally.grid_kinetic += after.kinetic - before.kinetic;
  }
}

// What an event changes in the solver itself: also done for those that a resumed world has behind it.
template <class T, int D>
void Mpm<T, D>::change_solver(const Event& event) {
  const auto names = [](const std::vector<std::string>& list, const std::string& name) {
    return std::find(list.begin(), list.end(), name) != list.end();
  };
  for (std::size_t b = 0; b < colliders_.boundaries().size(); ++b) {
    const std::string& name = colliders_.boundaries()[b].collider.name;
    if (names(event.release, name)) colliders_.set_on(b, false);
    if (names(event.enable, name)) colliders_.set_on(b, true);
  }
  find_mirrors(colliders_.boundaries(), spec_.dx, mirrors_);
  if (event.changed) materials_[static_cast<std::size_t>(event.material_index)] = *event.changed;
}

// What it changes in the world, once.
template <class T, int D>
void Mpm<T, D>::change_world(const Event& event, World& world) {
  const bool switches = event.body_index >= 0 && event.material_index >= 0;
  if (switches) switch_material(event, world);
  if (event.reset) {
    const auto F = world.particles.get<Mat<T, D>>("F");
    const auto body = world.particles.get<std::int32_t>("body");
    for (std::size_t i = 0; i < F.size(); ++i)
      if (body[i] == event.body_index) F[i] = Mat<T, D>::identity();
  }
  if (event.body_index >= 0 && !event.velocity.is_zero()) add_velocity(event, world);
  note_batches(world);
  if (switches || event.reset)
    update_stress(world, [&](std::int32_t, std::int32_t body) { return body == event.body_index; });
  if (event.changed)
    update_stress(world, [&](std::int32_t material, std::int32_t) { return material == event.material_index; });
}

template <class T, int D>
void Mpm<T, D>::add_velocity(const Event& event, World& world) const {
  knead::add_velocity<T, D>(event, world);
}

template <class T, int D>
void Mpm<T, D>::switch_material(const Event& event, World& world) {
  knead::switch_material<T>(event, materials_, world);
}

// What follows from which material the particles are of now, and which mass they were made with.
template <class T, int D>
void Mpm<T, D>::note_batches(const World& world) {
  const auto body = world.particles.get<std::int32_t>("body");
  batch_ends_.clear(), lightness_.clear();
  viscosity_ = 0;
  for (const Batch& b : world.batches) {
    const Material& material = materials_[static_cast<std::size_t>(b.material)];
    double lightest = std::numeric_limits<double>::max();
    for (auto i = static_cast<std::size_t>(b.begin); i < static_cast<std::size_t>(b.end); ++i)
      lightest = std::min(lightest, densities_[static_cast<std::size_t>(body[i])]);
    batch_ends_.push_back(b.end);
    lightness_.push_back(density_of(material) / lightest);
    viscosity_ = std::max(viscosity_, viscosity_of(material) * lightness_.back());
  }
}

template double Mpm<float, 2>::next_event(const World&) const;
template void Mpm<float, 2>::do_events(World&);
template void Mpm<float, 2>::change_solver(const Event&);
template void Mpm<float, 2>::change_world(const Event&, World&);
template void Mpm<float, 2>::note_batches(const World&);
template double Mpm<float, 3>::next_event(const World&) const;
template void Mpm<float, 3>::do_events(World&);
template void Mpm<float, 3>::change_solver(const Event&);
template void Mpm<float, 3>::change_world(const Event&, World&);
template void Mpm<float, 3>::note_batches(const World&);
template double Mpm<double, 2>::next_event(const World&) const;
template void Mpm<double, 2>::do_events(World&);
template void Mpm<double, 2>::change_solver(const Event&);
template void Mpm<double, 2>::change_world(const Event&, World&);
template void Mpm<double, 2>::note_batches(const World&);
template double Mpm<double, 3>::next_event(const World&) const;
template void Mpm<double, 3>::do_events(World&);
template void Mpm<double, 3>::change_solver(const Event&);
template void Mpm<double, 3>::change_world(const Event&, World&);
template void Mpm<double, 3>::note_batches(const World&);

}  // namespace knead
