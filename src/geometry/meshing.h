// How a body's shape is filled with triangles (2D) or tetrahedra (3D).
#pragma once

#include <span>

namespace knead {

enum class Meshing { stuffed, delaunay };

inline std::span<const char* const> enum_names(Meshing) {
  static constexpr const char* names[] = {"stuffed", "delaunay"};
  return names;
}

}  // namespace knead
