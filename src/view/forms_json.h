// What can be added to a scene, or be another in it, with what each needs: from the same tables as the panel.
#pragma once

#include <nlohmann/json.hpp>

namespace knead {

// {"variants": {"shape": [{"name", "tag", "doc", "fields": rows of FieldRows with their defaults}], ...},
//  "lists": {"body": {"doc", "fields"}, ...},
//  "presets": [{"name", "model", "doc"}]}
nlohmann::ordered_json forms_json(int dimension);

}  // namespace knead
