// What a user is told of a step that could not be done.
#pragma once

#include "run/advance.h"
#include "scene/scene.h"

namespace knead {

// Where and why it failed, and what to try.
std::string failure_text(const StepFailure& failure, const World& world, const Scene& scene);

// What to try where steps were too long for the motion; `dt` (s) is how long they were.
std::string smaller_step_hint(const Scene& scene, double dt, bool torn = false);

}  // namespace knead
