// Every value that a scene may have, from the tables that its reader is made from: what the panel of the page edits.
#pragma once

#include "scene/scene.h"

#include <nlohmann/json.hpp>

namespace knead {

// A list of sections: {"title", "doc", "fields": [{"path" as for --set, "unit", "doc", "kind", "text",
// "low", "high", "why", "choices", "acts"}]}. A value that is not given is null. Materials are as events up to
// `time` have made them.
nlohmann::ordered_json panel_json(const Scene& scene, double time);

}  // namespace knead
