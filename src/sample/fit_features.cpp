#include "sample/fit_features.h"

#include "geometry/shape_features.h"
#include "geometry/simplex_edit.h"

#include <cstdint>
#include <tuple>
#include <unordered_map>

namespace knead {

namespace {

// Things by the cubes that they lie in, for those near a place.
class Cubes {
 public:
  explicit Cubes(double side) : side_(side) {}
  void add(const Bounds& box, int thing) {
    visit(box, [&](std::uint64_t key) { things_[key].push_back(thing); });
  }
  // f of all things in cubes within `side` of p, some twice.
  template <class F>
  void near(const Vec3d& p, F&& f) const {
    visit(Bounds::around(p, Vec3d::filled(side_)), [&](std::uint64_t key) {
      if (const auto found = things_.find(key); found != things_.end())
        for (int thing : found->second) f(thing);
    });
  }

 private:
  template <class F>
  void visit(const Bounds& box, F&& f) const {
    std::int64_t lo[3], hi[3];
    for (int i = 0; i < 3; ++i) {
      lo[i] = static_cast<std::int64_t>(std::floor(box.lo[i] / side_));
      hi[i] = static_cast<std::int64_t>(std::floor(box.hi[i] / side_));
    }
    for (std::int64_t z = lo[2]; z <= hi[2]; ++z)
      for (std::int64_t y = lo[1]; y <= hi[1]; ++y)
        for (std::int64_t x = lo[0]; x <= hi[0]; ++x)
          f((static_cast<std::uint64_t>(x) & 0x1fffff) | (static_cast<std::uint64_t>(y) & 0x1fffff) << 21 |
            (static_cast<std::uint64_t>(z) & 0x1fffff) << 42);
  }
  double side_;
  std::unordered_map<std::uint64_t, std::vector<int>> things_;
};

// The sharp edges of a shape, asked for the nearest point on them.
class SharpEdges {
 public:
  SharpEdges(const std::vector<SharpEdge>& edges, double reach) : reach_(reach), cubes_(reach) {
    for (const SharpEdge& e : edges) {
      const auto pieces = static_cast<std::size_t>(std::max(1.0, std::ceil(length(e.to - e.from) / reach)));
      const Vec3d step = (e.to - e.from) / static_cast<double>(pieces);
      for (std::size_t i = 0; i < pieces; ++i) {
        const SharpEdge piece{e.from + double(i) * step, e.from + double(i + 1) * step, e.normals};
        Bounds box;
        box.add(piece.from), box.add(piece.to);
        cubes_.add(box, static_cast<int>(pieces_.size()));
        pieces_.push_back(piece);
      }
    }
  }

  struct Nearest {
    Vec3d point;
    double distance = Bounds::infinity;
    const SharpEdge* edge = nullptr;  // null where none is within reach
  };
  Nearest nearest(const Vec3d& p) const {
    Nearest best;
    best.distance = reach_;
    int best_piece = -1;
    cubes_.near(p, [&](int i) {
      const SharpEdge& e = pieces_[static_cast<std::size_t>(i)];
      const Vec3d along = e.to - e.from;
      const double l2 = dot(along, along), t = l2 > 0 ? std::clamp(dot(p - e.from, along) / l2, 0.0, 1.0) : 0.0;
      const Vec3d q = e.from + t * along;
      const double distance = length(p - q);
      if (distance < best.distance || (distance == best.distance && i < best_piece)) {
        best = {q, distance, &e};
        best_piece = i;
      }
    });
    return best;
  }

 private:
  double reach_;
  Cubes cubes_;
  std::vector<SharpEdge> pieces_;
};

// Which of the two smooth sides at a point of a sharp edge p lies on.
int side_at(const SharpEdges::Nearest& at, const Vec3d& p) {
  return std::abs(dot(at.edge->normals[0], p - at.point)) <= std::abs(dot(at.edge->normals[1], p - at.point)) ? 0 : 1;
}

template <int d>
class Fitting {
 public:
  Fitting(SimplexMesh<d>& mesh, const Shape& shape, const Features& features, double edge)
      : mesh_(mesh),
        shape_(shape),
        edge_(edge),
        corners_(features.corners),
        sharp_(features.edges, reach * edge),
        edit_(mesh, edge) {}

  FeatureFit run() {
    find_boundary();
    mark_those_in_place();
    // First what can be done well, then what can be done at all; what lies around makes room in between.
    for (double least : {0.25, 0.2, 0.15, sliver_altitude * 1.1}) {
      fit_corners(least);
      fit_edges(least);
      edit_.improve(near_, 0.3, 4, [&](int p) { return freedom(p); });
    }
    fit_.left = cut_off().size();
    edit_.finish();
    return fit_;
  }

 private:
  using Point = Vec<double, d>;
  static constexpr double reach = d == 2 ? 2 : 1.25;  // edges; tips of flat shapes stand out farther
  enum Kind : char { inner, face, sharp, corner };

  static Vec3d lifted(const Point& p) { return resized<double, 3>(p); }
  Vec3d at(int p) const { return lifted(mesh_.points[static_cast<std::size_t>(p)]); }
  Kind& kind(int p) { return kinds_[static_cast<std::size_t>(p)]; }
  bool on_surface(const Vec3d& p) const { return std::abs(shape_.distance(p)) < 1e-3 * edge_; }

  // Which points lie on the boundary, and which are near a sharp edge.
  void find_boundary() {
    kinds_.assign(mesh_.points.size(), inner);
    for (const auto& facet : boundary_facets(mesh_))
      for (int p : facet) kind(p) = face;
    for (std::size_t p = 0; p < mesh_.points.size(); ++p)
      if (sharp_.nearest(at(static_cast<int>(p))).edge) near_.push_back(static_cast<int>(p));
  }

  void mark_those_in_place() {
    const double close = 1e-6 * edge_;
    for (int p : near_)
      if (kind(p) == face && sharp_.nearest(at(p)).distance < close) kind(p) = sharp;
    taken_.assign(corners_.size(), false);
    for_points_at_corners([&](std::size_t c, int p, double distance) {
      if (distance < close) kind(p) = corner, taken_[c] = true;
    });
  }

  template <class F>
  void for_points_at_corners(F&& f) {
    Cubes cubes(edge_);
    for (std::size_t c = 0; c < corners_.size(); ++c) {
      Bounds box;
      box.add(corners_[c]);
      cubes.add(box, static_cast<int>(c));
    }
    for (std::size_t n = 0; n < kinds_.size(); ++n) {
      const int p = static_cast<int>(n);
      if (kind(p) == inner) continue;
      cubes.near(at(p), [&](int c) {
        f(static_cast<std::size_t>(c), p, length(at(p) - corners_[static_cast<std::size_t>(c)]));
      });
    }
  }

  // Each corner takes the nearest boundary point that can go there.
  void fit_corners(double least) {
    std::vector<std::tuple<std::size_t, double, int>> near;
    for_points_at_corners([&](std::size_t c, int p, double distance) {
      if (!taken_[c] && kind(p) != corner && distance < edge_) near.push_back({c, distance, p});
    });
    std::sort(near.begin(), near.end());
    for (const auto& [c, distance, p] : near) {
      if (taken_[c] || kind(p) == corner || !on_surface(corners_[c])) continue;
      if (!edit_.move(p, resized<double, d>(corners_[c]), least)) continue;
      kind(p) = corner, taken_[c] = true;
      ++fit_.moved;
    }
  }

  struct CutOff {
    double distance;  // of the nearer end from the sharp edge
    int a, b;         // the nearer end first
    bool operator<(const CutOff& o) const { return std::tie(distance, a, b) < std::tie(o.distance, o.a, o.b); }
  };
  bool crosses(int a, int b) {
    if (kind(a) >= sharp || kind(b) >= sharp) return false;
    const SharpEdges::Nearest n = sharp_.nearest(0.5 * (at(a) + at(b)));
    return n.edge && n.distance < reach * length(at(b) - at(a)) && side_at(n, at(a)) != side_at(n, at(b)) &&
           on_surface(n.point);
  }
  // The boundary's edges from one smooth side to another with no end on the sharp edge between.
  std::vector<CutOff> cut_off() {
    std::vector<CutOff> cut;
    for (int a : near_) {
      if (kind(a) != face) continue;
      std::vector<int> ends;
      for (int c : edit_.star(a))
        for (int b : mesh_.cells[static_cast<std::size_t>(c)])
          if (b > a && kind(b) == face) ends.push_back(b);
      std::sort(ends.begin(), ends.end());
      ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
      for (int b : ends) {
        if (!crosses(a, b) || facets_at(a, b).size() != 2) continue;
        const double da = sharp_.nearest(at(a)).distance, db = sharp_.nearest(at(b)).distance;
        cut.push_back(da <= db ? CutOff{da, a, b} : CutOff{db, b, a});
      }
    }
    std::sort(cut.begin(), cut.end());
    return cut;
  }
  // The boundary's facets at an edge, each as its third corner and the fourth corner of its cell; in 2D, where the edge
  // is a facet, that of its cell, twice.
  std::vector<std::array<int, 2>> facets_at(int a, int b) const {
    std::vector<std::array<int, 2>> others, facets;
    for (int c : edit_.cells_at_edge(a, b)) {
      std::array<int, 2> other{-1, -1};
      std::size_t n = 0;
      for (int p : mesh_.cells[static_cast<std::size_t>(c)])
        if (p != a && p != b) other[n++] = p;
      others.push_back(other);
    }
    if (d == 2) return others.size() == 1 ? std::vector{others[0], others[0]} : facets;
    // A side that only one cell has.
    for (std::size_t i = 0; i < others.size(); ++i)
      for (std::size_t k = 0; k < 2; ++k) {
        bool single = true;
        for (std::size_t j = 0; j < others.size(); ++j)
          single &= j == i || (others[j][0] != others[i][k] && others[j][1] != others[i][k]);
        if (single) facets.push_back({others[i][k], others[i][1 - k]});
      }
    return facets;
  }

  void fit_edges(double least) {
    for (const CutOff& c : cut_off()) {
      if (!crosses(c.a, c.b)) continue;
      const Vec3d middle = sharp_.nearest(0.5 * (at(c.a) + at(c.b))).point;
      if (to_sharp(c.a, sharp_.nearest(at(c.a)), least) || to_sharp(c.b, sharp_.nearest(at(c.b)), least) ||
          to_sharp(c.a, sharp_.nearest(middle), least) || to_sharp(c.b, sharp_.nearest(middle), least))
        continue;
      if (fill(c.a, c.b, middle, least)) continue;
      if (edit_.split(c.a, c.b, resized<double, d>(middle), least) < 0) continue;
      note_added();
    }
  }
  void note_added() {
    near_.push_back(static_cast<int>(kinds_.size()));
    kinds_.push_back(sharp);
    ++fit_.added;
  }
  // Puts a cell onto the boundary's edge: in 3D between the two facets there, where both reach the sharp edge; in 2D
  // with a new point at the corner.
  bool fill(int a, int b, const Vec3d& middle, double least) {
    const std::vector<std::array<int, 2>> facets = facets_at(a, b);
    if (facets.size() != 2) return false;
    if constexpr (d == 2) {
      const Point tip = resized<double, 2>(middle);
      const int inside = facets[0][0];
      for (const auto& [p, q] : {std::array{a, b}, std::array{b, a}}) {
        const bool outside = signed_volume<2>({point(p), point(q), point(inside)}) < 0;
        if (!outside || !(edit_.score({point(p), point(q), tip}) >= least)) continue;
        edit_.add_cell({p, q, edit_.add_point(tip)});
        note_added();
        return true;
      }
      return false;
    } else {
      const auto [u, inside_u] = facets[0];
      const auto [v, inside_v] = facets[1];
      if (u == v || kind(u) < sharp || kind(v) < sharp || !edit_.cells_at_edge(u, v).empty()) return false;
      for (const auto& [p, q] : {std::array{a, b}, std::array{b, a}}) {
        const bool outside = signed_volume<3>({point(p), point(q), point(u), point(inside_u)}) < 0 &&
                             signed_volume<3>({point(q), point(p), point(v), point(inside_v)}) < 0;
        if (!outside || !(edit_.score({point(p), point(q), point(u), point(v)}) >= least)) continue;
        edit_.add_cell({p, q, u, v});
        ++fit_.filled;
        return true;
      }
      return false;
    }
  }
  const Point& point(int p) const { return mesh_.points[static_cast<std::size_t>(p)]; }
  bool to_sharp(int p, const SharpEdges::Nearest& n, double least) {
    if (!n.edge || !on_surface(n.point) || !edit_.move(p, resized<double, d>(n.point), least)) return false;
    kind(p) = sharp;
    ++fit_.moved;
    return true;
  }

  // Where a point may go while its surroundings are improved: on its own smooth side, along its sharp edge, not at all
  // from a corner.
  using Freedom = typename SimplexEdit<d>::Freedom;
  Freedom freedom(int p) {
    switch (kind(p)) {
      case inner:
        return Freedom::everywhere();
      case sharp:
        return along_sharp(p);
      case face:
        return on_face(p);
      case corner:
        break;
    }
    return {};
  }
  Freedom along_sharp(int p) const {
    const SharpEdges::Nearest now = sharp_.nearest(at(p));
    if (!now.edge || now.edge->from == now.edge->to) return {};
    Freedom f{1, {resized<double, d>(normalized(now.edge->to - now.edge->from))}};
    f.allowed = [this, now](Point& x) {
      const SharpEdges::Nearest then = sharp_.nearest(lifted(x));
      if (!then.edge || !on_surface(then.point)) return false;
      for (std::size_t k = 0; k < 2; ++k)
        if (dot(now.edge->normals[k], then.edge->normals[k]) < 0.85) return false;
      x = resized<double, d>(then.point);
      return true;
    };
    return f;
  }
  Freedom on_face(int p) const {
    const Vec3d n = shape_.normal(at(p), d);
    Freedom f{d - 1};
    if constexpr (d == 2) {
      f.directions[0] = {-n[1], n[0]};
    } else {
      f.directions[0] = normalized(cross(n, std::abs(n[0]) < 0.7 ? Vec3d::axis(0) : Vec3d::axis(1)));
      f.directions[1] = cross(n, f.directions[0]);
    }
    f.allowed = [this, n](Point& x) {
      Vec3d y = lifted(x);
      double phi = shape_.distance(y);
      for (int i = 0; i < 5 && std::abs(phi) > 1e-9 * edge_; ++i) {
        y -= phi * n;
        phi = shape_.distance(y);
      }
      x = resized<double, d>(y);
      return std::abs(phi) < 1e-6 * edge_ && dot(n, shape_.normal(y, d)) > 0.85;
    };
    return f;
  }

  SimplexMesh<d>& mesh_;
  const Shape& shape_;
  double edge_;
  const std::vector<Vec3d>& corners_;
  SharpEdges sharp_;
  SimplexEdit<d> edit_;
  FeatureFit fit_;
  std::vector<Kind> kinds_;
  std::vector<bool> taken_;
  std::vector<int> near_;  // points within reach of a sharp edge
};

}  // namespace

template <int d>
FeatureFit fit_features(SimplexMesh<d>& mesh, const Shape& shape, double edge) {
  const Features features = features_of(shape, d, edge / 8);
  if (features.edges.empty() && features.corners.empty()) return {};
  return Fitting<d>(mesh, shape, features, edge).run();
}

template FeatureFit fit_features(SimplexMesh<2>&, const Shape&, double);
template FeatureFit fit_features(SimplexMesh<3>&, const Shape&, double);

}  // namespace knead
