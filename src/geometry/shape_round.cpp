#include "geometry/shape_round.h"

#include "base/elementary.h"
#include "geometry/closest.h"

#include <fmt/format.h>

#include <numbers>

namespace knead {

namespace {
using std::numbers::pi;
}

double Sphere::volume(int dim) const {
  return dim == 2 ? pi * radius * radius : 4.0 / 3 * pi * radius * radius * radius;
}
const Table& Sphere::table() {
  static const Table t{"sphere",
                       "A ball; in 2D a disc.",
                       {field<&Sphere::center>("center", "m", "Its centre."),
                        field<&Sphere::radius>("radius", "m", "Its radius.").above(0, "a ball needs a size")},
                       {"disc", "circle", "ball"}};
  return t;
}

// The foot x of p on the ellipsoid sum (x_i/e_i)^2 = 1 is x_i = e_i^2 p_i / (e_i^2 + t), where t is the largest root of
// g(t) = sum (e_i p_i / (e_i^2 + t))^2 - 1. With s = t + e_m^2, m the shortest axis, g is convex and falling for s > 0,
// so that Newton's method climbs to the root from any s on its left. (Eberly, Distance from a Point to an Ellipsoid.)
double Ellipsoid::distance(const Vec3d& p) const {
  Vec3d e = radii, y{};
  const int n = radii[2] > 0 ? 3 : 2;
  double inside = -1;
  int m = 0;
  for (int i = 0; i < n; ++i) {
    y[i] = std::abs(p[i] - center[i]);
    inside += (y[i] / e[i]) * (y[i] / e[i]);
    if (e[i] < e[m] || (e[i] == e[m] && y[i] > y[m])) m = i;
  }
  // A point on the shortest axis' plane is moved off it by next to nothing, which spares a case without a root.
  y[m] = std::max(y[m], 1e-12 * e[m]);
  double s = e[m] * y[m];
  for (int iteration = 0; iteration < 200; ++iteration) {
    double g = -1, slope = 0;
    for (int i = 0; i < n; ++i) {
      const double d = s + (e[i] * e[i] - e[m] * e[m]), r = e[i] * y[i] / d;
      g += r * r;
      slope -= 2 * r * r / d;
    }
    const double step = -g / slope;
    s += step;
    if (!(step > 1e-15 * s)) break;
  }
  double d2 = 0;
  for (int i = 0; i < n; ++i) {
    const double x = e[i] * e[i] * y[i] / (s + (e[i] * e[i] - e[m] * e[m]));
    d2 += (x - y[i]) * (x - y[i]);
  }
  return inside < 0 ? -std::sqrt(d2) : std::sqrt(d2);
}
Bounds Ellipsoid::bounds(int dim) const { return flattened(Bounds::around(center, radii), radii[2] > 0 ? dim : 2); }
double Ellipsoid::volume(int dim) const {
  if (dim == 2) return pi * radii[0] * radii[1];
  return radii[2] > 0 ? 4.0 / 3 * pi * product(radii) : Bounds::infinity;
}
std::vector<std::string> Ellipsoid::check(int dim) const {
  for (int i = 0; i < dim; ++i)
    if (!(radii[i] > 0)) return {fmt::format("radii must be above 0 along {}: an ellipsoid needs a volume", "xyz"[i])};
  return {};
}
const Table& Ellipsoid::table() {
  static const Table t{"ellipsoid",
                       "An ellipsoid along the axes; in 2D an ellipse.",
                       {field<&Ellipsoid::center>("center", "m", "Its centre."),
                        field<&Ellipsoid::radii>("radii", "m", "Its semi-axes along x, y and z.")
                            .at_least(0, "a radius is not negative")},
                       {"ellipse"}};
  return t;
}

double Capsule::distance(const Vec3d& p) const { return length(p - closest_on_segment(p, from, to)) - radius; }
Bounds Capsule::bounds(int dim) const {
  Bounds b;
  b.add(from), b.add(to);
  return flattened(b.grown(radius), dim);
}
double Capsule::volume(int dim) const {
  const double l = length(to - from);
  return dim == 2 ? (2 * l + pi * radius) * radius : pi * radius * radius * (l + 4.0 / 3 * radius);
}
const Table& Capsule::table() {
  static const Table t{
      "capsule",
      "All points within a radius of a segment; in 2D a stadium.",
      {field<&Capsule::from>("from", "m", "One end of the segment."), field<&Capsule::to>("to", "m", "Its other end."),
       field<&Capsule::radius>("radius", "m", "The radius.").above(0, "a capsule needs a size")},
      {"stadium"}};
  return t;
}

double Torus::distance(const Vec3d& p) const {
  const Vec3d n = normalized(axis, Vec3d::axis(1)), r = p - center;
  const double along = dot(r, n), across = length(r - along * n);
  return elementary::hypot(across - radius, along) - tube;
}
Bounds Torus::bounds(int) const {
  const Vec3d n = normalized(axis, Vec3d::axis(1));
  Vec3d half{};
  for (int i = 0; i < 3; ++i) half[i] = radius * std::sqrt(std::max(0.0, 1 - n[i] * n[i])) + tube;
  return Bounds::around(center, half);
}
double Torus::volume(int) const { return 2 * pi * pi * radius * tube * tube; }
std::vector<std::string> Torus::check(int dim) const {
  if (dim == 2) return {"a torus exists in 3D only; in 2D use a \"shell\" of a \"disc\""};
  std::vector<std::string> wrong;
  if (axis == Vec3d{}) wrong.push_back("axis must not be zero: it gives a direction");
  if (tube > radius) wrong.push_back(fmt::format("tube is {} m but may be at most the radius, {} m", tube, radius));
  return wrong;
}
const Table& Torus::table() {
  static const Table t{
      "torus",
      "A ring; 3D only.",
      {field<&Torus::center>("center", "m", "Its centre."),
       field<&Torus::axis>("axis", "",
                           "The direction of the hole, of any non-zero length. Default: y, also if scene.up is \"z\"."),
       field<&Torus::radius>("radius", "m", "From the centre to the middle of the tube.")
           .above(0, "a ring needs a size"),
       field<&Torus::tube>("tube", "m", "The radius of the tube, at most `radius`.").above(0, "a ring needs a size")},
      {"ring"}};
  return t;
}

}  // namespace knead
