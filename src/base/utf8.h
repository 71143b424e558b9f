// Letters of UTF-8 text.
#pragma once

#include <cstddef>
#include <string_view>

namespace knead {

// The length of the UTF-8 sequence at the start of `s`, or 0 where there is none. Overlong forms and surrogates are
// none.
inline std::size_t utf8_length(std::string_view s) {
  const auto byte = [&](std::size_t i) { return i < s.size() ? static_cast<unsigned char>(s[i]) : 0u; };
  const auto follows = [&](std::size_t i) { return (byte(i) & 0xC0u) == 0x80u; };
  const unsigned a = byte(0), b = byte(1);
  if (s.empty()) return 0;
  if (a < 0x80) return 1;
  if (a >= 0xC2 && a <= 0xDF) return follows(1) ? 2 : 0;
  if (a >= 0xE0 && a <= 0xEF) {
    const bool allowed = !(a == 0xE0 && b < 0xA0) && !(a == 0xED && b > 0x9F);
    return allowed && follows(1) && follows(2) ? 3 : 0;
  }
  if (a >= 0xF0 && a <= 0xF4) {
    const bool allowed = !(a == 0xF0 && b < 0x90) && !(a == 0xF4 && b > 0x8F);
    return allowed && follows(1) && follows(2) && follows(3) ? 4 : 0;
  }
  return 0;
}

}  // namespace knead
