// What the folders of the solvers offer to the rest, once for each level of instructions (base/processor.h). Their
// sources are compiled for every level, and of the code for all but the lowest nothing but the function that gives this
// table can be seen from outside (cmake/knead_levels.cmake).
#pragma once

#include "mpm/reference.h"
#include "scene/scene.h"
#include "world/solver.h"

#include <memory>

namespace knead {

struct SolverSet {
  std::unique_ptr<Solver> (*make_solver)(const Scene&);
  void (*reference_step_2d)(ReferenceScene<2>&);
  void (*reference_step_3d)(ReferenceScene<3>&);
};

}  // namespace knead
