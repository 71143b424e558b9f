// Compiled for every level; KNEAD_LEVEL is its name.
#include "levels/solver_set.h"

#include "liquid/solver.h"
#include "meshless/solver.h"
#include "mpm/solver.h"

namespace knead {
namespace {

std::unique_ptr<Solver> make(const Scene& scene) {
  if (scene.solver.is_liquid()) return make_liquid(scene);
  return scene.solver.is_meshless() ? make_meshless(scene) : make_mpm(scene);
}

}  // namespace
}  // namespace knead

#define KNEAD_JOIN_(a, b) a##b
#define KNEAD_JOIN(a, b) KNEAD_JOIN_(a, b)
extern "C" const knead::SolverSet* KNEAD_JOIN(knead_solvers_, KNEAD_LEVEL)() {
  static constexpr knead::SolverSet set{&knead::make, &knead::reference_step<2>, &knead::reference_step<3>};
  return &set;
}
