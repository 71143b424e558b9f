// rest_mesh.h5: the meshes of a run at rest, whose vertices are particles of its frames. Written once a run, by methods
// that have meshes; cracks are drawn from it. docs/output.md has the layout.
#pragma once

#include "geometry/simplex_mesh.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace knead {

template <int d>
struct RestMesh {
  std::string body;        // name of the scene's body
  std::int32_t index = 0;  // its number, as in the column `body`
  SimplexMesh<d> mesh;
  std::vector<std::int32_t> particles;  // `id` of the particle that each point is
  double stretch = 1.5;                 // an edge stretched further counts as broken
  // Of the input surface, in 3D; all may be empty. In 2D `uv` is that of the cells' corners.
  std::vector<std::array<int, 3>> surface;  // its triangles, as points of the mesh, in its order
  std::vector<std::array<Vec2d, 3>> uv;     // texture coordinates of their corners
  std::int32_t input_vertices = 0;          // so many of the first points are its vertices, in its order
};

// Equal meshes give equal bytes.
template <int d>
void write_rest_meshes(const std::filesystem::path& path, const std::vector<RestMesh<d>>& meshes);

// 2 or 3. Fails like the next.
int rest_mesh_dimension(const std::filesystem::path& path);

// Fails (bad_input) where the file is damaged, of another kind, newer or of another dimension; (file) where it cannot
// be opened.
template <int d>
std::vector<RestMesh<d>> read_rest_meshes(const std::filesystem::path& path);

}  // namespace knead
