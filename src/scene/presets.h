// Materials of a scene that name a preset: its values stand in for the keys that the scene leaves out.
#pragma once

#include "scene/node.h"

#include <optional>

namespace knead {

// The table of a material with its preset written out: `model` and the keys that it does not give itself. `path` is how
// messages call it. A table without the key `preset` comes back as it is; nothing does where the preset is unknown,
// since what else may be wrong depends on it.
std::optional<Node> with_preset(const Node& material, const std::string& path, Mistakes&);

}  // namespace knead
