// Strict checks of mesh files before the lenient reader sees them. Each fails with the file, the line or byte, and the
// cause.
#pragma once

#include <string>
#include <string_view>

namespace knead {

inline constexpr double largest_coordinate = 1e12;       // in the file's units
inline constexpr long most_corners = 4096;               // of one face
inline constexpr long long most_elements = 200'000'000;  // vertices or faces of one file

// Only what matters is kept of an OBJ or text STL file: vertices and faces, one spelling, indices that count from 1. So
// neither materials nor lines, curves or texture coordinates ever reach the reader.
std::string checked_obj(std::string_view text, const std::string& name);
std::string checked_stl(std::string text, const std::string& name);
void check_ply(std::string_view text, const std::string& name);
void check_gltf(std::string_view text, const std::string& name, bool binary);

}  // namespace knead
