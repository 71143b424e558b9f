// What the JSON library says of a mistake, in this program's words.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace knead {

// "[json.exception.parse_error.101] parse error at line 1, column 2: syntax error while parsing value - invalid
// literal" becomes "line 1, column 2: invalid literal", and "[…] key 'do' not found" "'do' is missing".
inline std::string json_words(std::string_view said) {
  const auto cut = [&](std::string_view start) {
    if (said.starts_with(start)) said.remove_prefix(start.size());
  };
  if (said.starts_with('[')) said.remove_prefix(std::min(said.size(), said.find(']') + 1));
  cut(" "), cut("parse error at ");
  if (said.starts_with("key '") && said.ends_with(" not found"))
    return std::string(said.substr(4, said.size() - 14)) + " is missing";
  if (const std::string_view start = "number overflow parsing "; said.starts_with(start))
    return "the number " + std::string(said.substr(start.size())) + " is out of range";
  const std::size_t what = said.find("syntax error while parsing "), reason = said.find(" - ", what);
  if (what == said.npos || reason == said.npos) return std::string(said);
  return std::string(said.substr(0, what)) + std::string(said.substr(reason + 3));
}

}  // namespace knead
