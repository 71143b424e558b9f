// The columns that a scene's probes add to stats.csv.
#pragma once

#include "scene/scene.h"
#include "world/solver.h"

namespace knead {

struct ProbeCell {
  std::string name, unit;
  double value;
};

// In the order of the scene's probes. Without a world and its solver the names alone count.
std::vector<ProbeCell> probe_cells(const Scene&, const World* world = nullptr, const Solver* solver = nullptr);

}  // namespace knead
