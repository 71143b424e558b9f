#include "sample/lattice.h"

#include "base/parallel.h"
#include "sample/random.h"

namespace knead {

std::vector<Vec3d> lattice_points(const Shape& shape, int dim, double spacing, bool jitter, std::uint64_t seed) {
  const Bounds box = shape.bounds(dim);
  const Vec3d center = box.center(), size = box.size();
  // As many cells along a side as fit best, their middle at the middle of the bounds, and one more at either end, so
  // that no part of a shape that is not a box is left out.
  std::int64_t n[3] = {1, 1, 1};
  Vec3d first{};
  for (int i = 0; i < dim; ++i) {
    n[i] = std::max<std::int64_t>(1, std::llround(size[i] / spacing)) + 2;
    first[i] = center[i] - 0.5 * static_cast<double>(n[i] - 1) * spacing;
  }
  const InsideTest inside(shape, box, dim, 4 * spacing);

  // A row along x at a time, rows joined in order.
  std::vector<std::vector<Vec3d>> rows(static_cast<std::size_t>(n[1] * n[2]));
  parallel_for(rows.size(), 8, [&](std::size_t row) {
    const std::int64_t j = static_cast<std::int64_t>(row) % n[1], k = static_cast<std::int64_t>(row) / n[1];
    for (std::int64_t i = 0; i < n[0]; ++i) {
      const double cell[3] = {static_cast<double>(i), static_cast<double>(j), static_cast<double>(k)};
      Vec3d p{};
      RandomAt random(seed, static_cast<std::uint64_t>((k * n[1] + j) * n[0] + i));
      for (int a = 0; a < dim; ++a) p[a] = first[a] + (cell[a] + (jitter ? random.unit() - 0.5 : 0.0)) * spacing;
      if (inside(p)) rows[row].push_back(p);
    }
  });
  std::size_t total = 0;
  for (const auto& row : rows) total += row.size();
  std::vector<Vec3d> points;
  points.reserve(total);
  for (const auto& row : rows) points.insert(points.end(), row.begin(), row.end());
  return points;
}

}  // namespace knead
