// How a body's shape is filled with particles.
#pragma once

#include <span>

namespace knead {

enum class Sampling { lattice, jittered, poisson, file };

inline std::span<const char* const> enum_names(Sampling) {
  static constexpr const char* names[] = {"lattice", "jittered", "poisson", "file"};
  return names;
}

}  // namespace knead
