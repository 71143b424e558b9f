#include "geometry/simplex_edges.h"

#include <algorithm>

namespace knead {

template <int d>
std::vector<std::array<int, 2>> sorted_edges(const SimplexMesh<d>& mesh) {
  std::vector<std::array<int, 2>> edges;
  edges.reserve(mesh.cells.size() * (d + 1) * d / 2);
  for (const auto& cell : mesh.cells)
    for (std::size_t i = 0; i <= d; ++i)
      for (std::size_t j = i + 1; j <= d; ++j)
        edges.push_back({std::min(cell[i], cell[j]), std::max(cell[i], cell[j])});
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  return edges;
}

template std::vector<std::array<int, 2>> sorted_edges(const SimplexMesh<2>&);
template std::vector<std::array<int, 2>> sorted_edges(const SimplexMesh<3>&);

}  // namespace knead
