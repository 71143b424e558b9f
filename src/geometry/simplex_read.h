// Reading meshes of triangles (2D) or tetrahedra (3D) from the files of other meshing programs.
#pragma once

#include "geometry/simplex_mesh.h"

#include <filesystem>
#include <string>

namespace knead {

struct SimplexReadReport {
  std::size_t turned = 0;             // cells whose corners were reordered to a positive volume
  std::size_t unused = 0;             // points that no cell uses, dropped
  std::vector<std::string> warnings;  // all of this as sentences
};

// Gmsh .msh (2.2 and 4.1, text and binary), Medit .mesh, VTK .vtk (text), and TetGen's or Triangle's .node with .ele
// (name either). Points keep the order of the file. In 2D the triangles are taken and z must be 0. Fails with the file,
// the line or byte, what is wrong and what would be right.
template <int d>
SimplexMesh<d> read_simplices(const std::filesystem::path& file, SimplexReadReport* report = nullptr);

}  // namespace knead
