#include "sample/stuffing.h"

#include "base/error.h"
#include "base/parallel.h"
#include "geometry/shape_features.h"
#include "geometry/simplex_measure.h"

#include <cstdint>
#include <unordered_map>

namespace knead {

namespace {

constexpr double most_lattice_points = 1e8;

// Points nearer to the surface than this share of an edge move onto it (Labelle and Shewchuk 2007, table 1; the paper's
// black edges are long, the red ones short). In 2D found by trial: the least angle of discs and ellipses is largest.
constexpr double warp_long = 0.24999, warp_short = 0.41189, warp_flat = 0.33;

template <int d>
Vec3d lifted(const Vec<double, d>& p) {
  return resized<double, 3>(p);
}

// The lattice over a box: points by number, the edges at a point, and all cells.
template <int d>
struct Lattice;

// Corners and centres of cubes. Number 2 n is the corner of least coordinates of cube n, 2 n + 1 its centre.
template <>
struct Lattice<3> {
  static constexpr double mean_edge = (6 + 8 * 0.8660254037844386) / 14;  // over the side of a cube
  Vec3d origin{}, side{};
  Vec3i count{};  // cubes

  Lattice(const Vec3d& lo, const Vec3d& hi, const Vec3d& spacing) : side(spacing) {
    for (int i = 0; i < 3; ++i) {
      count[i] = static_cast<int>(std::ceil((hi[i] - lo[i]) / side[i] - 1e-9)) + 3;
      origin[i] = lo[i] - side[i];
    }
  }
  static Vec3d spacing(double edge) { return Vec3d::filled(edge / mean_edge); }
  int points() const { return 2 * product(count); }
  int number(const Vec3i& c, int center) const { return 2 * (c[0] + count[0] * (c[1] + count[1] * c[2])) + center; }
  Vec3i cube(int p) const {
    const int n = p / 2;
    return {n % count[0], n / count[0] % count[1], n / count[0] / count[1]};
  }
  Vec3d position(int p) const {
    const Vec3i c = cube(p);
    const double shift = p % 2 == 0 ? 0 : 0.5;
    return origin + scaled(side, Vec3d{c[0] + shift, c[1] + shift, c[2] + shift});
  }
  // At the rim some edges are missing; no surface is near.
  bool rim(int p) const {
    const Vec3i c = cube(p);
    for (int i = 0; i < 3; ++i)
      if (c[i] < 1 || c[i] >= count[i] - 1) return true;
    return false;
  }
  bool is_long(int p, int q) const { return p % 2 == q % 2; }
  double warp(int p, int q) const { return is_long(p, q) ? warp_long : warp_short; }
  // Of two ends of a long edge the first is favoured, or the second: in turns along the axis.
  bool favoured(int p) const { return sum(cube(p)) % 2 == 0; }

  template <class F>
  void edges_at(int p, F&& f) const {
    const int dx = 2, dy = 2 * count[0], dz = 2 * count[0] * count[1];
    for (int step : {dx, dy, dz}) f(p - step), f(p + step);
    const int first = p % 2 == 0 ? p + 1 - dx - dy - dz : p - 1;  // the least of the eight around
    for (int k = 0; k < 8; ++k) f(first + (k & 1) * dx + (k >> 1 & 1) * dy + (k >> 2) * dz);
  }
  // Each cell has one edge between corners of cubes, and one between two of the four centres around that.
  template <class F>
  void cells(F&& f) const {
    for (int z = 1; z < count[2] - 1; ++z)
      for (int y = 1; y < count[1] - 1; ++y)
        for (int x = 1; x < count[0] - 1; ++x) {
          const Vec3i at{x, y, z};
          for (int a = 0; a < 3; ++a) {
            const Vec3i eb = Vec3i::axis((a + 1) % 3), ec = Vec3i::axis((a + 2) % 3);
            const int p = number(at, 0), q = number(at + Vec3i::axis(a), 0);
            const int around[4] = {number(at, 1), number(at - eb, 1), number(at - eb - ec, 1), number(at - ec, 1)};
            for (int k = 0; k < 4; ++k) f(std::array<int, 4>{p, q, around[k], around[(k + 1) % 4]});
          }
        }
  }
};

// Rows of points, every other one shifted by half a side.
template <>
struct Lattice<2> {
  Vec2d origin{}, side{};
  Vec2i count{};

  Lattice(const Vec2d& lo, const Vec2d& hi, const Vec2d& spacing) : side(spacing) {
    for (int i = 0; i < 2; ++i) {
      count[i] = static_cast<int>(std::ceil((hi[i] - lo[i]) / side[i] - 1e-9)) + 5;
      origin[i] = lo[i] - 2 * side[i];
    }
  }
  static Vec2d spacing(double edge) { return {edge, edge * 0.8660254037844386}; }
  int points() const { return product(count); }
  Vec2d position(int p) const {
    const int x = p % count[0], y = p / count[0];
    return origin + scaled(side, Vec2d{x + (y % 2 == 0 ? 0 : 0.5), double(y)});
  }
  bool rim(int p) const {
    const int x = p % count[0], y = p / count[0];
    return x < 1 || y < 1 || x >= count[0] - 1 || y >= count[1] - 1;
  }
  double warp(int, int) const { return warp_flat; }
  template <class F>
  void edges_at(int p, F&& f) const {
    const int row = count[0], shift = p / row % 2 == 0 ? -1 : 0;
    for (int q : {p - 1, p + 1, p - row + shift, p - row + shift + 1, p + row + shift, p + row + shift + 1}) f(q);
  }
  template <class F>
  void cells(F&& f) const {
    for (int y = 0; y + 1 < count[1]; ++y)
      for (int x = 1; x + 1 < count[0]; ++x) {
        const int p = x + count[0] * y, up = p + count[0];
        if (y % 2 == 0) {
          f(std::array<int, 3>{p, p + 1, up});
          f(std::array<int, 3>{p, up, up - 1});
        } else {
          f(std::array<int, 3>{p, p + 1, up + 1});
          f(std::array<int, 3>{p, up + 1, up});
        }
      }
  }
};

template <int d>
class Stuffing {
 public:
  Stuffing(const Shape& shape, const Lattice<d>& lattice) : shape_(shape), lattice_(lattice) {}

  SimplexMesh<d> mesh() {
    find_sides();
    find_cuts();
    warp();
    lattice_.cells([&](const std::array<int, d + 1>& cell) { fill(cell); });
    return std::move(mesh_);
  }

 private:
  using Point = Vec<double, d>;
  struct Cut {
    int inside, outside;  // lattice points
    double at;            // share of the edge, from the one inside
    int point = -1;       // of the mesh
  };

  double distance(const Point& p) const { return shape_.distance(lifted<d>(p)); }

  // 1 inside, -1 outside, 0 on the surface. A point farther from the surface than all of its row's next seven answers
  // for them.
  void find_sides() {
    const int n = lattice_.points();
    side_.assign(static_cast<std::size_t>(n), -1);
    const int together = 8 * (d == 3 ? 2 : 1);
    const double reach = 4.5 * length(lattice_.side);
    parallel_chunks(
        static_cast<std::size_t>(n), static_cast<std::size_t>(together), [&](std::size_t begin, std::size_t end) {
          const int middle = static_cast<int>(begin + end) / 2;
          const int row = lattice_.count[0] * (d == 3 ? 2 : 1);
          const bool one_row = static_cast<int>(begin) / row == static_cast<int>(end - 1) / row;
          const double far = one_row ? distance(lattice_.position(middle)) : 0;
          for (std::size_t p = begin; p < end; ++p) {
            const double phi = std::abs(far) > reach ? far : distance(lattice_.position(static_cast<int>(p)));
            side_[p] = static_cast<signed char>(phi < 0 ? 1 : phi > 0 ? -1 : 0);
            if (lattice_.rim(static_cast<int>(p))) side_[p] = -1;
          }
        });
  }

  void find_cuts() {
    for (int p = 0; p < lattice_.points(); ++p)
      if (side_[static_cast<std::size_t>(p)] > 0)
        lattice_.edges_at(p, [&](int q) {
          if (side_[static_cast<std::size_t>(q)] < 0) cuts_.push_back({p, q, 0});
        });
    parallel_for(cuts_.size(), 64, [&](std::size_t i) { cuts_[i].at = crossing(cuts_[i].inside, cuts_[i].outside); });
    cut_index_.reserve(cuts_.size());
    for (std::size_t i = 0; i < cuts_.size(); ++i)
      cut_index_[key(cuts_[i].inside, cuts_[i].outside)] = static_cast<int>(i);
  }

  // Where the distance changes its sign between two points: bisection, sped up by regula falsi (Illinois).
  double crossing(int inside, int outside) const {
    const Point a = lattice_.position(inside), b = lattice_.position(outside);
    double lo = 0, hi = 1, at_lo = distance(a), at_hi = distance(b), t = 0.5;
    const double enough = 1e-12 * length(b - a);
    for (int i = 0, kept = 0; i < 60 && hi - lo > 1e-12; ++i) {
      t = i % 3 == 2 ? 0.5 * (lo + hi) : (lo * at_hi - hi * at_lo) / (at_hi - at_lo);
      const double phi = distance(a + t * (b - a));
      if (std::abs(phi) < enough) break;
      if (phi < 0) {
        if (kept == -1) at_hi *= 0.5;
        lo = t, at_lo = phi, kept = -1;
      } else {
        if (kept == 1) at_lo *= 0.5;
        hi = t, at_hi = phi, kept = 1;
      }
    }
    return t;
  }

  // Moves each point that has a cut too close to it onto the nearest such cut, unless the edge's other end has moved.
  void warp() {
    struct Close {
      int point, other;
      double distance;
      std::size_t cut;
    };
    std::vector<Close> close;
    for (std::size_t i = 0; i < cuts_.size(); ++i) {
      const Cut& c = cuts_[i];
      const double l = length(lattice_.position(c.outside) - lattice_.position(c.inside));
      const double limit = lattice_.warp(c.inside, c.outside);
      if (c.at < limit) close.push_back({c.inside, c.outside, c.at * l, i});
      if (1 - c.at < limit) close.push_back({c.outside, c.inside, (1 - c.at) * l, i});
    }
    std::sort(close.begin(), close.end(), [](const Close& a, const Close& b) {
      return std::tie(a.point, a.distance, a.cut) < std::tie(b.point, b.distance, b.cut);
    });
    for (const Close& c : close) {
      signed char& side = side_[static_cast<std::size_t>(c.point)];
      if (side == 0 || side_[static_cast<std::size_t>(c.other)] == 0) continue;
      side = 0;
      warped_[c.point] = place(cuts_[c.cut]);
    }
  }

  Point place(const Cut& c) const {
    const Point a = lattice_.position(c.inside), b = lattice_.position(c.outside);
    return a + c.at * (b - a);
  }
  static std::uint64_t key(int p, int q) { return static_cast<std::uint64_t>(p) << 32 | static_cast<std::uint32_t>(q); }
  int add(const Point& p) {
    mesh_.points.push_back(p);
    return static_cast<int>(mesh_.points.size()) - 1;
  }
  // The mesh's point at a lattice point, or at the cut of an edge.
  int vertex(int p) {
    const auto [at, fresh] = vertices_.try_emplace(p, 0);
    if (fresh) {
      const auto moved = warped_.find(p);
      at->second = add(moved != warped_.end() ? moved->second : lattice_.position(p));
    }
    return at->second;
  }
  int cut(int inside, int outside) {
    Cut& c = cuts_[static_cast<std::size_t>(cut_index_.at(key(inside, outside)))];
    if (c.point < 0) c.point = add(place(c));
    return c.point;
  }

  template <class... Corners>
  void emit(Corners... corners) {
    typename SimplexMesh<d>::Cell cell{corners...};
    if (signed_volume<d>(corners_of(mesh_, cell)) < 0) std::swap(cell[0], cell[1]);
    mesh_.cells.push_back(cell);
  }

  // What of a cell of the lattice lies inside: the stencils of Labelle and Shewchuk 2007, figure 3.
  void fill(const std::array<int, d + 1>& cell) {
    int in[d + 1], on[d + 1], out[d + 1], ins = 0, ons = 0, outs = 0;
    for (int p : cell) {
      const signed char side = side_[static_cast<std::size_t>(p)];
      (side > 0 ? in[ins++] : side < 0 ? out[outs++] : on[ons++]) = p;
    }
    if (ins == 0) return;
    if (ins == 1 || outs == 0) {
      int corner[d + 1], n = 0;
      for (int i = 0; i < ins; ++i) corner[n++] = vertex(in[i]);
      for (int i = 0; i < ons; ++i) corner[n++] = vertex(on[i]);
      for (int i = 0; i < outs; ++i) corner[n++] = cut(in[0], out[i]);
      if constexpr (d == 2)
        emit(corner[0], corner[1], corner[2]);
      else
        emit(corner[0], corner[1], corner[2], corner[3]);
      return;
    }
    if constexpr (d == 2) {
      fill_quad(in[0], in[1], out[0]);
    } else {
      if (ins == 2 && ons == 1) fill_pyramid(in[0], in[1], out[0], on[0]);
      if (ins == 2 && ons == 0) fill_wedge(in[0], in[1], out[0], out[1]);
      if (ins == 3) fill_prism(in, out[0]);
    }
  }

  // Two corners in, one out: cut along the shorter diagonal.
  void fill_quad(int a, int b, int n) {
    const int A = vertex(a), B = vertex(b), an = cut(a, n), bn = cut(b, n);
    auto apart = [&](int i, int j) {
      return length(mesh_.points[static_cast<std::size_t>(i)] - mesh_.points[static_cast<std::size_t>(j)]);
    };
    if (apart(A, bn) < apart(B, an))
      emit(A, B, bn), emit(A, bn, an);
    else
      emit(A, B, an), emit(B, bn, an);
  }

  // A side with the corners a and b in and n out leaves a quadrilateral. Does its diagonal start at a, or at b? Both
  // cells at the side must agree. The diagonal ends at the cut of the long edge; where neither cut edge is long, it
  // starts at the favoured corner.
  bool from_first(int a, int b, int n) const {
    if (lattice_.is_long(a, b)) return lattice_.favoured(a);
    return lattice_.is_long(b, n);
  }
  void fill_pyramid(int a, int b, int n, int z) {
    const int A = vertex(a), B = vertex(b), Z = vertex(z), an = cut(a, n), bn = cut(b, n);
    if (from_first(a, b, n))
      emit(Z, A, B, bn), emit(Z, A, bn, an);
    else
      emit(Z, A, B, an), emit(Z, B, bn, an);
  }
  void fill_wedge(int a, int b, int m, int n) {
    const int P[3] = {vertex(a), cut(a, m), cut(a, n)}, Q[3] = {vertex(b), cut(b, m), cut(b, n)};
    const bool first = from_first(a, b, m), last = !from_first(a, b, n);
    auto apart = [&](int i, int j) {
      return length(mesh_.points[static_cast<std::size_t>(i)] - mesh_.points[static_cast<std::size_t>(j)]);
    };
    // The side on the surface is free: across its shorter diagonal, where the other two allow it.
    const bool free = first == last ? !first : apart(P[1], Q[2]) < apart(Q[1], P[2]);
    split_prism(P, Q, {first, free, last});
  }
  void fill_prism(const int* in, int n) {
    int P[3], Q[3];
    std::array<bool, 3> diagonal{};
    for (int i = 0; i < 3; ++i) {
      P[i] = vertex(in[i]), Q[i] = cut(in[i], n);
      diagonal[static_cast<std::size_t>(i)] = from_first(in[i], in[(i + 1) % 3], n);
    }
    split_prism(P, Q, diagonal);
  }
  // A prism with the ends P and Q into three. Side i, of P_i, P_i+1, Q_i+1 and Q_i, is cut from P_i to Q_i+1 or from
  // Q_i to P_i+1; not all three alike, so that two diagonals start at one corner of P.
  void split_prism(const int* P, const int* Q, const std::array<bool, 3>& diagonal) {
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3, k = (i + 2) % 3;
      if (!diagonal[static_cast<std::size_t>(i)] || diagonal[static_cast<std::size_t>(k)]) continue;
      emit(P[i], Q[0], Q[1], Q[2]);
      if (diagonal[static_cast<std::size_t>(j)])
        emit(P[i], P[j], P[k], Q[k]), emit(P[i], P[j], Q[k], Q[j]);
      else
        emit(P[i], P[j], P[k], Q[j]), emit(P[i], P[k], Q[k], Q[j]);
      return;
    }
  }

  const Shape& shape_;
  const Lattice<d>& lattice_;
  std::vector<signed char> side_;
  std::vector<Cut> cuts_;
  std::unordered_map<std::uint64_t, int> cut_index_;
  std::unordered_map<int, Point> warped_;
  std::unordered_map<int, int> vertices_;
  SimplexMesh<d> mesh_;
};

}  // namespace

template <int d>
SimplexMesh<d> stuffed(const Shape& shape, double edge) {
  const Bounds box = shape.bounds(d);
  if (box.empty(d)) fail(Exit::bad_input, "the {} is empty and cannot be meshed", shape.name());
  if (!box.finite(d)) fail(Exit::bad_input, "the {} is infinite and cannot be meshed", shape.name());
  const auto lo = resized<double, d>(box.lo), size = resized<double, d>(box.size());
  Vec<double, d> side = Lattice<d>::spacing(edge), margin = Vec<double, d>::zero();
  const bool sharp = !features_of(shape, d).edges.empty();
  double points = d == 3 ? 2 : 1;
  for (int i = 0; i < d; ++i) {
    // Two rows of triangles together: every other row starts half a side later.
    const double unit = d == 2 && i == 1 ? 2 * side[i] : side[i];
    const double cells = std::max(1.0, std::round(size[i] / unit)) * unit / side[i], fitting = size[i] / cells;
    if (sharp && fitting > 0.5 * side[i])
      side[i] = fitting;
    else
      margin[i] = 0.5 * (std::ceil(size[i] / side[i]) * side[i] - size[i]);
    points *= size[i] / side[i] + 3;
  }
  if (points > most_lattice_points)
    fail(Exit::resources, "the {} needs {:.2g} lattice points at edges of {:.3g} m; at most {:.2g} are possible",
         shape.name(), points, edge, most_lattice_points);
  const Lattice<d> lattice(lo - margin, lo + size + margin, side);
  SimplexMesh<d> mesh = Stuffing<d>(shape, lattice).mesh();
  if (mesh.cells.empty())
    fail(Exit::bad_input, "the {} is too thin for edges of {:.3g} m and gets no cells; try {:.2g} m or less",
         shape.name(), edge, edge / 4);
  return mesh;
}

template SimplexMesh<2> stuffed<2>(const Shape&, double);
template SimplexMesh<3> stuffed<3>(const Shape&, double);

}  // namespace knead
