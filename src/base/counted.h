// Numbers of things in messages.
#pragma once

#include <fmt/format.h>

#include <string>

namespace knead {

// "1 frame", "2 frames".
template <class Number>
std::string counted(Number n, const char* what) {
  return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
}

}  // namespace knead
