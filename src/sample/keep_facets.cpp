#include "sample/keep_facets.h"

#include "geometry/simplex_edit.h"

#include <set>

namespace knead {

namespace {

constexpr double least = 1e-6;  // score that cells must keep

class Keeper {
 public:
  Keeper(SimplexMesh<3>& mesh, const std::vector<std::array<int, 3>>& facets, double edge)
      : facets_(facets), edit_(mesh, edge) {
    for (const auto& f : facets)
      for (std::size_t k = 0; k < 3; ++k) edges_.insert(ordered(f[k], f[(k + 1) % 3]));
    for (const auto& f : facets) sides_.insert(ordered(f));
  }

  bool run() {
    for (int round = 0; round < 10; ++round) {
      bool changed = false;
      for (const auto& [a, b] : edges_)
        if (!exists(a, b)) changed |= insert_edge(a, b) || insert_edge(b, a);
      for (const auto& f : facets_)
        if (!exists(f)) changed |= insert_facet(f);
      if (!changed) break;
    }
    edit_.finish();
    return changed_;
  }

 private:
  using Edge = std::array<int, 2>;
  using Side = std::array<int, 3>;

  static Edge ordered(int a, int b) { return {std::min(a, b), std::max(a, b)}; }
  static Side ordered(Side s) {
    std::sort(s.begin(), s.end());
    return s;
  }
  const Vec3d& at(int p) const { return edit_.mesh().points[static_cast<std::size_t>(p)]; }
  const SimplexMesh<3>::Cell& cell(int c) const { return edit_.mesh().cells[static_cast<std::size_t>(c)]; }
  bool exists(int a, int b) const {
    for (int c : edit_.star(a))
      for (int p : cell(c))
        if (p == b) return true;
    return false;
  }
  bool exists(const Side& f) const {
    for (int c : edit_.cells_at_edge(f[0], f[1]))
      for (int p : cell(c))
        if (p == f[2]) return true;
    return false;
  }
  bool swap(int a, int b, int to_a, int to_b) {
    if (edges_.contains(ordered(a, b)) || !edit_.swap_edge(a, b, to_a, to_b, least)) return false;
    return changed_ = true;
  }
  bool flip(const Side& side, int a, int b) {
    if (sides_.contains(ordered(side)) || !edit_.flip_side(side, a, b, least)) return false;
    return changed_ = true;
  }
  // The side of a cell at a that faces it, and the corner of the cell beyond; -1 where there is none.
  std::pair<Side, int> beyond(int c, int a) const {
    Side side{};
    std::size_t n = 0;
    for (int p : cell(c))
      if (p != a) side[n++] = p;
    for (int other : edit_.cells_at_edge(side[0], side[1])) {
      if (other == c) continue;
      const auto& corners = cell(other);
      if (std::find(corners.begin(), corners.end(), side[2]) == corners.end()) continue;
      for (int p : corners)
        if (p != side[0] && p != side[1] && p != side[2]) return {side, p};
    }
    return {side, -1};
  }

  // Turns edges and sides that the way from a to b meets first, until a and b are joined.
  bool insert_edge(int a, int b) {
    bool changed = false;
    for (int turns = 0; turns < 30; ++turns) {
      if (exists(a, b)) return true;
      if (!step_towards(a, b)) break;
      changed = true;
    }
    return changed && exists(a, b);
  }
  bool step_towards(int a, int b) {
    const std::vector<int> star = edit_.star(a);
    // At once, where a single edge or side is in the way.
    for (int c : star) {
      const auto [side, far] = beyond(c, a);
      if (far == b && flip(side, a, b)) return true;
      for (std::size_t k = 0; k < 3; ++k)
        if (swap(side[k], side[(k + 1) % 3], a, b) || fill(side[k], side[(k + 1) % 3], a, b)) return true;
    }
    // Else what is in the way first.
    for (int c : star) {
      const auto [side, far] = beyond(c, a);
      if (!meets(side, a, b)) continue;
      if (far >= 0 && flip(side, a, far)) return true;
      for (std::size_t k = 0; k < 3; ++k) {
        const int p = side[k], q = side[(k + 1) % 3];
        std::vector<int> ring = edit_.ring(p, q).first;
        std::sort(ring.begin(), ring.end(), [&](int x, int y) {
          return std::pair(length(at(x) - at(b)), x) < std::pair(length(at(y) - at(b)), y);
        });
        for (int to : ring)
          if (to != a && !exists(a, to) && swap(p, q, a, to)) return true;
      }
    }
    // Else with one more point inside, below the edge of the boundary that is in the way.
    for (int c : star) {
      const auto [side, far] = beyond(c, a);
      if (!meets(side, a, b)) continue;
      for (std::size_t k = 0; k < 3; ++k)
        if (undercut(side[k], side[(k + 1) % 3], a)) return true;
    }
    return false;
  }
  // Adds the cell between the ends a and b of an open ring, where the boundary is dented there.
  bool fill(int p, int q, int a, int b) {
    const auto [ring, closed] = edit_.ring(p, q);
    if (closed || ring.size() < 2 || ordered(ring.front(), ring.back()) != ordered(a, b)) return false;
    const std::array<int, 4> fresh{p, q, ring.back(), ring.front()};
    if (!(edit_.score(corners_of(edit_.mesh(), fresh)) >= 1e-3)) return false;
    edit_.add_cell(fresh);
    return changed_ = true;
  }
  bool undercut(int p, int q, int a) {
    const auto [ring, closed] = edit_.ring(p, q);
    if (closed || ring.size() < 3 || edges_.contains(ordered(p, q)) || (ring.front() != a && ring.back() != a))
      return false;
    // Where the way from one end of the ring to the other passes the edge.
    const Vec3d along = at(q) - at(p), way = at(ring.back()) - at(ring.front()), n = cross(along, way);
    if (!(dot(n, n) > 0)) return false;
    const double t = dot(cross(at(ring.front()) - at(p), way), n) / dot(n, n);
    if (!(t > 0.01 && t < 0.99)) return false;
    const Vec3d crossing = at(p) + t * along;
    Vec3d middle{};
    for (std::size_t i = 1; i + 1 < ring.size(); ++i) middle += at(ring[i]) / static_cast<double>(ring.size() - 2);
    for (double bound : {0.05, 1e-4})
      for (double depth : {0.5, 0.35, 0.25, 0.15, 0.1, 0.05, 0.02})
        if (edit_.close_ring(p, q, crossing + depth * (middle - crossing), bound) >= 0) return changed_ = true;
    return false;
  }
  // Does the way from a to b leave a's cell through its side (or next to it)?
  bool meets(const Side& side, int a, int b) const {
    const Vec3d u = at(side[0]) - at(a), v = at(side[1]) - at(a), w = at(side[2]) - at(a), x = at(b) - at(a);
    const double volume = dot(u, cross(v, w));
    if (volume == 0) return false;
    const double s = dot(x, cross(v, w)) / volume, t = dot(u, cross(x, w)) / volume, r = dot(u, cross(v, x)) / volume;
    constexpr double next_to = -1e-6;
    return s >= next_to && t >= next_to && r >= next_to && s + t + r > 0;
  }

  // Takes away the edges that pierce a facet, next to one of its own.
  bool insert_facet(const Side& f) {
    bool changed = false;
    for (int turns = 0; turns < 10 && !exists(f); ++turns) {
      bool moved = false;
      for (std::size_t k = 0; k < 3 && !moved; ++k) {
        const int a = f[k], b = f[(k + 1) % 3], c = f[(k + 2) % 3];
        const auto [ring, closed] = edit_.ring(a, b);
        for (std::size_t i = 0; i + (closed ? 0 : 1) < ring.size() && !moved; ++i) {
          const int p = ring[i], q = ring[(i + 1) % ring.size()];
          if (!pierces(p, q, f)) continue;
          for (const Edge& to : {Edge{a, c}, Edge{b, c}, Edge{a, b}}) moved = moved || swap(p, q, to[0], to[1]);
        }
      }
      if (!moved) break;
      changed = true;
    }
    return changed;
  }
  bool pierces(int p, int q, const Side& f) const {
    auto volume = [&](int i, int j, int k, int l) { return dot(at(j) - at(i), cross(at(k) - at(i), at(l) - at(i))); };
    if (!(volume(f[0], f[1], f[2], p) * volume(f[0], f[1], f[2], q) < 0)) return false;
    const double x = volume(p, q, f[0], f[1]), y = volume(p, q, f[1], f[2]), z = volume(p, q, f[2], f[0]);
    return (x > 0 && y > 0 && z > 0) || (x < 0 && y < 0 && z < 0);
  }

  const std::vector<Side>& facets_;
  SimplexEdit<3> edit_;
  std::set<Edge> edges_;
  std::set<Side> sides_;
  bool changed_ = false;
};

}  // namespace

bool keep_facets(SimplexMesh<3>& mesh, const std::vector<std::array<int, 3>>& facets, double edge) {
  return Keeper(mesh, facets, edge).run();
}

}  // namespace knead
