// Volumes that have no closed form, by adaptive quadrature over a tree of boxes.
#include "base/elementary.h"
#include "base/parallel.h"
#include "geometry/shape.h"

namespace knead {

namespace {

struct Cell {
  Vec3d center, half;
};

double cell_volume(const Cell& c, int dim) {
  double v = 1;
  for (int i = 0; i < dim; ++i) v *= 2 * c.half[i];
  return v;
}

double half_diagonal(const Cell& c, int dim) {
  double s = 0;
  for (int i = 0; i < dim; ++i) s += c.half[i] * c.half[i];
  return std::sqrt(s);
}

// The part of the unit cube with n.x <= c, for n >= 0 (Gueyffier et al. 1999, Eq. 8 in the form for a cube): an
// alternating sum over the corners, divided by the product of the entries of n; entries next to zero are left out.
double cut_fraction(Vec3d n, int dim, double c) {
  const double largest = std::max({n[0], n[1], n[2]});
  if (!(largest > 0)) return c >= 0 ? 1 : 0;
  double used[3];
  int m = 0;
  for (int i = 0; i < dim; ++i) {
    if (n[i] > 1e-3 * largest)
      used[m++] = n[i];
    else
      c -= n[i] / 2;  // its mean over the cube
  }
  double sum = 0, product = 1;
  for (int corner = 0; corner < (1 << m); ++corner) {
    double rest = c, sign = 1;
    for (int i = 0; i < m; ++i)
      if (corner >> i & 1) rest -= used[i], sign = -sign;
    if (rest > 0) sum += sign * elementary::power(rest, m);
  }
  for (int i = 0; i < m; ++i) product *= used[i] * (i + 1);
  return std::clamp(sum / product, 0.0, 1.0);
}

// What a plane through the cell, fitted to the distance at the middles of its faces, leaves of it.
double leaf_fraction(const Shape& shape, const Cell& cell, int dim) {
  Vec3d slope{};
  double mean = 0;
  for (int i = 0; i < dim; ++i) {
    Vec3d a = cell.center, b = cell.center;
    a[i] -= cell.half[i], b[i] += cell.half[i];
    const double da = shape.distance(a), db = shape.distance(b);
    slope[i] = std::abs(db - da);
    mean += (da + db) / (2 * dim);
  }
  // Inside where mean + slope.(x - 1/2) <= 0.
  return cut_fraction(slope, dim, sum(slope) / 2 - mean);
}

double inside(const Shape& shape, const Cell& cell, int dim, int depth) {
  const double d = shape.distance(cell.center), reach = half_diagonal(cell, dim);
  if (d >= reach) return 0;
  if (d <= -reach) return cell_volume(cell, dim);
  if (depth == 0) return leaf_fraction(shape, cell, dim) * cell_volume(cell, dim);
  Cell child{cell.center, cell.half * 0.5};
  double total = 0;
  for (int corner = 0; corner < (1 << dim); ++corner) {
    for (int i = 0; i < dim; ++i) child.center[i] = cell.center[i] + (corner >> i & 1 ? child.half[i] : -child.half[i]);
    total += inside(shape, child, dim, depth - 1);
  }
  return total;
}

}  // namespace

double volume_by_quadrature(const Shape& shape, const Bounds& box, int dim) {
  // A regular grid of boxes shared among the threads, each the root of a tree.
  const int side = 8, depth = dim == 2 ? 8 : shape.contains_mesh() ? 4 : 5;
  Cell cell{box.center(), box.size() * (0.5 / side)};
  if (dim == 2) cell.center[2] = cell.half[2] = 0;
  const std::size_t count = dim == 2 ? side * side : side * side * side;
  return parallel_reduce(
      count, 1, 0.0,
      [&](std::size_t begin, std::size_t) {
        Cell root = cell;
        for (int i = 0, rest = static_cast<int>(begin); i < dim; ++i, rest /= side)
          root.center[i] = box.lo[i] + (2 * (rest % side) + 1) * cell.half[i];
        return inside(shape, root, dim, depth);
      },
      [](double a, double b) { return a + b; });
}

}  // namespace knead
