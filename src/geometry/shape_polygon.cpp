#include "geometry/shape_polygon.h"

#include "base/elementary.h"

#include <fmt/format.h>

#include <numbers>

namespace knead {

namespace {

double cross2(const Vec3d& a, const Vec3d& b) { return a[0] * b[1] - a[1] * b[0]; }

// Exact distance to an extruded outline, from the distance to the outline and the height above the middle.
double extruded(double flat, double z, double depth) {
  if (!(depth > 0)) return flat;
  const double end = std::abs(z) - depth / 2;
  return flat > 0 && end > 0 ? elementary::hypot(flat, end) : std::max(flat, end);
}

void extrude(Bounds& b, double z, double depth, int dim) {
  b.lo[2] = z - depth / 2, b.hi[2] = z + depth / 2;
  b = flattened(b, depth > 0 ? dim : 2);
}

double extruded_volume(double area, double depth, int dim) {
  if (dim == 2) return area;
  return depth > 0 ? area * depth : Bounds::infinity;
}

// Do the segments ab and cd share a point?
bool segments_meet(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& d) {
  const double o1 = cross2(b - a, c - a), o2 = cross2(b - a, d - a), o3 = cross2(d - c, a - c),
               o4 = cross2(d - c, b - c);
  if (((o1 > 0 && o2 < 0) || (o1 < 0 && o2 > 0)) && ((o3 > 0 && o4 < 0) || (o3 < 0 && o4 > 0))) return true;
  auto on = [](const Vec3d& p, const Vec3d& q, const Vec3d& r) {
    return std::min(p[0], q[0]) <= r[0] && r[0] <= std::max(p[0], q[0]) && std::min(p[1], q[1]) <= r[1] &&
           r[1] <= std::max(p[1], q[1]);
  };
  return (o1 == 0 && on(a, b, c)) || (o2 == 0 && on(a, b, d)) || (o3 == 0 && on(c, d, a)) || (o4 == 0 && on(c, d, b));
}

double signed_area(const std::vector<Vec3d>& points) {
  double twice = 0;
  for (std::size_t i = 0; i < points.size(); ++i)
    twice += cross2(points[i] - points[0], points[(i + 1) % points.size()] - points[0]);
  return twice / 2;
}

}  // namespace

// The nearest edge gives the size, the number of edges crossed on the way to x = infinity the sign.
double Polygon::distance(const Vec3d& p) const {
  double d2 = Bounds::infinity;
  bool inside = false;
  for (std::size_t i = 0, j = points.size() - 1; i < points.size(); j = i++) {
    const Vec3d &a = points[j], &b = points[i];
    const double ux = b[0] - a[0], uy = b[1] - a[1], l2 = ux * ux + uy * uy;
    const double t = l2 > 0 ? std::clamp(((p[0] - a[0]) * ux + (p[1] - a[1]) * uy) / l2, 0.0, 1.0) : 0.0;
    const double x = p[0] - a[0] - t * ux, y = p[1] - a[1] - t * uy;
    d2 = std::min(d2, x * x + y * y);
    if ((a[1] > p[1]) != (b[1] > p[1]) && p[0] < a[0] + (p[1] - a[1]) / uy * ux) inside = !inside;
  }
  return extruded(inside ? -std::sqrt(d2) : std::sqrt(d2), p[2] - z, depth);
}
Bounds Polygon::bounds(int dim) const {
  Bounds b;
  for (const Vec3d& p : points) b.add(p);
  extrude(b, z, depth, dim);
  return b;
}
double Polygon::volume(int dim) const {
  return points.empty() ? 0 : extruded_volume(std::abs(signed_area(points)), depth, dim);
}

std::vector<std::string> Polygon::check(int dim) const {
  const std::size_t n = points.size();
  if (n < 3) return {fmt::format("points has {} points but a polygon needs at least 3", n)};
  if (n > 20000) return {fmt::format("points has {} points but at most 20000 are allowed; use a mesh", n)};
  if (dim == 3 && !(depth > 0)) return {"depth must be above 0 in 3D: the outline is extruded along z"};
  for (std::size_t i = 0; i < n; ++i) {
    const Vec3d &a = points[i], &b = points[(i + 1) % n];
    if (a[0] == b[0] && a[1] == b[1])
      return {fmt::format("points {} and {} are the same: leave one out", i + 1, (i + 1) % n + 1)};
  }
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = i + 2; j < n; ++j) {
      if (i == 0 && j == n - 1) continue;
      if (segments_meet(points[i], points[i + 1], points[j], points[(j + 1) % n]))
        return {fmt::format("the outline crosses itself: the edge after point {} meets the edge after point {}", i + 1,
                            j + 1)};
    }
  if (signed_area(points) == 0) return {"the points lie on a line: a polygon needs an area"};
  return {};
}

const Table& Polygon::table() {
  static const Table t{
      "polygon",
      "An outline of straight edges in the xy plane, extruded along z; in 2D the outline itself.",
      {field<&Polygon::points>("points", "m",
                               "The corners in order, [x, y] each, in 3D too; the last is joined to the first.")
           .need(),
       field<&Polygon::depth>("depth", "m", "Its size along z (3D).").at_least(0, "a size is not negative"),
       field<&Polygon::z>("z", "m", "The middle of the extrusion (3D).")}};
  return t;
}

std::vector<Vec3d> Star::outline() const {
  std::vector<Vec3d> corners;
  for (int i = 0; i < 2 * points; ++i) {
    const double angle = rotation + std::numbers::pi * (0.5 + static_cast<double>(i) / points);
    const double r = i % 2 == 0 ? outer : inner;
    corners.push_back({center[0] + r * elementary::cos(angle), center[1] + r * elementary::sin(angle), center[2]});
  }
  return corners;
}

// A star is its own mirror image in every ray through a corner, so the nearest boundary point lies between the same two
// rays as the point itself: fold the point between a tip and the notch beside it, where the boundary is one segment.
double Star::distance(const Vec3d& p) const {
  const double x = p[0] - center[0], y = p[1] - center[1], sector = std::numbers::pi / points;
  const double r = elementary::hypot(x, y);
  double angle = elementary::atan2(y, x) - rotation - std::numbers::pi / 2;
  angle -= 2 * sector * std::round(angle / (2 * sector));
  const Vec3d q{r * elementary::cos(angle), r * std::abs(elementary::sin(angle)), 0};
  const Vec3d tip{outer, 0, 0}, notch{inner * elementary::cos(sector), inner * elementary::sin(sector), 0};
  const Vec3d edge = notch - tip;
  const double t = std::clamp(dot(q - tip, edge) / dot(edge, edge), 0.0, 1.0);
  const double d = length(q - tip - t * edge);
  return extruded(cross2(edge, q - tip) > 0 ? -d : d, p[2] - center[2], depth);
}
Bounds Star::bounds(int dim) const {
  Bounds b;
  for (const Vec3d& p : outline()) b.add(p);
  extrude(b, center[2], depth, dim);
  return b;
}
double Star::volume(int dim) const {
  return extruded_volume(points * inner * outer * elementary::sin(std::numbers::pi / points), depth, dim);
}

const Table& Star::table() {
  static const Table t{
      "star",
      "A star in the xy plane, extruded along z; in 2D the star itself.",
      {field<&Star::center>("center", "m", "Its centre."),
       field<&Star::points>("points", "", "How many tips it has.").within(2, 1000, "a star has at least two tips"),
       field<&Star::inner>("inner", "m", "From the centre to the notches.").above(0, "a star needs a body"),
       field<&Star::outer>("outer", "m", "From the centre to the tips.").above(0, "a star needs a size"),
       field<&Star::rotation>("rotation", "rad", "Rotates the star counter-clockwise; at 0 a tip points along y."),
       field<&Star::depth>("depth", "m", "Its size along z (3D).").at_least(0, "a size is not negative")}};
  return t;
}

}  // namespace knead
