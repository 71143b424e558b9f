// FNV-1a, 64 bits: a hash of bytes that is the same on every machine. Against accidents, not forgers.
#pragma once

#include <cstdint>
#include <string_view>

namespace knead {

inline constexpr std::uint64_t fnv_start = 0xCBF29CE484222325u;

// Goes on from `hash`, so that a text may come in pieces.
constexpr std::uint64_t fnv(std::string_view bytes, std::uint64_t hash = fnv_start) {
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3u;
  return hash;
}
static_assert(fnv("") == fnv_start && fnv("a") == 0xAF63DC4C8601EC8Cu &&
              fnv("r", fnv("foo"
                           "ba")) == 0x85944171F73967E8u);

}  // namespace knead
