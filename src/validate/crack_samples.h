// Meshes to crack, and measures of their surfaces, for the cases of crack surfaces and the tests of surface/.
#pragma once

#include "surface/crack_mesh.h"

#include <map>
#include <numeric>
#include <random>
#include <set>

namespace knead::samples {

// A box of nx x ny x nz cubes of side 1/nx, each cut into six tetrahedra around a diagonal; inner points are moved by
// up to `jitter` of a side.
inline SimplexMesh<3> box_of_tets(int nx, int ny, int nz, double jitter = 0) {
  SimplexMesh<3> mesh;
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(-jitter, jitter);
  const auto id = [&](int i, int j, int k) { return (k * (ny + 1) + j) * (nx + 1) + i; };
  for (int k = 0; k <= nz; ++k)
    for (int j = 0; j <= ny; ++j)
      for (int i = 0; i <= nx; ++i) {
        Vec3d p{double(i), double(j), double(k)};
        if (i > 0 && i < nx && j > 0 && j < ny && k > 0 && k < nz)
          p += Vec3d{uniform(random), uniform(random), uniform(random)};
        mesh.points.push_back(p / double(nx));
      }
  constexpr int orders[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
  for (int k = 0; k < nz; ++k)
    for (int j = 0; j < ny; ++j)
      for (int i = 0; i < nx; ++i)
        for (int o = 0; o < 6; ++o) {
          int at[3] = {i, j, k};
          std::array<int, 4> tet{id(i, j, k)};
          for (std::size_t step = 0; step < 3; ++step) {
            ++at[orders[o][step]];
            tet[step + 1] = id(at[0], at[1], at[2]);
          }
          if (o >= 3) std::swap(tet[2], tet[3]);
          mesh.cells.push_back(tet);
        }
  return mesh;
}

// Likewise nx x ny squares of two triangles.
inline SimplexMesh<2> box_of_triangles(int nx, int ny) {
  SimplexMesh<2> mesh;
  for (int j = 0; j <= ny; ++j)
    for (int i = 0; i <= nx; ++i) mesh.points.push_back({double(i) / nx, double(j) / nx});
  for (int j = 0; j < ny; ++j)
    for (int i = 0; i < nx; ++i) {
      const int a = j * (nx + 1) + i, b = a + 1, c = a + nx + 1, e = c + 1;
      mesh.cells.push_back({a, b, e});
      mesh.cells.push_back({a, e, c});
    }
  return mesh;
}

template <int d>
CoreMotion<d> at_rest(const CoreComplex<d>& complex) {
  return {complex.points, std::vector<Mat<double, d>>(complex.points.size(), Mat<double, d>::identity())};
}

template <int d>
CrackedBody<d> uncracked(const SimplexMesh<d>& mesh) {
  CrackedBody<d> body;
  body.complex = make_core_complex(mesh);
  body.rest = centers(body.complex);
  return body;
}

template <int d>
std::vector<std::uint8_t> some_broken(const CoreComplex<d>& complex, double share, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<std::uint8_t> broken(complex.edges.size());
  for (auto& b : broken) b = std::uniform_real_distribution<double>(0, 1)(random) < share;
  return broken;
}

// The edges that cross the plane x = c.
template <int d>
std::vector<std::uint8_t> cut_at(const CoreComplex<d>& complex, double c) {
  std::vector<std::uint8_t> broken;
  for (const auto& [a, b] : complex.edges)
    broken.push_back((complex.points[std::size_t(a)][0] < c) != (complex.points[std::size_t(b)][0] < c));
  return broken;
}

// True where every side of a triangle is that of exactly one other, which runs it the other way.
inline bool closed_and_manifold(const SurfaceMesh& mesh) {
  std::set<std::pair<int, int>> sides;
  for (const Vec3i& t : mesh.triangles)
    for (int k = 0; k < 3; ++k)
      if (t[k] == t[(k + 1) % 3] || !sides.insert({t[k], t[(k + 1) % 3]}).second) return false;
  for (const auto& [a, b] : sides)
    if (!sides.contains({b, a})) return false;
  return true;
}

// Which piece each point is of, by a number below the number of pieces; -1 for points of no triangle.
struct Pieces {
  int count = 0;
  std::vector<int> of_point;
};
inline Pieces pieces_of(const SurfaceMesh& mesh) {
  std::vector<int> parent(mesh.points.size());
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&](int i) {
    while (parent[std::size_t(i)] != i) i = parent[std::size_t(i)] = parent[std::size_t(parent[std::size_t(i)])];
    return i;
  };
  std::vector<bool> used(mesh.points.size());
  for (const Vec3i& t : mesh.triangles)
    for (int k = 0; k < 3; ++k) parent[std::size_t(root(t[k]))] = root(t[0]), used[std::size_t(t[k])] = true;
  Pieces pieces;
  std::map<int, int> number;
  pieces.of_point.assign(mesh.points.size(), -1);
  for (std::size_t p = 0; p < mesh.points.size(); ++p)
    if (used[p]) pieces.of_point[p] = number.try_emplace(root(int(p)), int(number.size())).first->second;
  pieces.count = int(number.size());
  return pieces;
}

// The volume inside each piece, by the divergence theorem.
inline std::vector<double> volumes(const SurfaceMesh& mesh, const Pieces& pieces) {
  std::vector<double> volume(std::size_t(pieces.count), 0.);
  for (const Vec3i& t : mesh.triangles) {
    const auto at = [&](int k) { return mesh.points[std::size_t(t[k])]; };
    volume[std::size_t(pieces.of_point[std::size_t(t[0])])] += dot(at(0), cross(at(1), at(2))) / 6;
  }
  return volume;
}

// The volume of each vertex' core: a quarter of every tetrahedron at it.
inline std::vector<double> core_volumes(const SimplexMesh<3>& mesh) {
  std::vector<double> volume(mesh.points.size(), 0.);
  for (const auto& tet : mesh.cells) {
    const auto at = [&](std::size_t k) { return mesh.points[std::size_t(tet[k])] - mesh.points[std::size_t(tet[0])]; };
    for (const int p : tet) volume[std::size_t(p)] += dot(at(1), cross(at(2), at(3))) / 24;
  }
  return volume;
}

// How far the crack's points are from the mean of their neighbours, root of the mean square.
inline double roughness(const CrackedBody<3>& body, const std::vector<std::uint8_t>& broken) {
  const CrackTopology<3> topology = make_crack_topology<3>(body.complex, broken);
  // Both faces of a crack share the points at rest: those are compared, not the nodes.
  std::map<std::pair<int, int>, std::set<std::pair<int, int>>> joined;
  std::map<std::pair<int, int>, Vec3d> place;
  const auto point_of = [&](int node) {
    const CoreNode& n = topology.nodes[std::size_t(node) - body.complex.points.size()];
    const std::pair<int, int> point{n.dimension, n.feature};
    place[point] = rest_position(body.complex, topology, body.rest, std::size_t(node));
    return point;
  };
  for (const auto& quad : topology.quads)
    for (std::size_t k = 0; k < 4; ++k) {
      const auto a = point_of(quad[k]), b = point_of(quad[(k + 1) % 4]);
      joined[a].insert(b), joined[b].insert(a);
    }
  double sum = 0;
  for (const auto& [point, others] : joined) {
    Vec3d mean{};
    for (const auto& other : others) mean += place[other];
    const Vec3d away = place[point] - mean / double(others.size());
    sum += dot(away, away);
  }
  return std::sqrt(sum / double(joined.size()));
}

}  // namespace knead::samples
