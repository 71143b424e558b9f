#include "levels/make_solver.h"

#include "base/error.h"
#include "levels/solver_set.h"

// KNEAD_FOR_EACH_LEVEL(X) is X(plain) X(avx2) ..., for those that are built (src/CMakeLists.txt).
#define KNEAD_DECLARE(level) extern "C" const knead::SolverSet* knead_solvers_##level();
KNEAD_FOR_EACH_LEVEL(KNEAD_DECLARE)

namespace knead {
namespace {

#define KNEAD_NAME(level) Level::level,
constexpr Level levels[] = {KNEAD_FOR_EACH_LEVEL(KNEAD_NAME)};

const SolverSet& solvers() {
#define KNEAD_GIVE(level) \
  case Level::level:      \
    return *knead_solvers_##level();
  switch (level_in_use()) {
    KNEAD_FOR_EACH_LEVEL(KNEAD_GIVE)
    default:
      fail(Exit::unexpected, "level {} is not in this program", name_of(level_in_use()));
  }
}

}  // namespace

std::span<const Level> built_levels() { return levels; }

Level level_in_use() {
  static const Level level = choose_level(levels);
  return level;
}

std::unique_ptr<Solver> make_solver(const Scene& scene) { return solvers().make_solver(scene); }
void run_reference_step(ReferenceScene<2>& scene) { solvers().reference_step_2d(scene); }
void run_reference_step(ReferenceScene<3>& scene) { solvers().reference_step_3d(scene); }

}  // namespace knead
