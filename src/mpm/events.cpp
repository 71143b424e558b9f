// Events: what changes at a time of the scene's choosing.
#include "mpm/solver.h"

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
    change_solver(event);
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
}

template double Mpm<float, 2>::next_event(const World&) const;
template void Mpm<float, 2>::do_events(World&);
template void Mpm<float, 2>::change_solver(const Event&);
template double Mpm<float, 3>::next_event(const World&) const;
template void Mpm<float, 3>::do_events(World&);
template void Mpm<float, 3>::change_solver(const Event&);
template double Mpm<double, 2>::next_event(const World&) const;
template void Mpm<double, 2>::do_events(World&);
template void Mpm<double, 2>::change_solver(const Event&);
template double Mpm<double, 3>::next_event(const World&) const;
template void Mpm<double, 3>::do_events(World&);
template void Mpm<double, 3>::change_solver(const Event&);

}  // namespace knead
