// What can be added to a scene, or be another in it, with what each needs: from the same tables as the panel.
#pragma once

#include "scene/scene.h"

#include <nlohmann/json.hpp>

namespace knead {

// {"variants": {"shape": [{"name", "tag", "doc", "fields": rows of FieldRows with their defaults}], ...},
//  "lists": {"body": {"doc", "fields"}, ...},
//  "presets": [{"name", "model", "doc"}], "quantities": what probes measure, "walls": those of the domain}
// with what the scene's method can have.
nlohmann::ordered_json forms_json(const Scene&);

}  // namespace knead
