#include "geometry/shape_cylinder.h"

#include "base/elementary.h"

#include <numbers>

namespace knead {

namespace {

using std::numbers::pi;

// The box around a disc of the given unit normal.
void add_disc(Bounds& b, const Vec3d& center, const Vec3d& n, double radius) {
  Vec3d half{};
  for (int i = 0; i < 3; ++i) half[i] = radius * std::sqrt(std::max(0.0, 1 - n[i] * n[i]));
  b.add(Bounds::around(center, half));
}

// Distance from (x, y) to the segment from (ax, ay) to (bx, by), in the half plane through the axis.
double to_segment(double x, double y, double ax, double ay, double bx, double by) {
  const double ux = bx - ax, uy = by - ay, l2 = ux * ux + uy * uy;
  const double t = l2 > 0 ? std::clamp(((x - ax) * ux + (y - ay) * uy) / l2, 0.0, 1.0) : 0.0;
  return elementary::hypot(x - ax - t * ux, y - ay - t * uy);
}

}  // namespace

double Cylinder::distance(const Vec3d& p) const {
  const Vec3d n = normalized(axis, Vec3d::axis(1)), r = p - center;
  const double along = dot(r, n), side = length(r - along * n) - radius, end = std::abs(along) - height / 2;
  return side > 0 && end > 0 ? elementary::hypot(side, end) : std::max(side, end);
}
Bounds Cylinder::bounds(int) const {
  const Vec3d n = normalized(axis, Vec3d::axis(1));
  Bounds b;
  add_disc(b, center + (height / 2) * n, n, radius);
  add_disc(b, center - (height / 2) * n, n, radius);
  return b;
}
double Cylinder::volume(int) const { return pi * radius * radius * height; }
std::vector<std::string> Cylinder::check(int dim) const {
  if (dim == 2) return {"a cylinder exists in 3D only; in 2D use a \"disc\" or a \"rectangle\""};
  if (axis == Vec3d{}) return {"axis must not be zero: it gives a direction"};
  return {};
}
const Table& Cylinder::table() {
  static const Table t{
      "cylinder",
      "A round cylinder; 3D only.",
      {field<&Cylinder::center>("center", "m", "Its centre."),
       field<&Cylinder::axis>("axis", "",
                              "Its direction, of any non-zero length. Default: y, also if scene.up is \"z\"."),
       field<&Cylinder::radius>("radius", "m", "Its radius.").above(0, "a cylinder needs a size"),
       field<&Cylinder::height>("height", "m", "Its length along the axis.").above(0, "a cylinder needs a size")}};
  return t;
}

double Cone::distance(const Vec3d& p) const {
  const Vec3d span = apex - base, n = normalized(span, Vec3d::axis(1)), r = p - base;
  const double h = length(span), along = dot(r, n), across = length(r - along * n);
  double d = to_segment(across, along, 0, 0, radius, 0);
  d = std::min(d, to_segment(across, along, radius, 0, top, h));
  d = std::min(d, to_segment(across, along, top, h, 0, h));
  const bool inside = along > 0 && along < h && across < radius + (top - radius) * (along / h);
  return inside ? -d : d;
}
Bounds Cone::bounds(int) const {
  const Vec3d n = normalized(apex - base, Vec3d::axis(1));
  Bounds b;
  add_disc(b, base, n, radius);
  add_disc(b, apex, n, top);
  return b;
}
double Cone::volume(int) const { return pi / 3 * length(apex - base) * (radius * radius + radius * top + top * top); }
std::vector<std::string> Cone::check(int dim) const {
  if (dim == 2) return {"a cone exists in 3D only; in 2D use a \"polygon\" of three points"};
  std::vector<std::string> wrong;
  if (apex == base) wrong.push_back("apex and base must not be the same point: a cone needs a height");
  if (!(radius > 0) && !(top > 0)) wrong.push_back("radius and top must not both be 0: a cone needs a width");
  return wrong;
}
const Table& Cone::table() {
  static const Table t{
      "cone",
      "A cone, or a cut cone; 3D only.",
      {field<&Cone::base>("base", "m", "The centre of its base."),
       field<&Cone::apex>("apex", "m", "Its tip, or the centre of its top."),
       field<&Cone::radius>("radius", "m", "The radius of the base.").at_least(0, "a radius is not negative"),
       field<&Cone::top>("top", "m", "The radius of the top; 0 for a tip.").at_least(0, "a radius is not negative")},
      {"frustum"}};
  return t;
}

}  // namespace knead
