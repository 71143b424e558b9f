// Every value that a scene may have, from the tables that its reader is made from: what the panel of the page edits.
#pragma once

#include "scene/scene.h"

#include <nlohmann/json.hpp>

namespace knead {

// A list of sections of the scene as a restart would have it: {"title", "path", "doc", "optional" where it may be taken
// away, "fields": rows of FieldRows}. A row whose value is another one in `now`, the scene that runs, has that as
// "now". Materials are as events up to `time` have made them.
nlohmann::ordered_json panel_json(const Scene& now, const Scene& next, double time);

}  // namespace knead
