// Changes of a scene while it is watched, as text: an event that acts from the next frame on, or a value that a restart
// brings.
#pragma once

#include "scene/scene.h"

#include <string>
#include <variant>
#include <vector>

namespace knead {

// A [[event]] but for its time, as lines of TOML: "material = "snow"", "set = { young = 48000.0 }".
struct EventEdit {
  std::string lines;
};
// As --set has it: "solver.dx=0.02".
struct ValueEdit {
  std::string set;
};
using Edit = std::variant<EventEdit, ValueEdit>;

// The scene with the event at this time, read and checked as any other.
Scene with_event(const Scene& scene, const EventEdit& edit, double time);
// The scene with other values.
Scene with_values(const Scene& scene, const std::vector<std::string>& sets);

}  // namespace knead
