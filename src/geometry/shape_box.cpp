#include "geometry/shape_box.h"

#include <fmt/format.h>

#include <numbers>

namespace knead {

namespace {

// Exact distance to a centred box of half sizes h; a negative half size takes its axis out of the question.
double box_distance(const Vec3d& p, const Vec3d& h) {
  Vec3d outside{};
  double inside = -Bounds::infinity;
  for (int i = 0; i < 3; ++i) {
    if (h[i] < 0) continue;
    const double q = std::abs(p[i]) - h[i];
    outside[i] = std::max(q, 0.0);
    inside = std::max(inside, q);
  }
  return inside > 0 ? length(outside) : inside;
}

Vec3d half_size(const Vec3d& size) { return {size[0] / 2, size[1] / 2, size[2] > 0 ? size[2] / 2 : -1}; }

Bounds box_bounds(const Vec3d& center, const Vec3d& size, int dim) {
  Bounds b = Bounds::around(center, size * 0.5);
  return size[2] > 0 ? flattened(b, dim) : flattened(b, 2);
}

std::vector<std::string> check_size(const Vec3d& size, int dim) {
  for (int i = 0; i < dim; ++i)
    if (!(size[i] > 0)) return {fmt::format("size must be above 0 along {}: a box needs a volume", "xyz"[i])};
  return {};
}

}  // namespace

double Box::distance(const Vec3d& p) const { return box_distance(p - center, half_size(size)); }
Bounds Box::bounds(int dim) const { return box_bounds(center, size, dim); }
double Box::volume(int dim) const {
  if (dim == 2) return size[0] * size[1];
  return size[2] > 0 ? product(size) : Bounds::infinity;
}
std::vector<std::string> Box::check(int dim) const { return check_size(size, dim); }

const Table& Box::table() {
  static const Table t{
      "box",
      "A box along the axes; in 2D a rectangle.",
      {field<&Box::center>("center", "m", "Its centre."),
       field<&Box::size>("size", "m", "Its width, height and depth.").at_least(0, "a size is not negative")},
      {"rectangle", "cube"}};
  return t;
}

double RoundedBox::distance(const Vec3d& p) const {
  Vec3d h = half_size(size);
  for (int i = 0; i < 3; ++i)
    if (h[i] >= 0) h[i] = std::max(h[i] - radius, 0.0);
  return box_distance(p - center, h) - radius;
}
Bounds RoundedBox::bounds(int dim) const { return box_bounds(center, size, dim); }

// Steiner's formula for the points within r of a box of sizes a, b, c.
double RoundedBox::volume(int dim) const {
  constexpr double pi = std::numbers::pi;
  const double r = radius, a = size[0] - 2 * r, b = size[1] - 2 * r, c = size[2] - 2 * r;
  if (dim == 2) return a * b + 2 * r * (a + b) + pi * r * r;
  if (!(size[2] > 0)) return Bounds::infinity;
  return a * b * c + 2 * r * (a * b + b * c + c * a) + pi * r * r * (a + b + c) + 4.0 / 3 * pi * r * r * r;
}

std::vector<std::string> RoundedBox::check(int dim) const {
  std::vector<std::string> wrong = check_size(size, dim);
  const double least = dim == 2 ? std::min(size[0], size[1]) : std::min({size[0], size[1], size[2]});
  if (wrong.empty() && 2 * radius > least * (1 + 1e-12))
    wrong.push_back(fmt::format("radius is {} m but may be at most half the least size, {} m", radius, least / 2));
  return wrong;
}

const Table& RoundedBox::table() {
  static const Table t{
      "rounded_box",
      "A box with rounded edges and corners; in 2D a rectangle with rounded corners.",
      {field<&RoundedBox::center>("center", "m", "Its centre."),
       field<&RoundedBox::size>("size", "m", "Its outer width, height and depth.")
           .at_least(0, "a size is not negative"),
       field<&RoundedBox::radius>("radius", "m", "The radius of the edges, at most half the least size.")
           .at_least(0, "a radius is not negative")},
      {"rounded_rectangle"}};
  return t;
}

}  // namespace knead
