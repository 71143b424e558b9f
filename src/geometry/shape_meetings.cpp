#include "geometry/shape_meetings.h"

#include "base/elementary.h"
#include "base/mat.h"

#include <numbers>
#include <span>

namespace knead {

namespace {

constexpr double least_turn = 20 * std::numbers::pi / 180;  // corners are drawn on purpose, unlike the facets of a mesh
constexpr double off_surface = 4e-3;                        // spacings that a piece may leave the surface

class Meetings {
 public:
  Meetings(const std::vector<Shape>& parts, const std::vector<int>& signs, const Shape& whole, int dim, double spacing)
      : parts_(parts), signs_(signs), whole_(whole), dim_(dim), spacing_(spacing) {}

  Features find() {
    // Cubes near the surfaces of two parts, and the corners, at which edges must end
    std::vector<Cube> cubes;
    for (int i = 0; i < count(); ++i)
      for (int j = i + 1; j < count(); ++j) descend(i, j, cubes);
    if (dim_ == 3) {
      find_pierced();
      for (const Cube& cube : cubes) find_triple(cube);
    }
    for (const Cube& cube : cubes) dim_ == 2 ? add_corner_2d(cube) : add_pieces(cube);
    return std::move(found_);
  }

 private:
  struct Cube {
    int i, j;  // parts
    Vec3d center;
  };

  int count() const { return static_cast<int>(parts_.size()); }
  double distance(int part, const Vec3d& x) const { return parts_[static_cast<std::size_t>(part)].distance(x); }
  Vec3d normal(int part, const Vec3d& x) const {
    return static_cast<double>(signs_[static_cast<std::size_t>(part)]) *
           parts_[static_cast<std::size_t>(part)].normal(x, dim_);
  }
  bool on_surface(const Vec3d& x) const { return std::abs(whole_.distance(x)) < off_surface * spacing_; }

  // Boxes are halved as long as both surfaces may go through them: no distance is larger than the true one.
  void descend(int i, int j, std::vector<Cube>& cubes) const {
    Bounds box = whole_.bounds(dim_).grown(spacing_);
    for (const int part : {i, j}) box = box.common(parts_[static_cast<std::size_t>(part)].bounds(dim_).grown(spacing_));
    if (box.empty(dim_) || !box.finite(dim_)) return;
    if (dim_ == 2) box.lo[2] = box.hi[2] = 0;
    std::vector<Bounds> open{box};
    while (!open.empty()) {
      const Bounds now = open.back();
      open.pop_back();
      const Vec3d center = now.center();
      const double radius = 0.5 * length(now.size());
      if (std::abs(whole_.distance(center)) > radius || std::abs(distance(i, center)) > radius ||
          std::abs(distance(j, center)) > radius)
        continue;
      int longest = 0;
      for (int k = 1; k < dim_; ++k)
        if (now.size()[k] > now.size()[longest]) longest = k;
      if (now.size()[longest] <= spacing_) {
        cubes.push_back({i, j, center});
        continue;
      }
      Bounds lower = now, upper = now;
      lower.hi[longest] = upper.lo[longest] = center[longest];
      open.push_back(lower), open.push_back(upper);
    }
  }

  // Newton's method: the shortest step that brings the distances from all of the surfaces to zero, if they cross well.
  bool settle(Vec3d& x, std::span<const int> parts) const {
    const std::size_t m = parts.size();
    for (int iteration = 0; iteration < 30; ++iteration) {
      Vec3d n[3] = {}, phi{};
      double worst = 0;
      Mat3d gram = Mat3d::identity();
      for (std::size_t a = 0; a < m; ++a) {
        n[a] = normal(parts[a], x);
        phi[int(a)] = signs_[static_cast<std::size_t>(parts[a])] * distance(parts[a], x);
        worst = std::max(worst, std::abs(phi[int(a)]));
      }
      for (std::size_t a = 0; a < m; ++a)
        for (std::size_t b = 0; b < m; ++b) gram(int(a), int(b)) = dot(n[a], n[b]);
      // Of two: the squared sine of the angle between them.
      if (determinant(gram) < elementary::power(elementary::sin(least_turn), 2 * int(m - 1))) return false;
      if (worst < 1e-8 * spacing_) return true;
      const Vec3d step = inverse(gram) * phi;
      for (std::size_t a = 0; a < m; ++a) x -= step[int(a)] * n[a];
    }
    return false;
  }
  bool settle(Vec3d& x, const Cube& cube) const { return settle(x, std::array{cube.i, cube.j}); }

  // Where a sharp edge of one part goes through the surface of another.
  void find_pierced() {
    for (int p = 0; p < count(); ++p) {
      const Features own = features_of(parts_[static_cast<std::size_t>(p)], dim_);
      for (int q = 0; q < count(); ++q)
        for (const SharpEdge& e : own.edges)
          if (q != p) pierce(e, q);
    }
  }
  void pierce(const SharpEdge& e, int q) {
    const Vec3d along = e.to - e.from;
    const double whole = length(along);
    double t = 0, here = distance(q, e.from);
    while (t < whole) {
      // No farther than the distance tells that there is nothing
      const double next = std::min(whole, t + std::max(0.25 * spacing_, std::abs(here)));
      const double there = distance(q, e.from + (next / whole) * along);
      if ((here < 0) != (there < 0)) {
        double low = t, high = next;
        for (int i = 0; i < 60; ++i) {
          const double middle = 0.5 * (low + high);
          ((distance(q, e.from + (middle / whole) * along) < 0) == (here < 0) ? low : high) = middle;
        }
        add_corner(e.from + (0.5 * (low + high) / whole) * along);
      }
      t = next, here = there;
    }
  }
  void find_triple(const Cube& cube) {
    for (int k = cube.j + 1; k < count(); ++k) {
      if (std::abs(distance(k, cube.center)) > spacing_) continue;
      Vec3d x = cube.center;
      if (settle(x, std::array{cube.i, cube.j, k}) && length(x - cube.center) < spacing_) add_corner(x);
    }
  }
  void add_corner(const Vec3d& x) {
    if (!on_surface(x)) return;
    for (const Vec3d& other : found_.corners)
      if (length(x - other) < 1e-3 * spacing_) return;
    found_.corners.push_back(x);
  }

  void add_corner_2d(const Cube& cube) {
    Vec3d x = cube.center;
    if (!settle(x, cube) || length(x - cube.center) > spacing_ || !on_surface(x)) return;
    const Vec3d m = normal(cube.i, x), n = normal(cube.j, x);
    const std::size_t before = found_.corners.size();
    if (is_edge(x, m, n)) add_corner(x);
    if (found_.corners.size() > before) found_.edges.push_back({x, x, {m, n}});
  }

  // From the cube's own point on the edge to both sides, a little farther than to the next cube's.
  void add_pieces(const Cube& cube) {
    Vec3d x = cube.center;
    if (!settle(x, cube) || length(x - cube.center) > spacing_) return;
    const Vec3d along = normalized(cross(normal(cube.i, x), normal(cube.j, x)));
    for (const double side : {-0.75, 0.75}) {
      Vec3d end = x + (side * spacing_) * along;
      if (!settle(end, cube) || length(end - x) > 1.5 * spacing_ || add_piece(cube, x, end)) continue;
      // The edge turns at a corner in between.
      for (const Vec3d& corner : found_.corners)
        if (length(corner - x) < spacing_) add_piece(cube, x, corner), add_piece(cube, corner, end);
    }
  }
  bool add_piece(const Cube& cube, const Vec3d& from, const Vec3d& to) {
    const Vec3d middle = 0.5 * (from + to);
    if (!on_surface(middle) || !on_surface(from) || !on_surface(to)) return false;
    const Vec3d m = normal(cube.i, middle), n = normal(cube.j, middle);
    if (is_edge(middle, m, n)) found_.edges.push_back({from, to, {m, n}});
    return true;
  }
  // Both sides go on from the edge: away from each other's matter, or in it. Where parts end flush, one does not.
  bool is_edge(const Vec3d& x, const Vec3d& m, const Vec3d& n) const {
    const double c = dot(m, n), step = 0.05 * spacing_;
    if (c > elementary::cos(least_turn)) return false;
    const Vec3d on_i = normalized(n - c * m), on_j = normalized(m - c * n);
    for (const double way : {-step, step})
      if (std::abs(whole_.distance(x + way * on_i)) < 0.2 * step &&
          std::abs(whole_.distance(x + way * on_j)) < 0.2 * step)
        return true;
    return false;
  }

  const std::vector<Shape>& parts_;
  const std::vector<int>& signs_;
  const Shape& whole_;
  int dim_;
  double spacing_;
  Features found_;
};

}  // namespace

Features meetings_of(const std::vector<Shape>& parts, const std::vector<int>& signs, const Shape& whole, int dim,
                     double spacing) {
  return Meetings(parts, signs, whole, dim, spacing).find();
}

}  // namespace knead
