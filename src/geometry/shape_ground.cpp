#include "geometry/shape_ground.h"

#include "base/elementary.h"

#include <fmt/format.h>

namespace knead {

Bounds Plane::bounds(int dim) const {
  // Bounded on one side where the normal lies along an axis.
  Bounds b = Bounds::everything();
  const Vec3d n = normalized(normal, Vec3d::axis(1));
  for (int i = 0; i < 3; ++i) {
    if (n[i] == 1) b.hi[i] = point[i];
    if (n[i] == -1) b.lo[i] = point[i];
  }
  return flattened(b, dim);
}
std::vector<std::string> Plane::check(int dim) const {
  const Vec3d n = dim == 2 ? Vec3d{normal[0], normal[1], 0} : normal;
  if (n == Vec3d{}) return {"normal must not be zero: it says which side is free"};
  return {};
}
const Table& Plane::table() {
  static const Table t{
      "plane",
      "The infinite half space behind a plane; for colliders and for cutting shapes.",
      {field<&Plane::point>("point", "m", "A point of the plane."),
       field<&Plane::normal>(
           "normal", "", "Points out of the solid, of any non-zero length. Default: y, also if scene.up is \"z\".")},
      {"half_space"}};
  return t;
}

double Heightfield::height(double x, double z) const {
  const int nx = row_length(), nz = rows();
  auto locate = [](double s, double lo, double hi, int n) {
    const double u = hi > lo && n > 1 ? std::clamp((s - lo) / (hi - lo), 0.0, 1.0) * (n - 1) : 0.0;
    const int i = std::clamp(static_cast<int>(u), 0, std::max(0, n - 2));
    return std::pair(i, u - i);
  };
  const auto [i, u] = locate(x, min[0], max[0], nx);
  const auto [k, w] = locate(z, min[2], max[2], nz);
  auto at = [&](int column, int row) {
    return heights[static_cast<std::size_t>(std::min(row, nz - 1)) * nx + std::min(column, nx - 1)];
  };
  const double near = at(i, k) + u * (at(i + 1, k) - at(i, k));
  const double far = at(i, k + 1) + u * (at(i + 1, k + 1) - at(i, k + 1));
  return near + w * (far - near);
}

// A bound of the slope of every bilinear cell: its derivatives along x and z are largest on its edges.
double Heightfield::steepest() const {
  const int nx = row_length(), nz = rows();
  const double dx = nx > 1 ? (max[0] - min[0]) / (nx - 1) : 1, dz = nz > 1 ? (max[2] - min[2]) / (nz - 1) : 1;
  double sx = 0, sz = 0;
  for (int k = 0; k < nz; ++k)
    for (int i = 0; i < nx; ++i) {
      const std::size_t at = static_cast<std::size_t>(k) * nx + i;
      if (i + 1 < nx) sx = std::max(sx, std::abs(heights[at + 1] - heights[at]) / dx);
      if (k + 1 < nz) sz = std::max(sz, std::abs(heights[at + nx] - heights[at]) / dz);
    }
  return elementary::hypot(sx, sz);
}

double Heightfield::distance(const Vec3d& p) const {
  const double steep = slope >= 0 ? slope : steepest();
  double d = (p[1] - height(p[0], p[2])) / std::sqrt(1 + steep * steep);
  d = std::max({d, min[0] - p[0], p[0] - max[0]});
  if (max[2] > min[2]) d = std::max({d, min[2] - p[2], p[2] - max[2]});
  if (base) d = std::max(d, *base - p[1]);
  return d;
}

Bounds Heightfield::bounds(int dim) const {
  Bounds b{min, max};
  b.lo[1] = base.value_or(-Bounds::infinity);
  b.hi[1] = heights.empty() ? b.lo[1] : *std::max_element(heights.begin(), heights.end());
  return flattened(b, max[2] > min[2] ? dim : 2);
}

double Heightfield::volume(int dim) const {
  if (!base || (dim == 3 && !(max[2] > min[2]))) return Bounds::infinity;
  // The trapezoidal rule is exact for (bi)linear cells.
  const int nx = row_length(), nz = rows();
  double total = 0, weights = 0;
  for (int k = 0; k < nz; ++k)
    for (int i = 0; i < nx; ++i) {
      const double w = (nx > 1 && (i == 0 || i == nx - 1) ? 0.5 : 1) * (nz > 1 && (k == 0 || k == nz - 1) ? 0.5 : 1);
      total += w * (heights[static_cast<std::size_t>(k) * nx + i] - *base);
      weights += w;
    }
  const double area = (max[0] - min[0]) * (dim == 3 ? max[2] - min[2] : 1);
  return area * total / weights;
}

std::vector<std::string> Heightfield::check(int dim) const {
  std::vector<std::string> wrong;
  if (heights.size() < 2) return {fmt::format("heights has {} numbers but needs at least 2", heights.size())};
  if (columns < 0 || columns == 1) wrong.push_back(fmt::format("columns is {} but must be 0 or at least 2", columns));
  if (columns > 1 && heights.size() % static_cast<std::size_t>(columns) != 0)
    wrong.push_back(fmt::format("{} heights do not fill rows of {} columns", heights.size(), columns));
  if (dim == 2 && columns > 1 && heights.size() != static_cast<std::size_t>(columns))
    wrong.push_back(
        fmt::format("in 2D heights is one row, but {} heights of {} columns are several", heights.size(), columns));
  for (int i = 0; i < dim; i += 2)
    if (!(min[i] < max[i]))
      wrong.push_back(fmt::format("min must be below max along {}{}", "xyz"[i],
                                  i == 2 ? " (a heightfield lies over x and z, its heights are y; turn it with "
                                           "`rotate` where z is up)"
                                         : ""));
  if (base)
    for (double h : heights)
      if (h < *base) {
        wrong.push_back(
            fmt::format("base is {} m but a height is {} m: heights must not lie below the base", *base, h));
        break;
      }
  return wrong;
}

void Heightfield::flatten() { min[2] = max[2] = 0; }

const Table& Heightfield::table() {
  static const Table t{
      "heightfield",
      "Terrain: solid below heights on a regular grid over x and z; in 2D below a polyline over x. Heights are always "
      "along y; with up = \"z\" give rotate = [\"90 deg\", 0, 0], which takes y to z.",
      {field<&Heightfield::heights>("heights", "m", "The heights (y), row by row: x runs fastest, then z.").need(),
       field<&Heightfield::columns>("columns", "", "Number of heights per row; 0 if there is only one row.")
           .at_least(0, "a count is not negative"),
       field<&Heightfield::min>("min", "m", "The corner of the first height (its y is not used)."),
       field<&Heightfield::max>("max", "m", "The corner of the last height (its y is not used)."),
       field<&Heightfield::base>("base", "m",
                                 "Height of the underside; without it the ground extends downwards without end.")},
      {"terrain"}};
  return t;
}

}  // namespace knead
