// Compiled for every level; KNEAD_LEVEL is its name.
#include "levels/solver_set.h"

#include "base/error.h"
#include "liquid/solver.h"
#include "meshless/solver.h"
#include "mpm/solver.h"

namespace knead {
namespace {

std::unique_ptr<Solver> make(const Scene& scene) {
  switch (scene.solver.method) {
    case Method::mpm:
      return make_mpm(scene);
    case Method::mls:
    case Method::embedded:
    case Method::composed:
      return make_meshless(scene);
    case Method::liquid:
      return make_liquid(scene);
  }
  fail(Exit::unexpected, "a method has no solver");
}

}  // namespace
}  // namespace knead

#define KNEAD_JOIN_(a, b) a##b
#define KNEAD_JOIN(a, b) KNEAD_JOIN_(a, b)
extern "C" const knead::SolverSet* KNEAD_JOIN(knead_solvers_, KNEAD_LEVEL)() {
  static constexpr knead::SolverSet set{&knead::make, &knead::reference_step<2>, &knead::reference_step<3>};
  return &set;
}
