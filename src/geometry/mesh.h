// Triangle meshes: reading them from files, checking and repairing them.
#pragma once

#include "base/vec.h"
#include "geometry/bounds.h"

#include <array>
#include <filesystem>
#include <string>
#include <vector>

namespace knead {

struct TriangleMesh {
  std::vector<Vec3d> vertices;
  std::vector<Vec3i> triangles;  // corners against the clock, seen from outside
  // Texture coordinates of each triangle's corners, v upwards; empty where the file has none, zeros where a face of a
  // file that has some has none.
  std::vector<std::array<Vec2d, 3>> uv = {};
};

// What was found and repaired while a mesh was checked.
struct MeshReport {
  std::size_t welded = 0;      // vertices merged into another at the same place
  std::size_t degenerate = 0;  // triangles without an area, removed
  std::size_t duplicate = 0;   // triangles that another repeats, removed
  std::size_t turned = 0;      // triangles turned to agree with their neighbours
  bool flipped = false;        // the whole surface, or a part of it, was inside out
  bool manifold = true;        // two triangles at every edge
  bool intersects_itself = false;
  std::vector<std::string> warnings;  // all of this as sentences
};

Bounds bounds_of(const TriangleMesh& mesh);

// The volume inside, by the divergence theorem; negative where the surface is inside out.
double signed_volume(const TriangleMesh& mesh);

// Reads OBJ, PLY (text and binary), STL (text and binary), glTF and GLB. Vertices of OBJ and PLY come in the file's
// order and with all of its digits. Only regular files are opened, and never the materials or pictures that a mesh file
// names. Fails with the file, the line or byte, and what is wrong.
TriangleMesh read_triangles(const std::filesystem::path& file);

// Makes a closed, consistently oriented surface of a triangle soup, or fails and says why it cannot. `name` is what
// messages call it. The vertices left, each the first at its place and a corner of a triangle, keep their order, the
// triangles left theirs and their texture coordinates; one that is turned keeps its first corner.
MeshReport repair(TriangleMesh& mesh, const std::string& name);

// Both of the above.
TriangleMesh read_mesh(const std::filesystem::path& file, MeshReport* report = nullptr);

}  // namespace knead
