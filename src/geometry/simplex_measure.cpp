#include "geometry/simplex_measure.h"

#include "base/elementary.h"
#include "base/groups.h"
#include "geometry/simplex_edges.h"

#include <fmt/format.h>

#include <numbers>

namespace knead {

template <int d>
double total_volume(const SimplexMesh<d>& mesh) {
  double total = 0;
  for (const auto& cell : mesh.cells) total += signed_volume<d>(corners_of(mesh, cell));
  return total;
}

namespace {

// A side of a cell, with its corners in rising order so that both cells that share it have the same.
template <int d>
struct Side {
  std::array<int, d> corners;
  std::size_t cell;
  int opposite;
  bool operator<(const Side& b) const { return corners != b.corners ? corners < b.corners : cell < b.cell; }
};

template <int d>
std::vector<Side<d>> sorted_sides(const SimplexMesh<d>& mesh) {
  std::vector<Side<d>> sides;
  sides.reserve(mesh.cells.size() * (d + 1));
  for (std::size_t c = 0; c < mesh.cells.size(); ++c)
    for (int k = 0; k <= d; ++k) {
      Side<d> side{{}, c, k};
      const auto s = side_of<d>(k);
      for (std::size_t i = 0; i < d; ++i) side.corners[i] = mesh.cells[c][static_cast<std::size_t>(s[i])];
      std::sort(side.corners.begin(), side.corners.end());
      sides.push_back(side);
    }
  std::sort(sides.begin(), sides.end());
  return sides;
}

// The two corners of a tetrahedron besides i and j.
std::array<std::size_t, 2> other_corners(std::size_t i, std::size_t j) {
  std::array<std::size_t, 2> others{};
  std::size_t n = 0;
  for (std::size_t k = 0; k < 4; ++k)
    if (k != i && k != j) others[n++] = k;
  return others;
}

// f(i, j, angle in rad) for every two sides of a cell, those opposite to the corners i and j.
template <int d, class F>
void for_each_angle(const SimplexCorners<d>& x, F&& f) {
  std::array<Vec<double, d>, d + 1> normals;
  for (int k = 0; k <= d; ++k) {
    const auto s = side_of<d>(k);
    const Vec<double, d>&a = x[static_cast<std::size_t>(s[0])], &b = x[static_cast<std::size_t>(s[1])];
    if constexpr (d == 2)
      normals[static_cast<std::size_t>(k)] = normalized(Vec2d{b[1] - a[1], a[0] - b[0]});
    else
      normals[static_cast<std::size_t>(k)] = normalized(cross(b - a, x[static_cast<std::size_t>(s[2])] - a));
  }
  for (std::size_t i = 0; i <= d; ++i)
    for (std::size_t j = i + 1; j <= d; ++j)
      f(i, j, std::numbers::pi - elementary::acos(std::clamp(dot(normals[i], normals[j]), -1.0, 1.0)));
}

}  // namespace

template <int d>
double mean_width(const SimplexCorners<d>& x) {
  double width = 0;
  for_each_angle<d>(x, [&](std::size_t i, std::size_t j, double angle) {
    if constexpr (d == 2) {
      width += length(x[j] - x[i]) / std::numbers::pi;
    } else {
      const auto [a, b] = other_corners(i, j);
      width += length(x[b] - x[a]) * (std::numbers::pi - angle) / (4 * std::numbers::pi);
    }
  });
  return width;
}
template double mean_width<2>(const SimplexCorners<2>&);
template double mean_width<3>(const SimplexCorners<3>&);

template <int d>
double mean_edge(const SimplexMesh<d>& mesh) {
  const std::vector<std::array<int, 2>> edges = sorted_edges(mesh);
  double total = 0;
  for (const auto& [a, b] : edges)
    total += length(mesh.points[static_cast<std::size_t>(b)] - mesh.points[static_cast<std::size_t>(a)]);
  return edges.empty() ? 0 : total / static_cast<double>(edges.size());
}

template <int d>
std::vector<typename SimplexMesh<d>::Facet> boundary_facets(const SimplexMesh<d>& mesh) {
  const std::vector<Side<d>> sides = sorted_sides(mesh);
  std::vector<std::size_t> single;  // cell and opposite corner in one number
  for (std::size_t i = 0, j = 0; i < sides.size(); i = j) {
    while (j < sides.size() && sides[j].corners == sides[i].corners) ++j;
    if (j == i + 1) single.push_back(sides[i].cell * (d + 1) + static_cast<std::size_t>(sides[i].opposite));
  }
  std::sort(single.begin(), single.end());
  std::vector<typename SimplexMesh<d>::Facet> facets;
  facets.reserve(single.size());
  for (std::size_t n : single) {
    const auto s = side_of<d>(static_cast<int>(n % (d + 1)));
    typename SimplexMesh<d>::Facet facet;
    for (std::size_t i = 0; i < d; ++i) facet[i] = mesh.cells[n / (d + 1)][static_cast<std::size_t>(s[i])];
    facets.push_back(facet);
  }
  return facets;
}

template <int d>
long euler_number(const SimplexMesh<d>& mesh) {
  std::vector<char> used(mesh.points.size(), 0);
  for (const auto& cell : mesh.cells)
    for (int p : cell) used[static_cast<std::size_t>(p)] = 1;
  const long points = std::count(used.begin(), used.end(), 1);
  const long edges = static_cast<long>(sorted_edges(mesh).size()), cells = static_cast<long>(mesh.cells.size());
  if (d == 2) return points - edges + cells;
  const std::vector<Side<d>> sides = sorted_sides(mesh);
  long faces = 0;
  for (std::size_t i = 0; i < sides.size(); ++i) faces += i == 0 || sides[i].corners != sides[i - 1].corners;
  return points - edges + faces - cells;
}

template <int d>
std::size_t drop_unused_points(SimplexMesh<d>& mesh) {
  std::vector<int> place(mesh.points.size(), -1);
  for (const auto& cell : mesh.cells)
    for (int p : cell) place[static_cast<std::size_t>(p)] = 0;
  int kept = 0;
  for (std::size_t p = 0; p < place.size(); ++p)
    if (place[p] == 0) {
      mesh.points[static_cast<std::size_t>(kept)] = mesh.points[p];
      place[p] = kept++;
    }
  const std::size_t dropped = mesh.points.size() - static_cast<std::size_t>(kept);
  mesh.points.resize(static_cast<std::size_t>(kept));
  for (auto& cell : mesh.cells)
    for (int& p : cell) p = place[static_cast<std::size_t>(p)];
  return dropped;
}

// How many parts there are that have no corner in common.
template <int d>
std::size_t parts_of(const SimplexMesh<d>& mesh) {
  Groups groups(mesh.points.size());
  std::vector<bool> used(mesh.points.size(), false);
  for (const auto& cell : mesh.cells)
    for (const int p : cell) {
      groups.join(static_cast<std::size_t>(p), static_cast<std::size_t>(cell[0]));
      used[static_cast<std::size_t>(p)] = true;
    }
  std::size_t parts = 0;
  for (std::size_t p = 0; p < used.size(); ++p) parts += used[p] && groups.find(p) == p;
  return parts;
}

template <int d>
SimplexQuality quality_of(const SimplexMesh<d>& mesh, std::optional<double> shape_volume) {
  SimplexQuality q{d, mesh.cells.size(), mesh.points.size(), parts_of(mesh), mean_edge(mesh)};
  q.shape_volume = shape_volume;
  q.volume = total_volume(mesh);
  if (mesh.cells.empty()) return q;
  double least = 4, largest = 0, altitude = 1e300;
  for (const auto& cell : mesh.cells) {
    const SimplexCorners<d> x = corners_of(mesh, cell);
    const double a = least_altitude<d>(x) / q.mean_edge;
    altitude = std::min(altitude, a);
    q.slivers += a < sliver_altitude;
    for_each_angle<d>(x, [&](std::size_t, std::size_t, double angle) {
      least = std::min(least, angle), largest = std::max(largest, angle);
    });
  }
  q.least_altitude = altitude;
  q.least_angle = least * 180 / std::numbers::pi;
  q.largest_angle = largest * 180 / std::numbers::pi;
  return q;
}

std::vector<std::string> to_lines(const SimplexQuality& q) {
  const char* cells = q.dim == 2 ? "triangles" : "tetrahedra";
  const char* unit = q.dim == 2 ? "m²" : "m³";
  std::vector<std::string> lines;
  lines.push_back(fmt::format("{} {}{}, {} points, mean edge {:.4g} m", q.cells, cells,
                              q.parts > 1 ? fmt::format(" in {} parts", q.parts) : "", q.points, q.mean_edge));
  lines.push_back(fmt::format("least altitude {:.3g} mean edges, {}angles {:.1f} to {:.1f} degrees", q.least_altitude,
                              q.dim == 2 ? "" : "dihedral ", q.least_angle, q.largest_angle));
  if (q.slivers > 0)
    lines.push_back(fmt::format("{} sliver{}: altitude below {} mean edges", q.slivers, q.slivers == 1 ? "" : "s",
                                sliver_altitude));
  lines.push_back(q.shape_volume ? fmt::format("volume {:.6g} {}, the shape's {:.6g} ({:+.3f} %)", q.volume, unit,
                                               *q.shape_volume, 100 * (q.volume / *q.shape_volume - 1))
                                 : fmt::format("volume {:.6g} {}", q.volume, unit));
  return lines;
}

#define KNEAD_FOR_DIMENSION(d)                                                                 \
  template double total_volume(const SimplexMesh<d>&);                                         \
  template double mean_edge(const SimplexMesh<d>&);                                            \
  template std::vector<typename SimplexMesh<d>::Facet> boundary_facets(const SimplexMesh<d>&); \
  template long euler_number(const SimplexMesh<d>&);                                           \
  template std::size_t drop_unused_points(SimplexMesh<d>&);                                    \
  template SimplexQuality quality_of(const SimplexMesh<d>&, std::optional<double>);
KNEAD_FOR_DIMENSION(2)
KNEAD_FOR_DIMENSION(3)
#undef KNEAD_FOR_DIMENSION

}  // namespace knead
