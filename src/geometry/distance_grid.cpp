#include "geometry/distance_grid.h"

#include "base/parallel.h"

namespace knead {

namespace {

// Trilinear interpolation; value(i, j, k) gives the corners 0 or 1, u the place between them.
template <class Value>
double interpolate(const Vec3d& u, Value&& value) {
  double z[2];
  for (int k = 0; k < 2; ++k) {
    const double a = value(0, 0, k) + u[0] * (value(1, 0, k) - value(0, 0, k));
    const double b = value(0, 1, k) + u[0] * (value(1, 1, k) - value(0, 1, k));
    z[k] = a + u[1] * (b - a);
  }
  return z[0] + u[2] * (z[1] - z[0]);
}

}  // namespace

DistanceGrid::DistanceGrid(const std::function<double(const Vec3d&)>& distance, const Bounds& box, double cell) {
  // A block of space around, and no more cells along a side than keep the blocks near a surface within reason.
  const Vec3d wide = box.size();
  const double longest = std::max({wide[0], wide[1], wide[2]});
  cell_ = std::max(cell, longest / 400);
  const double width = side * cell_;
  box_ = box.grown(width / 2);
  for (int i = 0; i < 3; ++i) {
    size_[i] = std::max(1, static_cast<int>(std::ceil(box_.size()[i] / width)));
    box_.hi[i] = box_.lo[i] + size_[i] * width;
  }

  // Corners of all blocks.
  const int nx = size_[0] + 1, ny = size_[1] + 1, nz = size_[2] + 1;
  coarse_.resize(static_cast<std::size_t>(nx) * ny * nz);
  parallel_for(coarse_.size(), 256, [&](std::size_t n) {
    const Vec3d at{static_cast<double>(n % nx), static_cast<double>(n / nx % ny), static_cast<double>(n / nx / ny)};
    coarse_[n] = static_cast<float>(distance(box_.lo + width * at));
  });

  // Blocks that the surface comes near to: their middle is no farther from it than a corner is, and a margin of two
  // cells.
  fine_.assign(static_cast<std::size_t>(size_[0]) * size_[1] * size_[2], -1);
  auto place = [&](std::size_t b) {
    return Vec3d{static_cast<double>(b % size_[0]), static_cast<double>(b / size_[0] % size_[1]),
                 static_cast<double>(b / size_[0] / size_[1])};
  };
  const double reach = std::sqrt(3.0) / 2 * width + 2 * cell_;
  parallel_for(fine_.size(), 256, [&](std::size_t b) {
    const Vec3d middle = box_.lo + width * (place(b) + Vec3d::filled(0.5));
    if (std::abs(distance(middle)) <= reach) fine_[b] = 0;
  });
  std::vector<std::size_t> near;
  for (std::size_t b = 0; b < fine_.size(); ++b)
    if (fine_[b] == 0) fine_[b] = static_cast<std::int32_t>(near.size()), near.push_back(b);

  // Their nodes.
  constexpr int n = side + 1;
  nodes_.resize(near.size() * n * n * n);
  parallel_for(near.size(), 1, [&](std::size_t f) {
    const Vec3d corner = box_.lo + width * place(near[f]);
    for (int i = 0; i < n * n * n; ++i) {
      const Vec3d at{static_cast<double>(i % n), static_cast<double>(i / n % n), static_cast<double>(i / n / n)};
      nodes_[f * n * n * n + static_cast<std::size_t>(i)] = static_cast<float>(distance(corner + cell_ * at));
    }
  });
}

double DistanceGrid::operator()(const Vec3d& p) const {
  // The nearest point of the box, its block and its place within the block in cells.
  Vec3d q = p, u{};
  Vec3i b{};
  for (int i = 0; i < 3; ++i) {
    q[i] = std::clamp(p[i], box_.lo[i], box_.hi[i]);
    const double s = (q[i] - box_.lo[i]) / (side * cell_);
    b[i] = std::min(static_cast<int>(s), size_[i] - 1);
    u[i] = s - b[i];
  }
  const double beyond = length(p - q);
  const std::int32_t fine = fine_[block(b)];
  if (fine < 0)
    return beyond + interpolate(u, [&](int i, int j, int k) -> double {
             return coarse_[node({b[0] + i, b[1] + j, b[2] + k})];
           });
  Vec3i c{};
  for (int i = 0; i < 3; ++i) {
    const double s = u[i] * side;
    c[i] = std::min(static_cast<int>(s), side - 1);
    u[i] = s - c[i];
  }
  constexpr int n = side + 1;
  const float* values = nodes_.data() + static_cast<std::size_t>(fine) * n * n * n;
  return beyond + interpolate(u, [&](int i, int j, int k) -> double {
           return values[((c[2] + k) * n + c[1] + j) * n + c[0] + i];
         });
}

}  // namespace knead
