#include "sample/sample_cells.h"

#include "geometry/simplex_edges.h"
#include "geometry/simplex_measure.h"

namespace knead {

template <int d>
CellSample sample_cells(const SimplexMesh<d>& mesh, bool inside) {
  constexpr double share_inside = 0.5;
  // The mean of the corners of the part of corner a: in 3D a, three middles of edges, three of triangles and the middle
  // of the cell; in 2D a, two middles of edges and the middle.
  constexpr double own = d == 3 ? (1 + 3.0 / 2 + 3.0 / 3 + 1.0 / 4) / 8 : (1 + 2.0 / 2 + 1.0 / 3) / 4;
  constexpr double other = (1 - own) / d;
  CellSample s;
  s.corners = mesh.points.size();
  for (const Vec<double, d>& x : mesh.points) s.sample.points.push_back(resized<double, 3>(x));
  s.sample.shares.assign(s.corners, 0.0);
  for (const auto& cell : mesh.cells) {
    const SimplexCorners<d> x = corners_of(mesh, cell);
    const double volume = signed_volume<d>(x), part = volume / (d + 1);
    s.sample.volume += volume;
    std::array<int, 4> corners{-1, -1, -1, -1};
    Vec<double, d> sum{};
    for (std::size_t k = 0; k <= d; ++k) {
      corners[k] = cell[k], sum += x[k];
      s.sample.shares[static_cast<std::size_t>(cell[k])] += part * (inside ? 1 - share_inside : 1);
    }
    s.cells.push_back(corners);
    if (!inside) continue;
    for (std::size_t k = 0; k <= d; ++k) {
      s.sample.points.push_back(resized<double, 3>(own * x[k] + other * (sum - x[k])));
      s.sample.shares.push_back(part * share_inside);
    }
  }
  s.edges = sorted_edges(mesh);
  return s;
}

template CellSample sample_cells(const SimplexMesh<2>&, bool);
template CellSample sample_cells(const SimplexMesh<3>&, bool);

}  // namespace knead
