// Events: what changes at a time of the scene's choosing.
#include "mpm/solver.h"

#include <numeric>

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
    // What it does to the elastic energy is work as well.
    const Ledger before = ledger(world);
    change_solver(event);
    change_world(event, world);
    const Ledger after = ledger(world);
    world.tally.body_work += (after.elastic + after.dissipated) - (before.elastic + before.dissipated);
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
  if (event.changed) {
    materials_[static_cast<std::size_t>(event.material_index)] = *event.changed;
    viscosity_ = 0;
    for (const Material& m : materials_) viscosity_ = std::max(viscosity_, viscosity_of(m));
  }
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
  if (switches || event.reset || event.changed) update_stress(world, 0);
}

template <class T, int D>
void Mpm<T, D>::add_velocity(const Event& event, World& world) const {
  Particles& particles = world.particles;
  const auto x = particles.get<Vec<T, D>>("x"), v = particles.get<Vec<T, D>>("v");
  const auto start = event.velocity.is_constant() ? x : particles.get<Vec<T, D>>("X");
  const auto mass = particles.get<T>("mass");
  const auto body = particles.get<std::int32_t>("body");
  const double time = world.clock.time;
  for (std::size_t i = 0; i < v.size(); ++i) {
    if (body[i] != event.body_index) continue;
    const Vec3d at = resized<double, 3>(x[i]), before = resized<double, 3>(v[i]);
    const Vec3d added = event.velocity.at(field_values(at, resized<double, 3>(start[i]), time));
    if (!std::isfinite(dot(added, added)))
      fail(Exit::numerical,
           "{}: the velocity that an event adds is not a finite number at ({:.6g}, {:.6g}, {:.6g}) m, "
           "t = {} s",
           event.velocity.place, at[0], at[1], at[2], time);
    v[i] += resized<T, D>(added);
    const Vec3d after = resized<double, 3>(v[i]);
    const double work = 0.5 * double(mass[i]) * dot(after - before, after + before);
    world.tally.body_work += work, world.tally.grid_kinetic += work;
    for (int a = 0; a < D; ++a) world.tally.max_speed = std::max(world.tally.max_speed, std::abs(after[a]));
  }
}

// The body's particles join the batch of their new material: every column is put in the new order, and what the new law
// remembers and the old one does not starts at its initial value.
template <class T, int D>
void Mpm<T, D>::switch_material(const Event& event, World& world) {
  Particles& particles = world.particles;
  const std::size_t n = particles.count();
  const auto body = particles.get<std::int32_t>("body");
  std::vector<std::int32_t> material(n);
  for (const Batch& b : world.batches)
    for (auto i = static_cast<std::size_t>(b.begin); i < static_cast<std::size_t>(b.end); ++i) {
      material[i] = b.material;
      if (body[i] != event.body_index) continue;
      material[i] = event.material_index;
      const auto known = history_columns_of(materials_[static_cast<std::size_t>(b.material)]);
      for (const HistoryColumn& h : history_columns_of(materials_[static_cast<std::size_t>(event.material_index)])) {
        const bool kept = std::any_of(known.begin(), known.end(),
                                      [&](const HistoryColumn& k) { return std::string_view(k.name) == h.name; });
        if (!kept) particles.get<T>(h.name)[i] = T(h.initial);
      }
    }
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return material[a] < material[b]; });

  world.batches.clear();
  for (std::size_t i = 0; i < n; ++i) {
    const std::int32_t m = material[order[i]];
    const auto at = static_cast<std::int64_t>(i);
    if (world.batches.empty() || world.batches.back().material != m) world.batches.push_back({m, at, at});
    ++world.batches.back().end;
  }
  for (Column& column : particles.columns()) {
    const std::size_t stride = column.stride();
    const Bytes old = column.data;
    for (std::size_t i = 0; i < n; ++i)
      std::memcpy(column.data.data() + i * stride, old.data() + order[i] * stride, stride);
  }
  set_batch_ends(world);
}

template <class T, int D>
void Mpm<T, D>::set_batch_ends(const World& world) {
  batch_ends_.clear();
  for (const Batch& b : world.batches) batch_ends_.push_back(b.end);
}

template double Mpm<float, 2>::next_event(const World&) const;
template void Mpm<float, 2>::do_events(World&);
template void Mpm<float, 2>::change_solver(const Event&);
template void Mpm<float, 2>::change_world(const Event&, World&);
template void Mpm<float, 2>::set_batch_ends(const World&);
template double Mpm<float, 3>::next_event(const World&) const;
template void Mpm<float, 3>::do_events(World&);
template void Mpm<float, 3>::change_solver(const Event&);
template void Mpm<float, 3>::change_world(const Event&, World&);
template void Mpm<float, 3>::set_batch_ends(const World&);
template double Mpm<double, 2>::next_event(const World&) const;
template void Mpm<double, 2>::do_events(World&);
template void Mpm<double, 2>::change_solver(const Event&);
template void Mpm<double, 2>::change_world(const Event&, World&);
template void Mpm<double, 2>::set_batch_ends(const World&);
template double Mpm<double, 3>::next_event(const World&) const;
template void Mpm<double, 3>::do_events(World&);
template void Mpm<double, 3>::change_solver(const Event&);
template void Mpm<double, 3>::change_world(const Event&, World&);
template void Mpm<double, 3>::set_batch_ends(const World&);

}  // namespace knead
