#include "geometry/shape_features.h"

#include "base/elementary.h"
#include "geometry/mesh_distance.h"
#include "geometry/mesh_edges.h"
#include "geometry/rotation.h"
#include "geometry/shape_meetings.h"

#include <numbers>

namespace knead {

namespace {

constexpr double degree = std::numbers::pi / 180;
constexpr int pieces_of_circle = 720;  // off the circle by 1e-5 radii
constexpr int pieces_of_part = 64;     // into which the edges of a shape's part are cut to keep those on its surface

bool sharp(const Vec3d& a, const Vec3d& b, double angle = sharp_angle) {
  return dot(a, b) < elementary::cos(angle * degree);
}

void add_edge(Features& f, const Vec3d& from, const Vec3d& to, const Vec3d& m, const Vec3d& n) {
  if (sharp(m, n)) f.edges.push_back({from, to, {m, n}});
}

void add_corner_2d(Features& f, const Vec3d& p, const Vec3d& m, const Vec3d& n) {
  f.edges.push_back({p, p, {m, n}});
  f.corners.push_back(p);
}

// A circle where two surfaces of revolution meet; their normals are given as parts outward and along the axis.
void add_circle(Features& f, const Vec3d& center, const Vec3d& axis, double radius, const Vec2d& m, const Vec2d& n) {
  const Vec3d u = normalized(cross(axis, std::abs(axis[0]) < 0.7 ? Vec3d::axis(0) : Vec3d::axis(1)));
  const Vec3d v = cross(axis, u);
  auto outward = [&](double i) {
    const double angle = 2 * std::numbers::pi * i / pieces_of_circle;
    return elementary::cos(angle) * u + elementary::sin(angle) * v;
  };
  for (int i = 0; i < pieces_of_circle; ++i) {
    const Vec3d middle = outward(i + 0.5);
    add_edge(f, center + radius * outward(i), center + radius * outward((i + 1) % pieces_of_circle),
             m[0] * middle + m[1] * axis, n[0] * middle + n[1] * axis);
  }
}

// A flat outline, in 3D extruded along z.
Features outline_features(std::vector<Vec3d> points, double z, double depth, int dim) {
  constexpr double sharp_turn = 20;  // degrees; corners are drawn on purpose, unlike the facets of a mesh
  Features f;
  const std::size_t n = points.size();
  double twice_area = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const Vec3d a = points[i] - points[0], b = points[(i + 1) % n] - points[0];
    twice_area += a[0] * b[1] - a[1] * b[0];
  }
  if (twice_area < 0) std::reverse(points.begin(), points.end());
  for (Vec3d& p : points) p[2] = 0;
  auto normal_after = [&](std::size_t i) {
    const Vec3d side = points[(i + 1) % n] - points[i];
    return normalized(Vec3d{side[1], -side[0], 0});
  };
  const Vec3d axis = Vec3d::axis(2), bottom = (z - depth / 2) * axis, top = (z + depth / 2) * axis;
  for (std::size_t i = 0; i < n; ++i) {
    const Vec3d before = normal_after((i + n - 1) % n), after = normal_after(i);
    const Vec3d &p = points[i], &next = points[(i + 1) % n];
    const bool corner = sharp(before, after, sharp_turn);
    if (dim == 2) {
      if (corner) add_corner_2d(f, p, before, after);
      continue;
    }
    add_edge(f, p + bottom, next + bottom, after, -axis);
    add_edge(f, p + top, next + top, after, axis);
    if (corner) {
      f.edges.push_back({p + bottom, p + top, {before, after}});
      f.corners.push_back(p + bottom);
      f.corners.push_back(p + top);
    }
  }
  return f;
}

Features box_features(const Vec3d& center, const Vec3d& size, int dim) {
  const double x = size[0] / 2, y = size[1] / 2;
  std::vector<Vec3d> outline{{-x, -y, 0}, {x, -y, 0}, {x, y, 0}, {-x, y, 0}};
  for (Vec3d& p : outline) p += center;
  return outline_features(outline, center[2], size[2], dim);
}

Features mesh_features(const TriangleMesh& mesh) {
  auto point = [&](int v) { return mesh.vertices[static_cast<std::size_t>(v)]; };
  auto normal = [&](int t) {
    const Vec3i& c = mesh.triangles[static_cast<std::size_t>(t)];
    return normalized(cross(point(c[1]) - point(c[0]), point(c[2]) - point(c[0])));
  };
  Features f;
  std::vector<std::vector<int>> ends(mesh.vertices.size());  // the other ends of the sharp edges at a vertex
  const std::vector<EdgeUse> uses = sorted_edges(mesh);
  for (std::size_t i = 0; i + 1 < uses.size(); ++i) {
    const EdgeUse &a = uses[i], &b = uses[i + 1];
    if (a.low != b.low || a.high != b.high) continue;
    const Vec3d m = normal(a.triangle), n = normal(b.triangle);
    if (!sharp(m, n)) continue;
    f.edges.push_back({point(a.low), point(a.high), {m, n}});
    ends[static_cast<std::size_t>(a.low)].push_back(a.high);
    ends[static_cast<std::size_t>(a.high)].push_back(a.low);
  }
  for (std::size_t v = 0; v < ends.size(); ++v) {
    if (ends[v].empty()) continue;
    const Vec3d& p = mesh.vertices[v];
    if (ends[v].size() != 2 || sharp(normalized(p - point(ends[v][0])), normalized(point(ends[v][1]) - p)))
      f.corners.push_back(p);
  }
  return f;
}

// Adds what of other edges and corners lies on the surface of a shape.
void add_on_surface(Features& f, const Features& other, const Shape& shape, int dim) {
  const Bounds box = shape.bounds(dim);
  double size2 = 0;
  for (int i = 0; i < dim; ++i) size2 += box.size()[i] * box.size()[i];
  const double tolerance = 1e-5 * std::sqrt(size2);
  auto on_surface = [&](const Vec3d& p) { return std::abs(shape.distance(p)) < tolerance; };
  for (const Vec3d& p : other.corners)
    if (on_surface(p)) f.corners.push_back(p);
  for (const SharpEdge& e : other.edges) {
    const int pieces = length(e.to - e.from) < 1000 * tolerance ? 1 : pieces_of_part;
    const Vec3d step = (e.to - e.from) / static_cast<double>(pieces);
    for (int i = 0; i < pieces; ++i) {
      const Vec3d from = e.from + static_cast<double>(i) * step;
      if (on_surface(from + 0.5 * step)) f.edges.push_back({from, from + step, e.normals});
    }
  }
}

// `others`: how the normal of the whole on the surface of a part but the first is to that part's own.
template <class Parts>
Features features_of_parts(const Parts& parts, int dim, double spacing, int others) {
  const Shape whole{parts};
  Features all;
  for (const Shape& part : parts.of) add_on_surface(all, features_of(part, dim, spacing), whole, dim);
  if (spacing > 0) {
    std::vector<int> signs(parts.of.size(), others);
    signs[0] = 1;
    const Features met = meetings_of(parts.of, signs, whole, dim, spacing);
    all.edges.insert(all.edges.end(), met.edges.begin(), met.edges.end());
    all.corners.insert(all.corners.end(), met.corners.begin(), met.corners.end());
  }
  return all;
}

struct FeaturesOf {
  int dim;
  double spacing;

  Features operator()(const Box& s) const { return box_features(s.center, s.size, dim); }
  Features operator()(const RoundedBox& s) const {
    return s.radius > 0 ? Features{} : box_features(s.center, s.size, dim);
  }
  Features operator()(const Cylinder& s) const {
    const Vec3d axis = normalized(s.axis, Vec3d::axis(1));
    Features f;
    for (double end : {-1.0, 1.0})
      add_circle(f, s.center + (end * s.height / 2) * axis, axis, s.radius, {1, 0}, {0, end});
    return f;
  }
  Features operator()(const Cone& s) const {
    const Vec3d span = s.apex - s.base, axis = normalized(span, Vec3d::axis(1));
    const Vec2d slope = normalized(Vec2d{length(span), s.radius - s.top});
    Features f;
    if (s.radius > 0) add_circle(f, s.base, axis, s.radius, slope, {0, -1});
    if (s.top > 0) add_circle(f, s.apex, axis, s.top, slope, {0, 1});
    if (!(s.radius > 0)) f.corners.push_back(s.base);
    if (!(s.top > 0)) f.corners.push_back(s.apex);
    return f;
  }
  Features operator()(const Polygon& s) const { return outline_features(s.points, s.z, s.depth, dim); }
  Features operator()(const Star& s) const { return outline_features(s.outline(), s.center[2], s.depth, dim); }
  Features operator()(const Union& s) const { return features_of_parts(s, dim, spacing, 1); }
  Features operator()(const Intersection& s) const { return features_of_parts(s, dim, spacing, 1); }
  Features operator()(const Difference& s) const { return features_of_parts(s, dim, spacing, -1); }
  // The outside is the shape's own; within, an edge lies where both sides have moved in.
  Features operator()(const Shell& s) const {
    Features f = features_of(*s.of, dim, spacing), inner{f.edges, {}};
    for (SharpEdge& e : inner.edges) {
      const Vec3d in = (e.normals[0] + e.normals[1]) * (-s.thickness / (1 + dot(e.normals[0], e.normals[1])));
      e.from += in, e.to += in;
    }
    add_on_surface(f, inner, Shape{s}, dim);
    return f;
  }
  Features operator()(const Transformed& s) const {
    const Mat3d r = rotation_matrix(s.rotate);
    auto place = [&](const Vec3d& p) { return r * (s.scale * p) + s.translate; };
    Features f = features_of(*s.of, dim, spacing / s.scale);
    for (Vec3d& p : f.corners) p = place(p);
    for (SharpEdge& e : f.edges) {
      e.from = place(e.from), e.to = place(e.to);
      for (Vec3d& n : e.normals) n = r * n;
    }
    return f;
  }
  Features operator()(const MeshShape& s) const { return mesh_features(s.mesh()->mesh()); }
  template <class Smooth>
  Features operator()(const Smooth&) const {
    return {};
  }
};

}  // namespace

Features features_of(const Shape& shape, int dim, double spacing) {
  return std::visit(FeaturesOf{dim, spacing}, shape.value);
}

}  // namespace knead
