// How a body's shape is filled with particles.
#pragma once

#include <span>

namespace knead {

enum class Sampling { lattice, jittered, poisson, file };

inline std::span<const char* const> enum_names(Sampling) {
  static constexpr const char* names[] = {"lattice", "jittered", "poisson", "file"};
  return names;
}

// Whether a body is a mesh of triangles (2D) or tetrahedra (3D), and where that comes from.
enum class CellSource { none, stuffed, delaunay, file };

inline std::span<const char* const> enum_names(CellSource) {
  static constexpr const char* names[] = {"none", "stuffed", "delaunay", "file"};
  return names;
}

}  // namespace knead
