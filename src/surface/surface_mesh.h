// The surface of a body in one frame, as renderers and mesh files take it.
#pragma once

#include "base/vec.h"

#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace knead {

// Numbers of a surface's points, of so many components each.
struct PointColumn {
  std::string name;
  int components = 1;
  std::vector<float> values;
};

// Outside first, then what a crack has laid open: two groups of triangles that take different textures. In 2D, with
// z = 0, the triangles fill the body and the lines are its outline and its cracks, matter to their left.
struct SurfaceMesh {
  std::vector<Vec3d> points;      // m; the input's vertices first, in the input's order
  std::vector<Vec3d> rest;        // m, where each was at rest, for textures of the inside; empty where it is not known
  std::vector<Vec3d> velocity{};  // m/s, of each; empty where it is not known
  std::vector<double> damage{};   // share of the strength that is lost, of each; empty where it is not known
  std::vector<PointColumn> columns{};    // what else is known of them
  std::vector<int> vertex;               // of the body's mesh: the one that it is, or one whose core it is of
  std::vector<Vec3i> triangles;          // against the clock, seen from outside
  std::size_t outer = 0;                 // so many triangles are of the outside
  std::vector<std::array<Vec2d, 3>> uv;  // of the outer triangles' corners; empty where the input has none
  std::vector<int> source;               // of the outer triangles: which of the input each is or is a part of
  std::vector<Vec2i> lines;              // 2D only
  std::size_t outer_lines = 0;           // so many of them are of the outline
  bool smooth = false;                   // it has no creases: each point has one normal
};

// Normals of corners, smooth within a group where the surface is, and not across creases of a mesh that is not
// `smooth`, nor from outside to crack.
struct CornerNormals {
  std::vector<Vec3f> normals;
  std::vector<Vec3i> of_corner;  // of each triangle
};

// `crease` is the largest angle between triangles that are smoothed into each other, in rad.
CornerNormals corner_normals(const SurfaceMesh& mesh, double crease = 0.7);

// The same mesh for files that know one normal and one texture coordinate a vertex: those that would need several are
// repeated, behind the others.
struct SplitMesh {
  std::vector<int> point;        // which of the mesh's each vertex is
  std::vector<Vec3f> normals;    // of each vertex
  std::vector<Vec2d> uv;         // of each vertex; 0 where it has none
  std::vector<Vec3i> triangles;  // the mesh's, in terms of these vertices
};
SplitMesh split_corners(const SurfaceMesh& mesh);

}  // namespace knead
