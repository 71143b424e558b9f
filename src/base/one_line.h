// Text that is not our own, within a line of a message: a line break in it would let it pose as a line of ours.
#pragma once

#include <string>
#include <string_view>

namespace knead {

// With \n for each line break.
inline std::string one_line(std::string_view text) {
  std::string line;
  line.reserve(text.size());
  for (const char c : text) {
    if (c == '\n')
      line += "\\n";
    else
      line += c;
  }
  return line;
}

}  // namespace knead
