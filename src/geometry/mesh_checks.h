// Strict readers of mesh files, and strict checks of those that a lenient reader sees then. Each fails with the file,
// the line or byte, and the cause.
#pragma once

#include "geometry/mesh.h"

#include <string>
#include <string_view>

namespace knead {

inline constexpr double largest_coordinate = 1e12;       // in the file's units
inline constexpr long most_corners = 4096;               // of one face
inline constexpr long long most_elements = 200'000'000;  // vertices or faces of one file

TriangleMesh obj_triangles(std::string_view text, const std::string& name);
TriangleMesh ply_triangles(std::string_view text, const std::string& name);

// Only what matters is kept of a text STL file: the triangles, in one spelling.
std::string checked_stl(std::string text, const std::string& name);
void check_gltf(std::string_view text, const std::string& name, bool binary);

}  // namespace knead
