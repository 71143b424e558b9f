#include "sample/delaunay.h"

#include "base/error.h"
#include "base/parallel.h"
#include "geometry/mesh_distance.h"
#include "geometry/mesh_edges.h"
#include "geometry/rotation.h"
#include "geometry/simplex_edit.h"
#include "sample/fit_features.h"
#include "sample/keep_facets.h"
#include "sample/lifted_hull.h"
#include "sample/poisson.h"
#include "sample/random.h"
#include "sample/sample.h"
#include "sample/stuffing.h"

#include <map>

namespace knead {

namespace {

constexpr int most_attempts = 6;  // at keeping all facets

template <int d>
using Facet = typename SimplexMesh<d>::Facet;

template <int d>
Facet<d> sorted(Facet<d> f) {
  std::sort(f.begin(), f.end());
  return f;
}

// The middle and radius of the smallest sphere through the corners of a facet.
template <int d>
std::pair<Vec<double, d>, double> circumsphere(const ClosedSurface<d>& s, const Facet<d>& f) {
  const auto a = s.points[static_cast<std::size_t>(f[0])], b = s.points[static_cast<std::size_t>(f[1])];
  if constexpr (d == 2) {
    return {0.5 * (a + b), 0.5 * length(b - a)};
  } else {
    const Vec3d u = b - a, v = s.points[static_cast<std::size_t>(f[2])] - a, n = cross(u, v);
    const Vec3d middle = cross(dot(u, u) * v - dot(v, v) * u, n) / (2 * dot(n, n));
    return {a + middle, length(middle)};
  }
}

// Which of two ways a flat quadrilateral of four points on a circle is cut, Delaunay leaves open, and qhull to chance.
// Weights of the points, small against their distances, tip the scales towards the surface's own triangles: each edge
// asks that the point beyond lie above the lifted plane of the triangle before it, and all are heard in turns.
std::vector<double> weights_for(const ClosedSurface<3>& s) {
  TriangleMesh mesh;
  mesh.vertices = s.points;
  for (const auto& f : s.facets) mesh.triangles.push_back({f[0], f[1], f[2]});
  struct Wish {
    std::array<int, 4> points;  // of the triangle, and the one beyond
    std::array<double, 4> slope;
    double lift, margin;  // without weights, and how much is asked for
    double slope2;
  };
  std::vector<Wish> wishes;
  std::vector<double> limit(s.points.size(), 1e300);  // of weights
  const std::vector<EdgeUse> uses = sorted_edges(mesh);
  for (std::size_t i = 0; i + 1 < uses.size(); ++i) {
    const EdgeUse &one = uses[i], &two = uses[i + 1];
    if (one.low != two.low || one.high != two.high) continue;
    const int p = mesh.triangles[static_cast<std::size_t>(one.triangle)][one.opposite];
    const int q = mesh.triangles[static_cast<std::size_t>(two.triangle)][two.opposite];
    auto at = [&](int v) { return s.points[static_cast<std::size_t>(v)]; };
    const Vec3d a = at(one.low), along = at(one.high) - a;
    const double l = length(along);
    if (!(l > 0)) continue;
    // Both triangles unfolded into one plane, the edge along the first axis.
    auto unfolded = [&](const Vec3d& x, double side) {
      const double t = dot(x - a, along) / l;
      return Vec2d{t, side * length(x - a - (t / l) * along)};
    };
    const Vec2d u = unfolded(at(p), 1), v = unfolded(at(q), -1);
    for (int w : {one.low, one.high, p, q})
      limit[static_cast<std::size_t>(w)] = std::min(limit[static_cast<std::size_t>(w)], 0.4 * l * l);
    if (!(u[1] > 1e-9 * l && v[1] < -1e-9 * l)) continue;
    // Barycentric coordinates of v in the triangle (0, 0), (l, 0), u.
    const double cu = v[1] / u[1], cb = (v[0] - cu * u[0]) / l, ca = 1 - cu - cb;
    Wish wish{{one.low, one.high, p, q}, {ca, cb, cu, -1}, dot(v, v) - cu * dot(u, u) - cb * l * l, 1e-3 * l * l, 0};
    for (double c : wish.slope) wish.slope2 += c * c;
    wishes.push_back(wish);
  }
  std::vector<double> w(s.points.size(), 0.0);
  bool changed = true;
  for (int round = 0; round < 200 && changed; ++round) {
    changed = false;
    for (const Wish& wish : wishes) {
      double lift = wish.lift;
      for (std::size_t k = 0; k < 4; ++k) lift += wish.slope[k] * w[static_cast<std::size_t>(wish.points[k])];
      if (lift >= wish.margin) continue;
      changed = true;
      for (std::size_t k = 0; k < 4; ++k) {
        const auto point = static_cast<std::size_t>(wish.points[k]);
        w[point] = std::clamp(w[point] + wish.slope[k] * (1.2 * wish.margin - lift) / wish.slope2, -limit[point],
                              limit[point]);
      }
    }
  }
  return w;
}
std::vector<double> weights_for(const ClosedSurface<2>& s) { return std::vector<double>(s.points.size(), 0.0); }

template <int d>
class Delaunay {
 public:
  Delaunay(const ClosedSurface<d>& surface, std::vector<Vec<double, d>> inside, double edge)
      : surface_(surface), inside_(std::move(inside)), edge_(edge), weights_(weights_for(surface)) {}

  SimplexMesh<d> mesh() {
    for (int attempt = 0;; ++attempt) {
      triangulate();
      std::vector<Facet<d>> missing = missing_facets();
      if (!missing.empty()) {
        drop_outside();
        keep_facets(mesh_, surface_.facets, edge_);
        find_sides();
        missing = missing_facets();
      }
      if (missing.empty()) {
        keep_inside();
        if (encloses_the_same()) return std::move(mesh_);
        missing = surface_.facets;
      }
      if (attempt == most_attempts) refuse(missing);
      make_room(missing, (0.05 + 0.25 * attempt) * edge_);
    }
  }

 private:
  using Cell = typename SimplexMesh<d>::Cell;

  void triangulate() {
    mesh_.points = surface_.points;
    mesh_.points.insert(mesh_.points.end(), inside_.begin(), inside_.end());
    std::vector<double> weights = weights_;
    weights.resize(mesh_.points.size(), 0.0);
    // So little that it matters to ties alone.
    for (std::size_t i = 0; i < weights.size(); ++i) weights[i] += 1e-5 * edge_ * edge_ * RandomAt(1, i).unit();
    mesh_.cells = lifted_hull<d>(mesh_.points, weights, edge_);
    find_sides();
  }
  void find_sides() {
    sides_.clear();
    for (std::size_t c = 0; c < mesh_.cells.size(); ++c)
      for (int k = 0; k <= d; ++k) {
        Facet<d> side;
        for (std::size_t i = 0; i < d; ++i) side[i] = mesh_.cells[c][static_cast<std::size_t>(side_of<d>(k)[i])];
        sides_.push_back({sorted<d>(side), static_cast<int>(c), k});
      }
    std::sort(sides_.begin(), sides_.end());
  }

  struct Side {
    Facet<d> corners;  // in rising order
    int cell, opposite;
    auto operator<=>(const Side&) const = default;  // the compiler's own 0. NOLINT(modernize-use-nullptr)
  };
  // The one or two cells at a side.
  std::pair<const Side*, const Side*> at_side(const Facet<d>& corners) const {
    const auto first = std::lower_bound(sides_.begin(), sides_.end(), Side{corners, -1, -1});
    if (first == sides_.end() || first->corners != corners) return {nullptr, nullptr};
    const auto second = first + 1;
    return {&*first, second != sides_.end() && second->corners == corners ? &*second : nullptr};
  }

  // Drops the cells outside, by their middles: without them, edges that cross a missing one lie on the boundary and are
  // easily exchanged.
  void drop_outside() {
    if constexpr (d == 3) {
      TriangleMesh triangles{surface_.points, {}};
      for (const Facet<d>& f : surface_.facets) triangles.triangles.push_back({f[0], f[1], f[2]});
      const MeshDistance distance(std::move(triangles), MeshReport{});
      std::vector<char> outside(mesh_.cells.size());
      parallel_for(mesh_.cells.size(), 256, [&](std::size_t c) {
        Vec3d middle{};
        for (int p : mesh_.cells[c]) middle += 0.25 * mesh_.points[static_cast<std::size_t>(p)];
        outside[c] = distance(middle) > 0;
      });
      std::size_t kept = 0;
      for (std::size_t c = 0; c < mesh_.cells.size(); ++c)
        if (!outside[c]) mesh_.cells[kept++] = mesh_.cells[c];
      mesh_.cells.resize(kept);
    }
  }

  std::vector<Facet<d>> missing_facets() const {
    std::vector<Facet<d>> missing;
    for (const Facet<d>& f : surface_.facets)
      if (!at_side(sorted<d>(f)).first) missing.push_back(f);
    return missing;
  }

  // Takes points inside that come too close to missing facets out.
  void make_room(const std::vector<Facet<d>>& missing, double margin) {
    for (const Facet<d>& f : missing) {
      const auto [center, radius] = circumsphere(surface_, f);
      const double reach = std::min(radius, 4 * edge_) + margin;
      const auto& middle = center;
      std::erase_if(inside_, [&](const Vec<double, d>& p) { return length(p - middle) < reach; });
    }
  }

  [[noreturn]] void refuse(const std::vector<Facet<d>>& missing) const {
    auto at = [&](int p) { return resized<double, 3>(surface_.points[static_cast<std::size_t>(p)]); };
    Vec3d middle{};
    for (int p : missing[0]) middle += at(p) / static_cast<double>(d);
    fail(Exit::bad_input,
         "{} of the surface's {} {} cannot be preserved as sides of Delaunay cells, one of them at ({:.4g}, {:.4g}, "
         "{:.4g}); make the surface finer or more uniform there, or use cells = \"stuffed\"",
         missing.size(), surface_.facets.size(), d == 2 ? "lines" : "triangles", middle[0], middle[1], middle[2]);
  }

  // Cells reached from the inner sides of facets without crossing a facet.
  void keep_inside() {
    std::vector<signed char> state(mesh_.cells.size(), 0);  // 1 inside, -1 outside
    std::vector<Facet<d>> walls;
    std::vector<int> open;
    for (const Facet<d>& f : surface_.facets) {
      walls.push_back(sorted<d>(f));
      const auto [one, two] = at_side(walls.back());
      for (const Side* side : {one, two}) {
        if (!side) continue;
        SimplexCorners<d> x;
        for (std::size_t k = 0; k < d; ++k) x[k] = mesh_.points[static_cast<std::size_t>(f[k])];
        x[d] = mesh_.points[static_cast<std::size_t>(
            mesh_.cells[static_cast<std::size_t>(side->cell)][static_cast<std::size_t>(side->opposite)])];
        // Of a facet seen from outside against the clock, the inside is below; in 2D to the left.
        const bool inner = (d == 2 ? 1 : -1) * signed_volume<d>(x) > 0;
        signed char& s = state[static_cast<std::size_t>(side->cell)];
        if (s == 0) s = inner ? 1 : -1, open.push_back(side->cell);
      }
    }
    std::sort(walls.begin(), walls.end());
    while (!open.empty()) {
      const int c = open.back();
      open.pop_back();
      for (int k = 0; k <= d; ++k) {
        Facet<d> side;
        for (std::size_t i = 0; i < d; ++i)
          side[i] = mesh_.cells[static_cast<std::size_t>(c)][static_cast<std::size_t>(side_of<d>(k)[i])];
        side = sorted<d>(side);
        if (std::binary_search(walls.begin(), walls.end(), side)) continue;
        const auto [one, two] = at_side(side);
        for (const Side* next : {one, two})
          if (next && state[static_cast<std::size_t>(next->cell)] == 0) {
            state[static_cast<std::size_t>(next->cell)] = state[static_cast<std::size_t>(c)];
            open.push_back(next->cell);
          }
      }
    }
    std::size_t kept = 0;
    for (std::size_t c = 0; c < mesh_.cells.size(); ++c)
      if (state[c] > 0) mesh_.cells[kept++] = mesh_.cells[c];
    mesh_.cells.resize(kept);
    drop_unused_inside();
  }

  // Flips may have folded cells over each other; then the volumes differ.
  bool encloses_the_same() const {
    double enclosed = 0;
    for (const Facet<d>& f : surface_.facets) {
      SimplexCorners<d> x{};
      for (std::size_t k = 0; k < d; ++k)
        x[k + 1] = surface_.points[static_cast<std::size_t>(f[k])] - surface_.points[0];
      enclosed += signed_volume<d>(x);
    }
    return std::abs(total_volume(mesh_) - enclosed) < 1e-6 * enclosed &&
           boundary_facets(mesh_).size() == surface_.facets.size();
  }

  // Points inside that no cell uses go; those of the surface stay where they are.
  void drop_unused_inside() {
    std::vector<int> place(mesh_.points.size(), -1);
    for (const Cell& cell : mesh_.cells)
      for (int p : cell) place[static_cast<std::size_t>(p)] = 0;
    int next = 0;
    for (std::size_t p = 0; p < place.size(); ++p)
      if (place[p] == 0 || p < surface_.points.size()) {
        mesh_.points[static_cast<std::size_t>(next)] = mesh_.points[p];
        place[p] = next++;
      }
    mesh_.points.resize(static_cast<std::size_t>(next));
    for (Cell& cell : mesh_.cells)
      for (int& p : cell) p = place[static_cast<std::size_t>(p)];
  }

  const ClosedSurface<d>& surface_;
  std::vector<Vec<double, d>> inside_;
  double edge_;
  std::vector<double> weights_;
  SimplexMesh<d> mesh_;
  std::vector<Side> sides_;
};

// Better cells without touching the surface: edges are taken out where that helps, and points inside move.
template <int d>
void remove_slivers(SimplexMesh<d>& mesh, std::size_t fixed, double edge) {
  constexpr double poor = 0.25;
  SimplexEdit<d> edit(mesh, edge);
  std::vector<int> inner;
  for (std::size_t p = fixed; p < mesh.points.size(); ++p) inner.push_back(static_cast<int>(p));
  for (int round = 0; round < 4; ++round) {
    const std::size_t cells = mesh.cells.size();
    for (std::size_t c = 0; c < cells; ++c)
      for (std::size_t i = 0; i <= d; ++i)
        for (std::size_t j = i + 1; j <= d; ++j)
          if (edit.is_live(static_cast<int>(c)) && edit.score(static_cast<int>(c)) < poor)
            edit.remove_edge(mesh.cells[c][i], mesh.cells[c][j]);
    edit.improve(inner, poor, 3, [](int) { return SimplexEdit<d>::Freedom::everywhere(); });
  }
  edit.finish();
}

template <int d>
ClosedSurface<d> surface_of(const Shape& shape, double edge) {
  if constexpr (d == 3)
    if (const std::optional<TriangleMesh> file = surface_of_file(shape)) return closed_surface(*file);
  SimplexMesh<d> mesh = stuffed<d>(shape, edge);
  fit_features(mesh, shape, edge);
  return boundary_of(mesh);
}

}  // namespace

ClosedSurface<3> closed_surface(const TriangleMesh& mesh) {
  ClosedSurface<3> s{mesh.vertices, {}};
  for (const Vec3i& t : mesh.triangles) s.facets.push_back({t[0], t[1], t[2]});
  return s;
}

std::optional<TriangleMesh> surface_of_file(const Shape& shape) {
  if (const auto* file = std::get_if<MeshShape>(&shape.value)) return file->mesh()->mesh();
  const auto* moved = std::get_if<Transformed>(&shape.value);
  std::optional<TriangleMesh> mesh = moved ? surface_of_file(*moved->of) : std::nullopt;
  if (!mesh) return {};
  const Mat3d r = rotation_matrix(moved->rotate);
  for (Vec3d& x : mesh->vertices) x = r * (moved->scale * x) + moved->translate;
  return mesh;
}

template <int d>
ClosedSurface<d> boundary_of(const SimplexMesh<d>& mesh) {
  ClosedSurface<d> s{{}, boundary_facets(mesh)};
  std::map<int, int> place;
  for (auto& f : s.facets)
    for (int& p : f) place[p] = 0;
  for (auto& [p, at] : place) {
    at = static_cast<int>(s.points.size());
    s.points.push_back(mesh.points[static_cast<std::size_t>(p)]);
  }
  for (auto& f : s.facets)
    for (int& p : f) p = place[p];
  return s;
}

template <int d>
SimplexMesh<d> delaunay_between(const ClosedSurface<d>& surface, std::vector<Vec<double, d>> inside, double edge) {
  return Delaunay<d>(surface, std::move(inside), edge).mesh();
}

template <int d>
SimplexMesh<d> delaunay_filled(const Shape& shape, double edge, std::uint64_t seed) {
  const ClosedSurface<d> surface = surface_of<d>(shape, edge);
  // As many points as a lattice of such edges has: body-centred cubes, or triangles.
  const double spacing = d == 3 ? 0.86 * edge : 0.93 * edge;
  std::vector<Vec<double, d>> inside;
  for (const Vec3d& p : poisson_points(shape, d, poisson_radius(spacing, d), seed))
    if (shape.distance(p) < -0.5 * edge) inside.push_back(resized<double, d>(p));
  SimplexMesh<d> mesh = delaunay_between<d>(surface, std::move(inside), edge);
  remove_slivers(mesh, surface.points.size(), edge);
  return mesh;
}

template ClosedSurface<2> boundary_of(const SimplexMesh<2>&);
template ClosedSurface<3> boundary_of(const SimplexMesh<3>&);
template SimplexMesh<2> delaunay_between(const ClosedSurface<2>&, std::vector<Vec<double, 2>>, double);
template SimplexMesh<3> delaunay_between(const ClosedSurface<3>&, std::vector<Vec<double, 3>>, double);
template SimplexMesh<2> delaunay_filled(const Shape&, double, std::uint64_t);
template SimplexMesh<3> delaunay_filled(const Shape&, double, std::uint64_t);

}  // namespace knead
