// The edges of a mesh, gathered so that all uses of one edge stand together.
#pragma once

#include "geometry/mesh.h"

namespace knead {

struct EdgeUse {
  int low = 0, high = 0;  // vertices, low < high
  int triangle = 0;
  int opposite = 0;      // the corner (0 to 2) of the triangle that faces the edge
  bool forward = false;  // the triangle runs it from low to high
};

// All edge uses, three a triangle, sorted by edge and then by triangle.
std::vector<EdgeUse> sorted_edges(const TriangleMesh& mesh);

}  // namespace knead
