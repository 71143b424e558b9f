// The solver that the scene asks for.
#pragma once

#include "scene/scene.h"
#include "world/solver.h"

#include <memory>

namespace knead {

std::unique_ptr<Solver> make_solver(const Scene&);

}  // namespace knead
