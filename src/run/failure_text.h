// What a user is told of a step that could not be done.
#pragma once

#include "run/advance.h"
#include "scene/scene.h"

namespace knead {

// Where and why it failed, and what to try.
std::string failure_text(const StepFailure& failure, const World& world, const Scene& scene);

}  // namespace knead
