// A mesh into particles: its corners, and more of them inside its cells.
#pragma once

#include "geometry/simplex_mesh.h"
#include "sample/sample.h"

namespace knead {

// The mesh with the particles that it becomes: the corners first, then those inside, cell by cell, one in each part of
// a cell that is nearest to a corner (Wang 2020, Fig. 3.15).
struct CellSample {
  Sample sample;
  std::size_t corners = 0;                  // so many particles are corners
  std::vector<std::array<int, 4>> cells{};  // 3 corners in 2D, 4 in 3D
  std::vector<std::array<int, 2>> edges{};  // as sorted_edges() has them
};

// Half of a cell's matter goes to its corners, and half to the particles inside; all to the corners without these.
template <int d>
CellSample sample_cells(const SimplexMesh<d>& mesh, bool inside);

}  // namespace knead
