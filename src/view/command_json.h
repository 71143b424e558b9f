// Commands of the page, as JSON: docs/view.md lists them.
#pragma once

#include "view/live.h"

#include <nlohmann/json.hpp>

namespace knead {

// Does what `text` asks for and gives what came of it. Fails (bad_input) where it is no command.
nlohmann::ordered_json obey(LiveRun& live, const std::string& text);

}  // namespace knead
