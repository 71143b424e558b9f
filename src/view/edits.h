// Changes of a scene while it is watched: an event that acts from the next frame on, a value that acts at once since no
// particle feels it, or one that a restart brings.
#pragma once

#include "scene/scene.h"

#include <set>
#include <string>
#include <vector>

namespace knead {

struct Edit {
  enum class Kind { event, set, add, remove };
  Kind kind = Kind::set;
  std::string path{};   // as --set has it: "solver.dx"; add: of the list; none for an event
  std::string value{};  // TOML on one line; of an event, a table without its time
};

enum class Acts { live, next_frame, after_restart };
const char* name_of(Acts);

// When a value at a path acts once it is set or, for the next frame, given as an event.
Acts acts_of(const std::string& path);

// The scene with the event at this time, read and checked as any other.
Scene with_event(const Scene& scene, const Edit& edit, double time);
// The scene with other values, with more and with less. Fails (bad_input) where a file would be opened that neither the
// scene names already nor is among `files`: what comes over the network names none.
Scene with_changes(const Scene& scene, const std::vector<Edit>& edits, const std::set<std::string>& files = {});
// The edit in one line, for the log.
std::string text_of(const Edit& edit);

}  // namespace knead
