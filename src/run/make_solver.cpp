#include "run/make_solver.h"

#include "liquid/solver.h"
#include "meshless/solver.h"
#include "mpm/solver.h"

namespace knead {

std::unique_ptr<Solver> make_solver(const Scene& scene) {
  if (scene.solver.is_liquid()) return make_liquid(scene);
  return scene.solver.is_meshless() ? make_meshless(scene) : make_mpm(scene);
}

}  // namespace knead
