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
// A [[body]], as lines of TOML.
struct BodyEdit {
  std::string lines;
};
using Edit = std::variant<EventEdit, ValueEdit, BodyEdit>;

// The scene with the event at this time, read and checked as any other.
Scene with_event(const Scene& scene, const EventEdit& edit, double time);
// The scene with other values and more bodies.
Scene with_changes(const Scene& scene, const std::vector<Edit>& edits);
// The edit in one line, for the log.
std::string text_of(const Edit& edit);

}  // namespace knead
