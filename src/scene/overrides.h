// --set path=value: changes to a scene from the command line, applied to the tree before it is read.
#pragma once

#include "scene/node.h"

namespace knead {

// `set` is "solver.dx=0.01", "body.0.velocity=[1, 0, 0]" or "body.ball.velocity=...". The value is TOML; anything else
// that is not quoted or bracketed is a text. A path that leads nowhere is a Failure that names the flag.
void apply_override(Node& root, const std::string& set);

// A scene may hold sets of values by name, [qualities.NAME], whose keys are paths as for --set in quotes; the key
// `quality`, in the file or by --set, picks one. What --set says besides has the last word.
void apply_quality(Node& root, const std::string& name, const std::vector<std::string>& sets);

}  // namespace knead
