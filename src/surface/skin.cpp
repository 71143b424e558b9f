#include "surface/skin.h"

#include "base/parallel.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>

namespace knead {

namespace {

constexpr int side = 8;            // cells of a block, along an axis
constexpr int farthest = 1 << 19;  // node along an axis

// Nodes and blocks as numbers that sort like their places.
std::uint64_t key_of(const Vec3i& at) {
  std::uint64_t key = 0;
  for (int a = 0; a < 3; ++a) key = key << 20 | static_cast<std::uint64_t>(at[a] + farthest);
  return key;
}

// Points sorted into cells as large as the field reaches, so that what is near is in the cells around.
class NearPoints {
 public:
  NearPoints(std::span<const Vec3d> points, double edge) : points_(points), edge_(edge) {
    for (std::size_t i = 0; i < points.size(); ++i) keyed_.push_back({key_of(cell_of(points[i])), i});
    std::sort(keyed_.begin(), keyed_.end());
  }
  Vec3i cell_of(const Vec3d& x) const {
    Vec3i cell{};
    for (int a = 0; a < 3; ++a) cell[a] = static_cast<int>(std::floor(x[a] / edge_));
    return cell;
  }
  // f(i) for the points in the cells around x, always in the same order.
  template <class F>
  void for_each_near(const Vec3d& x, F&& f) const {
    const Vec3i middle = cell_of(x);
    for (int i = -1; i <= 1; ++i)
      for (int j = -1; j <= 1; ++j) {
        const Vec3i first = middle + Vec3i{i, j, -1}, last = middle + Vec3i{i, j, 1};
        auto at = std::lower_bound(keyed_.begin(), keyed_.end(), std::pair(key_of(first), std::size_t(0)));
        for (const std::uint64_t end = key_of(last); at != keyed_.end() && at->first <= end; ++at) f(at->second);
      }
  }

 private:
  std::span<const Vec3d> points_;
  double edge_;
  std::vector<std::pair<std::uint64_t, std::size_t>> keyed_;
};

// A vertex of the skin: a node, where both are the same, or a place on the edge between two.
struct Corner {
  std::uint64_t from, to;
  auto operator<=>(const Corner&) const = default;  // the compiler's own 0. NOLINT(modernize-use-nullptr)
};

// Corners and where they are, m.
using Corners = std::vector<std::pair<Corner, Vec3d>>;

void sort_and_keep_one_of_each(Corners& corners) {
  std::sort(corners.begin(), corners.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  const auto same = [](const auto& a, const auto& b) { return a.first == b.first; };
  corners.erase(std::unique(corners.begin(), corners.end(), same), corners.end());
}

// What a block adds.
struct Piece {
  Corners corners;
  std::vector<std::array<Corner, 3>> triangles;
  std::vector<std::array<Corner, 2>> lines;
};

class Skinner {
 public:
  Skinner(std::span<const Vec3d> points, std::span<const double> radii, int dimension, const SkinSpec& spec)
      : points_(points), radii_(radii), dimension_(dimension), spec_(spec), near_(points, spec.reach) {}

  // By the weights of the field; of the nearest alone where none reaches.
  SkinShares shares(const SurfaceMesh& mesh) const {
    std::vector<std::vector<std::pair<int, double>>> of_point(mesh.points.size());
    parallel_for(mesh.points.size(), 256, [&](std::size_t p) {
      double sum = 0;
      near_.for_each_near(mesh.points[p], [&](std::size_t i) {
        const double k = weight(points_[i] - mesh.points[p]);
        if (k > 0) of_point[p].emplace_back(static_cast<int>(i), k), sum += k;
      });
      if (sum == 0) of_point[p] = {{mesh.vertex[p], sum = 1}};
      for (auto& [i, share] : of_point[p]) share /= sum;
    });
    SkinShares all{{0}, {}, {}};
    for (const auto& those : of_point) {
      for (const auto& [i, share] : those) all.particle.push_back(i), all.share.push_back(share);
      all.begin.push_back(all.particle.size());
    }
    return all;
  }

  SurfaceMesh skin() const {
    const std::vector<Vec3i> blocks = blocks_with_points();
    std::vector<Piece> pieces(blocks.size());
    parallel_for(blocks.size(), 1, [&](std::size_t b) { pieces[b] = march(blocks[b]); });
    return joined(pieces);
  }

 private:
  // Blocks that the field can be below 0 in, in order.
  std::vector<Vec3i> blocks_with_points() const {
    std::map<std::uint64_t, Vec3i> found;
    const double edge = side * spec_.cell;
    for (const Vec3d& x : points_) {
      Vec3i first{}, last{};
      for (int a = 0; a < dimension_; ++a) {
        first[a] = static_cast<int>(std::floor((x[a] - spec_.fill - spec_.cell) / edge));
        last[a] = static_cast<int>(std::floor((x[a] + spec_.fill + spec_.cell) / edge));
      }
      for (int i = first[0]; i <= last[0]; ++i)
        for (int j = first[1]; j <= last[1]; ++j)
          for (int k = first[2]; k <= last[2]; ++k) found.try_emplace(key_of({i, j, k}), Vec3i{i, j, k});
    }
    std::vector<Vec3i> blocks;
    for (const auto& [key, block] : found) blocks.push_back(block);
    return blocks;
  }

  // Not normalised.
  double weight(const Vec3d& away) const {
    const double s = dot(away, away) / (spec_.reach * spec_.reach);
    return s < 1 ? (1 - s) * (1 - s) * (1 - s) : 0;
  }

  double field(const Vec3d& x) const {
    double sum = 0, radius = 0, nearest = 1;  // the latter squared, in reaches
    Vec3d mean{};
    near_.for_each_near(x, [&](std::size_t i) {
      const Vec3d away = points_[i] - x;
      const double s = dot(away, away) / (spec_.reach * spec_.reach);
      if (s >= 1) return;
      nearest = std::min(nearest, s);
      const double k = (1 - s) * (1 - s) * (1 - s);
      sum += k, radius += k * radii_[i], mean += away * k;
    });
    if (sum == 0) return spec_.reach;
    return std::max(length(mean) / sum - radius / sum, std::sqrt(nearest) * spec_.reach - spec_.fill);
  }

  // The simplices of a cell, by the order in which a way from one corner to the opposite one takes the axes (Kuhn
  // 1960): neighbouring cells cut the face between them alike.
  Piece march(const Vec3i& block) const {
    const int deep = dimension_ == 3 ? side : 0;
    std::vector<double> values;
    for (int i = 0; i <= side; ++i)
      for (int j = 0; j <= side; ++j)
        for (int k = 0; k <= deep; ++k) values.push_back(field(place(block * side + Vec3i{i, j, k})));
    const auto value = [&](const Vec3i& node) {
      const Vec3i in = node - block * side;
      const int row = in[0] * (side + 1) + in[1], at = row * (deep + 1) + in[2];
      return values[static_cast<std::size_t>(at)];
    };
    Piece piece;
    const auto add_cell = [&](const Vec3i& first) {
      std::array<int, 3> axes{0, 1, 2};
      do {
        Simplex simplex;
        Vec3i node = first;
        for (int n = 0; n <= dimension_; ++n) {
          if (n > 0) node[axes[static_cast<std::size_t>(n - 1)]] += 1;
          simplex[static_cast<std::size_t>(n)] = {node, value(node)};
        }
        if (dimension_ == 3)
          cut_tetrahedron(simplex, piece);
        else
          cut_triangle(simplex, piece);
      } while (std::next_permutation(axes.begin(), axes.begin() + dimension_));
    };
    for (int i = 0; i < side; ++i)
      for (int j = 0; j < side; ++j)
        for (int k = 0; k < std::max(deep, 1); ++k) add_cell(block * side + Vec3i{i, j, k});
    sort_and_keep_one_of_each(piece.corners);
    return piece;
  }

  Vec3d place(const Vec3i& node) const { return {node[0] * spec_.cell, node[1] * spec_.cell, node[2] * spec_.cell}; }
  struct Node {
    Vec3i at{};
    double value = 0;  // m, of the field
    bool inside() const { return value < 0; }
  };
  using Simplex = std::array<Node, 4>;

  Corner corner_at(const Node& node, Piece& piece) const {
    const Corner corner{key_of(node.at), key_of(node.at)};
    piece.corners.push_back({corner, place(node.at)});
    return corner;
  }
  // Where the field is 0 between two nodes, a little away from either, so that no triangle is without area.
  Corner corner_between(const Node& a, const Node& b, Piece& piece) const {
    if (key_of(b.at) < key_of(a.at)) return corner_between(b, a, piece);
    const Corner corner{key_of(a.at), key_of(b.at)};
    const double share = std::clamp(a.value / (a.value - b.value), 0.02, 0.98);
    piece.corners.push_back({corner, place(a.at) * (1 - share) + place(b.at) * share});
    return corner;
  }

  void cut_tetrahedron(Simplex node, Piece& piece) const {
    // Those inside first. Each exchange turns the tetrahedron inside out.
    bool positive = dot(place(node[1].at) - place(node[0].at),
                        cross(place(node[2].at) - place(node[0].at), place(node[3].at) - place(node[0].at))) > 0;
    for (std::size_t n = 1; n < 4; ++n)
      for (std::size_t m = n; m > 0 && node[m].inside() && !node[m - 1].inside(); --m)
        std::swap(node[m], node[m - 1]), positive = !positive;
    const auto inside = std::count_if(node.begin(), node.end(), [](const Node& n) { return n.inside(); });
    const auto on = [&](std::size_t a, std::size_t b) { return corner_between(node[a], node[b], piece); };
    const auto add = [&](const Corner& a, const Corner& b, const Corner& c) {
      if (positive)
        piece.triangles.push_back({a, b, c});
      else
        piece.triangles.push_back({a, c, b});
    };
    if (inside == 1) add(on(0, 1), on(0, 2), on(0, 3));
    if (inside == 2) {
      const Corner a = on(0, 2), b = on(0, 3), c = on(1, 3), d = on(1, 2);
      add(a, b, c), add(a, c, d);
    }
    if (inside == 3) add(on(0, 3), on(1, 3), on(2, 3));
  }

  void cut_triangle(Simplex node, Piece& piece) const {
    const Vec3i u = node[1].at - node[0].at, v = node[2].at - node[0].at;
    if (u[0] * v[1] - u[1] * v[0] < 0) std::swap(node[1], node[2]);  // against the clock
    // The polygon of what is inside; where the way around it leaves, and where it comes back.
    std::vector<Corner> polygon;
    std::optional<Corner> leaves, returns;
    for (std::size_t n = 0; n < 3; ++n) {
      const Node &a = node[n], &b = node[(n + 1) % 3];
      if (a.inside()) polygon.push_back(corner_at(a, piece));
      if (a.inside() == b.inside()) continue;
      polygon.push_back(corner_between(a, b, piece));
      (a.inside() ? leaves : returns) = polygon.back();
    }
    for (std::size_t n = 2; n < polygon.size(); ++n)
      piece.triangles.push_back({polygon[0], polygon[n - 1], polygon[n]});
    if (leaves) piece.lines.push_back({*leaves, *returns});
  }

  SurfaceMesh joined(const std::vector<Piece>& pieces) const {
    Corners corners;
    for (const Piece& piece : pieces) corners.insert(corners.end(), piece.corners.begin(), piece.corners.end());
    sort_and_keep_one_of_each(corners);
    const auto index = [&](const Corner& corner) {
      const auto found = std::lower_bound(corners.begin(), corners.end(), corner,
                                          [](const auto& a, const Corner& b) { return a.first < b; });
      return static_cast<int>(found - corners.begin());
    };
    SurfaceMesh mesh;
    for (const auto& [corner, x] : corners) mesh.points.push_back(x);
    for (const Piece& piece : pieces) {
      for (const auto& [a, b, c] : piece.triangles) mesh.triangles.push_back({index(a), index(b), index(c)});
      for (const auto& [a, b] : piece.lines) mesh.lines.push_back({index(a), index(b)});
    }
    mesh.smooth = true;
    mesh.vertex.resize(mesh.points.size());
    parallel_for(mesh.points.size(), 256, [&](std::size_t i) { mesh.vertex[i] = nearest_to(mesh.points[i]); });
    mesh.source.assign(mesh.triangles.size(), -1);
    mesh.outer = mesh.triangles.size(), mesh.outer_lines = mesh.lines.size();
    return mesh;
  }

  int nearest_to(const Vec3d& x) const {
    std::pair found(std::numeric_limits<double>::infinity(), -1);
    near_.for_each_near(x, [&](std::size_t i) {
      const Vec3d away = points_[i] - x;
      found = std::min(found, std::pair(dot(away, away), static_cast<int>(i)));
    });
    return found.second;
  }

  std::span<const Vec3d> points_;
  std::span<const double> radii_;
  int dimension_;
  SkinSpec spec_;
  NearPoints near_;
};

}  // namespace

SurfaceMesh skin_of(std::span<const Vec3d> points, std::span<const double> radii, int dimension, const SkinSpec& spec,
                    SkinShares* shares) {
  // What is nowhere or beyond all numbers has no skin.
  std::vector<Vec3d> near;
  std::vector<double> their;
  std::vector<int> which;
  const double most = (farthest - 4 * side) * std::min(spec.cell, spec.reach);
  for (std::size_t i = 0; i < points.size(); ++i)
    if (std::abs(points[i][0]) < most && std::abs(points[i][1]) < most && std::abs(points[i][2]) < most)
      near.push_back(points[i]), their.push_back(radii[i]), which.push_back(static_cast<int>(i));
  const Skinner skinner(near, their, dimension, spec);
  SurfaceMesh skin = skinner.skin();
  if (shares) *shares = skinner.shares(skin);
  for (int& vertex : skin.vertex) vertex = which[static_cast<std::size_t>(vertex)];
  if (shares)
    for (int& i : shares->particle) i = which[static_cast<std::size_t>(i)];
  return skin;
}

}  // namespace knead
