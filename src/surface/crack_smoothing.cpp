#include "surface/crack_smoothing.h"

#include "base/mat.h"

#include <algorithm>

namespace knead {

namespace {

// Shares of corners, none below the least, that sum up to 1.
template <std::size_t n>
std::array<double, n> held_inside(std::array<double, n> shares) {
  double above = 0;
  for (double& share : shares) above += share = std::max(0., share - least_share);
  const double scale = above > 0 ? (1 - double(n) * least_share) / above : 0;
  for (double& share : shares) share = least_share + (above > 0 ? share * scale : 1. / double(n) - least_share);
  return shares;
}

// Points are put where shares of the corners say, and never elsewhere.
template <int d>
void put_edge(const CoreComplex<d>& complex, RestPoints<d>& rest, std::size_t e, double share) {
  const double s = std::clamp(share, least_share, 1 - least_share);
  const auto& [a, b] = complex.edges[e];
  rest.along[e] = s;
  rest.edge[e] = complex.points[std::size_t(a)] * (1 - s) + complex.points[std::size_t(b)] * s;
}
template <int d, std::size_t n>
Vec<double, d> at_shares(const CoreComplex<d>& complex, const std::array<int, n>& corners,
                         const std::array<double, n>& shares) {
  Vec<double, d> sum{};
  for (std::size_t i = 0; i < n; ++i) sum += complex.points[std::size_t(corners[i])] * shares[i];
  return sum;
}

// The shares of a triangle's corners in the point of its plane that is nearest to y.
template <int d>
std::array<double, 3> shares_in_triangle(const CoreComplex<d>& complex, const std::array<int, 3>& t,
                                         const Vec<double, d>& y) {
  const Vec<double, d> a = complex.points[std::size_t(t[0])];
  const Vec<double, d> u = complex.points[std::size_t(t[1])] - a, v = complex.points[std::size_t(t[2])] - a, w = y - a;
  const double uu = dot(u, u), uv = dot(u, v), vv = dot(v, v), uw = dot(u, w), vw = dot(v, w);
  const double below = uu * vv - uv * uv;
  const double s = (uw * vv - vw * uv) / below, r = (vw * uu - uw * uv) / below;
  return {1 - s - r, s, r};
}
template <int d>
void put_triangle(const CoreComplex<d>& complex, RestPoints<d>& rest, std::size_t t, const Vec<double, d>& y) {
  const auto& corners = complex.triangles[t];
  rest.inside[t] = held_inside(shares_in_triangle(complex, corners, y));
  rest.triangle[t] = at_shares(complex, corners, rest.inside[t]);
}
void put_tet(const CoreComplex<3>& complex, RestPoints<3>& rest, std::size_t t, const Vec3d& y) {
  const auto& corners = complex.tets[t];
  Mat3d sides{};
  for (int i = 0; i < 3; ++i) {
    const Vec3d side =
        complex.points[std::size_t(corners[std::size_t(i) + 1])] - complex.points[std::size_t(corners[0])];
    for (int k = 0; k < 3; ++k) sides(k, i) = side[k];
  }
  const Vec3d s = inverse(sides) * (y - complex.points[std::size_t(corners[0])]);
  rest.tet[t] = at_shares(complex, corners, held_inside(std::array<double, 4>{1 - sum(s), s[0], s[1], s[2]}));
}

// Where the straight line between the points of the two triangles at an edge crosses it, once they are unfolded into
// one plane: with s_k along the edge and h_k off it, (s_1 h_2 + s_2 h_1) / (h_1 + h_2).
template <int d>
double crossing(const CoreComplex<d>& complex, const std::array<int, 2>& edge, const Vec<double, d>& f_1,
                const Vec<double, d>& f_2) {
  const Vec<double, d> a = complex.points[std::size_t(edge[0])], side = complex.points[std::size_t(edge[1])] - a;
  const double L = length(side);
  const Vec<double, d> along = side / L;
  const double s_1 = dot(f_1 - a, along), s_2 = dot(f_2 - a, along);
  const double h_1 = length(f_1 - a - along * s_1), h_2 = length(f_2 - a - along * s_2);
  return (s_1 * h_2 + s_2 * h_1) / ((h_1 + h_2) * L);
}

// The curve in which the crack meets the surface. A triangle's point goes to the middle of the points of its broken
// edges, unless it is the crack's tip, with one such edge only; an edge's point goes to where the way between its two
// triangles' points crosses it.
template <int d>
void smooth_curve(const CoreComplex<d>& complex, std::span<const std::uint8_t> broken, int iterations,
                  RestPoints<d>& rest) {
  for (int iteration = 0; iteration < iterations; ++iteration) {
    for (const SheetTriangle& sheet : complex.sheet) {
      Vec<double, d> middle{};
      int neighbours = 0;
      for (const int e : complex.triangle_edges[std::size_t(sheet.triangle)])
        if (broken[std::size_t(e)]) middle += rest.edge[std::size_t(e)], ++neighbours;
      if (neighbours >= 2) put_triangle(complex, rest, std::size_t(sheet.triangle), middle / double(neighbours));
    }
    for (std::size_t e = 0; e < complex.edges.size(); ++e) {
      const auto& [one, two] = complex.edge_sheet[e];
      if (!broken[e] || two < 0) continue;
      const auto point_of = [&](int i) { return rest.triangle[std::size_t(complex.sheet[std::size_t(i)].triangle)]; };
      put_edge(complex, rest, e, crossing(complex, complex.edges[e], point_of(one), point_of(two)));
    }
  }
}

// The points of the crack inside the body, and what each is joined to by the sides of the crack's quads: edges and
// triangles, triangles and tetrahedra.
struct InnerCrack {
  std::vector<std::size_t> edges, triangles, tets;
  std::vector<std::vector<int>> around_edge;        // triangles
  std::vector<std::array<int, 2>> beside_triangle;  // tetrahedra, of all triangles
};

InnerCrack inside_of_crack(const CoreComplex<3>& complex, std::span<const std::uint8_t> broken) {
  const auto is_broken = [&](int e) { return broken[std::size_t(e)] != 0; };
  const auto in_crack = [&](const auto& edges) { return std::any_of(edges.begin(), edges.end(), is_broken); };
  InnerCrack crack;
  std::vector<int> place(complex.edges.size(), -1);
  for (std::size_t e = 0; e < complex.edges.size(); ++e)
    if (broken[e] && complex.edge_sheet[e][0] < 0) {
      place[e] = static_cast<int>(crack.edges.size());
      crack.edges.push_back(e);
    }
  crack.around_edge.resize(crack.edges.size());
  crack.beside_triangle.assign(complex.triangles.size(), {-1, -1});
  for (std::size_t t = 0; t < complex.tets.size(); ++t) {
    if (in_crack(complex.tet_edges[t])) crack.tets.push_back(t);
    for (const int f : complex.tet_triangles[t]) {
      auto& pair = crack.beside_triangle[std::size_t(f)];
      pair[pair[0] < 0 ? 0 : 1] = static_cast<int>(t);
    }
  }
  for (std::size_t f = 0; f < complex.triangles.size(); ++f) {
    if (!in_crack(complex.triangle_edges[f])) continue;
    if (crack.beside_triangle[f][1] >= 0) crack.triangles.push_back(f);
    for (const int e : complex.triangle_edges[f])
      if (const int at = place[std::size_t(e)]; at >= 0)
        crack.around_edge[std::size_t(at)].push_back(static_cast<int>(f));
  }
  return crack;
}

// Every point to the middle of its neighbours, one after the other; those on the surface stay.
void smooth_inside(const CoreComplex<3>& complex, std::span<const std::uint8_t> broken, const Smoothing& smoothing,
                   RestPoints<3>& rest) {
  const InnerCrack crack = inside_of_crack(complex, broken);
  for (int iteration = 0; iteration < smoothing.iterations; ++iteration) {
    for (std::size_t i = 0; i < crack.edges.size(); ++i) {
      const std::size_t e = crack.edges[i];
      Vec3d middle{};
      for (const int f : crack.around_edge[i]) middle += rest.triangle[std::size_t(f)];
      middle = middle / double(crack.around_edge[i].size());
      const Vec3d a = complex.points[std::size_t(complex.edges[e][0])];
      const Vec3d side = complex.points[std::size_t(complex.edges[e][1])] - a;
      if (smoothing.project)
        put_edge(complex, rest, e, dot(middle - a, side) / dot(side, side));
      else
        rest.edge[e] = middle;
    }
    for (const std::size_t f : crack.triangles) {
      const auto& [one, two] = crack.beside_triangle[f];
      Vec3d middle = rest.tet[std::size_t(one)] + rest.tet[std::size_t(two)];
      int neighbours = 2;
      for (const int e : complex.triangle_edges[f])
        if (broken[std::size_t(e)]) middle += rest.edge[std::size_t(e)], ++neighbours;
      middle = middle / double(neighbours);
      if (smoothing.project)
        put_triangle(complex, rest, f, middle);
      else
        rest.triangle[f] = middle;
    }
    for (const std::size_t t : crack.tets) {
      Vec3d middle{};
      int neighbours = 0;
      for (const int f : complex.tet_triangles[t]) {
        const auto& edges = complex.triangle_edges[std::size_t(f)];
        if (broken[std::size_t(edges[0])] || broken[std::size_t(edges[1])] || broken[std::size_t(edges[2])])
          middle += rest.triangle[std::size_t(f)], ++neighbours;
      }
      middle = middle / double(neighbours);
      if (smoothing.project)
        put_tet(complex, rest, t, middle);
      else
        rest.tet[t] = middle;
    }
  }
}

}  // namespace

template <int d>
void smooth_crack(const CoreComplex<d>& complex, std::span<const std::uint8_t> broken, const Smoothing& smoothing,
                  RestPoints<d>& rest) {
  smooth_curve(complex, broken, smoothing.iterations, rest);
  if constexpr (d == 3) smooth_inside(complex, broken, smoothing, rest);
}

template void smooth_crack(const CoreComplex<2>&, std::span<const std::uint8_t>, const Smoothing&, RestPoints<2>&);
template void smooth_crack(const CoreComplex<3>&, std::span<const std::uint8_t>, const Smoothing&, RestPoints<3>&);

}  // namespace knead
