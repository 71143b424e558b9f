#include "run/probes.h"

namespace knead {

namespace {

class Cells {
 public:
  std::vector<ProbeCell> list;

  void number(const std::string& name, double value) { list.push_back({name, value}); }
  void vector(const std::string& name, const Vec3d& v) {
    for (int a = 0; a < 3; ++a) list.push_back({name + "_" + "xyz"[a], v[a]});
  }
};

// The mean since the last frame; nothing has been felt at the first.
void add_force(Cells& cells, const Probe& probe, const World* world, std::size_t index) {
  const double time = world ? world->tally.frame_time : 0;
  const Reaction r = time > 0 ? world->reactions[index] : Reaction{};
  const double rate = time > 0 ? 1 / time : 0;
  cells.vector(probe.name + "_force", r.impulse * rate);
  cells.vector(probe.name + "_torque", r.turn * rate);
}

}  // namespace

std::vector<ProbeCell> probe_cells(const Scene& scene, const World* world, const Solver*) {
  Cells cells;
  std::size_t forces = 0;
  for (const Probe& probe : scene.probes) switch (probe.type) {
      case ProbeType::force:
        add_force(cells, probe, world, forces++);
        break;
    }
  return cells.list;
}

}  // namespace knead
