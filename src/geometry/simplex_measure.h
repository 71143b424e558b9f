// Measures of meshes of triangles (2D) or tetrahedra (3D): volume, boundary, edges, and how well shaped the cells are.
#pragma once

#include "geometry/simplex_mesh.h"

#include <algorithm>
#include <optional>
#include <string>

namespace knead {

template <int d>
using SimplexCorners = std::array<Vec<double, d>, d + 1>;

// The corners that a side of a cell has, opposite to corner k, seen from outside against the clock.
template <int d>
std::array<int, d> side_of(int k) {
  if constexpr (d == 2) {
    return {(k + 1) % 3, (k + 2) % 3};
  } else {
    constexpr std::array<int, 3> sides[] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
    return sides[k];
  }
}

template <int d>
SimplexCorners<d> corners_of(const SimplexMesh<d>& mesh, const typename SimplexMesh<d>::Cell& cell) {
  SimplexCorners<d> x;
  for (std::size_t k = 0; k <= d; ++k) x[k] = mesh.points[static_cast<std::size_t>(cell[k])];
  return x;
}

// Positive where the corners stand in the order of SimplexMesh; area in 2D.
template <int d>
double signed_volume(const SimplexCorners<d>& x) {
  if constexpr (d == 2) {
    const Vec2d a = x[1] - x[0], b = x[2] - x[0];
    return 0.5 * (a[0] * b[1] - a[1] * b[0]);
  } else {
    return dot(x[1] - x[0], cross(x[2] - x[0], x[3] - x[0])) / 6;
  }
}

// The least height of a corner above the side that faces it; negative where the cell is inside out.
template <int d>
double least_altitude(const SimplexCorners<d>& x) {
  double largest = 0;  // side, as length or area
  for (int k = 0; k <= d; ++k) {
    const auto s = side_of<d>(k);
    const Vec<double, d>&a = x[static_cast<std::size_t>(s[0])], &b = x[static_cast<std::size_t>(s[1])];
    if constexpr (d == 2)
      largest = std::max(largest, length(b - a));
    else
      largest = std::max(largest, 0.5 * length(cross(b - a, x[static_cast<std::size_t>(s[2])] - a)));
  }
  return largest > 0 ? d * signed_volume<d>(x) / largest : 0;
}

template <int d>
double longest_edge(const SimplexCorners<d>& x) {
  double longest = 0;
  for (std::size_t i = 0; i <= d; ++i)
    for (std::size_t j = i + 1; j <= d; ++j) longest = std::max(longest, length(x[j] - x[i]));
  return longest;
}

// The mean of its extents over all directions: by the lengths of the edges and the angles outside them.
template <int d>
double mean_width(const SimplexCorners<d>& x);

template <int d>
double total_volume(const SimplexMesh<d>& mesh);

template <int d>
double mean_edge(const SimplexMesh<d>& mesh);

// The sides that belong to one cell only, in the order of the cells.
template <int d>
std::vector<typename SimplexMesh<d>::Facet> boundary_facets(const SimplexMesh<d>& mesh);

// Points less edges plus faces (less cells in 3D): 1 for a ball, 0 for a solid ring.
template <int d>
long euler_number(const SimplexMesh<d>& mesh);

// Drops points that no cell uses, keeping the order of the others; says how many there were.
template <int d>
std::size_t drop_unused_points(SimplexMesh<d>& mesh);

struct SimplexQuality {
  int dim = 3;
  std::size_t cells = 0, points = 0, parts = 0;  // parts have no corner in common
  double mean_edge = 0;                          // m
  double least_altitude = 0;                     // over the mean edge
  double least_angle = 0, largest_angle = 0;     // degrees; between sides, in 3D dihedral
  std::size_t slivers = 0;                       // cells with an altitude below sliver_altitude mean edges
  double volume = 0;                             // m^3, in 2D m^2
  std::optional<double> shape_volume{};          // what it should be
};

// Cells flatter than this, over the mean edge, are slivers: they limit the step and turn inside out easily.
inline constexpr double sliver_altitude = 0.1;

template <int d>
SimplexQuality quality_of(const SimplexMesh<d>& mesh, std::optional<double> shape_volume = {});

// The quality as lines of text for users.
std::vector<std::string> to_lines(const SimplexQuality& quality);

}  // namespace knead
