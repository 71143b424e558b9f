// Materials by the names of real things: a model and values for its keys, each with its source.
#pragma once

#include <span>
#include <string_view>

namespace knead {

struct PresetValue {
  const char* key;
  const char* value;   // as a scene would say it: "140 kPa"
  const char* source;  // where the number is from
};

struct Preset {
  const char* name;
  const char* model;
  const char* doc;
  std::span<const PresetValue> values;
};

std::span<const Preset> presets();
// Null where there is none of that name.
const Preset* find_preset(std::string_view name);

// Whether two keys of a material say the same thing in different ways, so that giving one replaces the other.
bool are_rivals(std::string_view key, std::string_view other);

}  // namespace knead
