// A key or section of a TOML text that is there already: where it stands, and where it stood first.
#pragma once

#include "scene/mistakes.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace knead {

struct DefinedTwice {
  std::string key;  // as it reads, its parts joined by dots
  Place first, second;
};

// The parts of a dotted key as TOML reads them, without quotes and escapes.
using KeyParts = std::function<std::vector<std::string>(std::string_view key)>;

// Of the last key or section that begins at `end` or before; nothing where that is new. The text must be well-formed
// up to there.
std::optional<DefinedTwice> find_defined_twice(std::string_view text, const Place& end, const KeyParts& parts_of);

}  // namespace knead
