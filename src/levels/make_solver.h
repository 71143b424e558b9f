// The solver of a scene, in the code that suits this processor best.
#pragma once

#include "base/processor.h"
#include "scene/scene.h"
#include "world/solver.h"

#include <memory>
#include <span>

namespace knead {

// Which levels the program holds, in ascending order, and which one is in use.
std::span<const Level> built_levels();
Level level_in_use();

std::unique_ptr<Solver> make_solver(const Scene&);

// A step of mpm/reference.h, in the code of the same level.
template <int D>
struct ReferenceScene;
void run_reference_step(ReferenceScene<2>&);
void run_reference_step(ReferenceScene<3>&);

}  // namespace knead
