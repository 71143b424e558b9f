#include "geometry/distance_grid.h"

#include "base/elementary.h"
#include "base/parallel.h"

namespace knead {

namespace {

constexpr std::size_t most_blocks = 1u << 21;       // each is asked for its middle and a corner
constexpr std::size_t most_fine_blocks = 1u << 16;  // of 2.9 kB

double blend(double a, double b, double u) { return a + u * (b - a); }

// Where the i-th of a grid stands, in cells: x goes round after nx of them, y after ny rows.
Vec3d place(std::size_t i, int nx, int ny) {
  const std::size_t row = i / nx, layer = row / ny;
  return {static_cast<double>(i % nx), static_cast<double>(row % ny), static_cast<double>(layer)};
}

}  // namespace

std::shared_ptr<const DistanceGrid> DistanceGrid::make(const std::function<double(const Vec3d&)>& distance,
                                                       const Bounds& box, double cell) {
  const double width = side * cell;
  const auto made = std::make_shared<DistanceGrid>();
  DistanceGrid& grid = *made;
  grid.cell_ = cell;
  grid.box_ = box.grown(width / 2);
  double blocks = 1;
  for (int i = 0; i < 3; ++i) blocks *= std::ceil(grid.box_.size()[i] / width) + 1;
  if (!(blocks <= double(most_blocks))) return nullptr;
  return grid.fill(distance) ? made : nullptr;
}

bool DistanceGrid::fill(const std::function<double(const Vec3d&)>& distance) {
  const double width = side * cell_;
  for (int i = 0; i < 3; ++i) {
    size_[i] = std::max(1, static_cast<int>(std::ceil(box_.size()[i] / width)));
    box_.hi[i] = box_.lo[i] + size_[i] * width;
  }

  // Blocks that the surface comes near to: their middle is no farther from it than a corner is, and a margin of two
  // cells.
  fine_.assign(static_cast<std::size_t>(size_[0]) * size_[1] * size_[2], -1);
  const double reach = std::sqrt(3.0) / 2 * width + 2 * cell_;
  parallel_for(fine_.size(), 256, [&](std::size_t b) {
    const Vec3d middle = box_.lo + width * (place(b, size_[0], size_[1]) + Vec3d::filled(0.5));
    if (std::abs(distance(middle)) <= reach) fine_[b] = 0;
  });
  std::vector<std::size_t> near;
  for (std::size_t b = 0; b < fine_.size(); ++b)
    if (fine_[b] == 0) fine_[b] = static_cast<std::int32_t>(near.size()), near.push_back(b);

  if (near.size() > most_fine_blocks) return false;

  // Corners of all blocks.
  const int nx = size_[0] + 1, ny = size_[1] + 1, nz = size_[2] + 1;
  coarse_.resize(static_cast<std::size_t>(nx) * ny * nz);
  parallel_for(coarse_.size(), 256,
               [&](std::size_t n) { coarse_[n] = static_cast<float>(distance(box_.lo + width * place(n, nx, ny))); });

  // The nodes of those near the surface.
  constexpr int n = side + 1;
  nodes_.resize(near.size() * n * n * n);
  parallel_for(near.size(), 1, [&](std::size_t f) {
    const Vec3d corner = box_.lo + width * place(near[f], size_[0], size_[1]);
    for (std::size_t i = 0; i < n * n * n; ++i)
      nodes_[f * n * n * n + i] = static_cast<float>(distance(corner + cell_ * place(i, n, n)));
  });
  return true;
}

Vec3d DistanceGrid::nearest_in_box(Vec3d p) const {
  for (int i = 0; i < 3; ++i) p[i] = std::clamp(p[i], box_.lo[i], box_.hi[i]);
  return p;
}

DistanceGrid::Around DistanceGrid::around(const Vec3d& q) const {
  // The block and the place within it.
  Vec3d u{};
  Vec3i b{}, c{};
  for (int i = 0; i < 3; ++i) {
    const double s = (q[i] - box_.lo[i]) / (side * cell_);
    b[i] = std::min(static_cast<int>(s), size_[i] - 1);
    u[i] = s - b[i];
  }
  const std::int32_t fine = fine_[block(b)];
  for (int i = 0; i < 3 && fine >= 0; ++i) {
    const double s = u[i] * side;
    c[i] = std::min(static_cast<int>(s), side - 1);
    u[i] = s - c[i];
  }
  constexpr int n = side + 1;
  Around a{{}, u, fine < 0 ? side * cell_ : cell_};
  for (int m = 0; m < 8; ++m) {
    const int i = m & 1, j = m >> 1 & 1, k = m >> 2;
    a.value[k][j][i] = fine < 0 ? coarse_[node({b[0] + i, b[1] + j, b[2] + k})]
                                : nodes_[static_cast<std::size_t>(fine) * n * n * n +
                                         static_cast<std::size_t>(((c[2] + k) * n + c[1] + j) * n + c[0] + i)];
  }
  return a;
}

double DistanceGrid::operator()(const Vec3d& p) const {
  const Vec3d q = nearest_in_box(p);
  const Around a = around(q);
  double z[2];
  for (int k = 0; k < 2; ++k)
    z[k] = blend(blend(a.value[k][0][0], a.value[k][0][1], a.u[0]), blend(a.value[k][1][0], a.value[k][1][1], a.u[0]),
                 a.u[1]);
  const double interpolated = blend(z[0], z[1], a.u[2]);
  // The mean of values with weights w at the distances r from the point is off by at most sum w r, which is at most
  // the root of sum w r^2: half a diagonal in the middle.
  const double error = std::sqrt(3.0) / 2 * a.width;
  double d = std::abs(interpolated);
  if (a.width > cell_)  // a block that is two cells from the surface or more
    d = std::max(d - error, d * 2 * cell_ / (2 * cell_ + error));
  else if (d > cell_)
    d = std::max(d - error, blend(cell_, 2 * cell_ - error, d / cell_ - 1));
  // The way to the surface turns by at least a right angle where it enters the box.
  const double beyond = length(p - q);
  return beyond > 0 ? elementary::hypot(beyond, d) : std::copysign(d, interpolated);
}

Vec3d DistanceGrid::gradient(const Vec3d& p) const {
  const Vec3d q = nearest_in_box(p);
  const Around a = around(q);
  Vec3d g{};
  for (int m = 0; m < 8; ++m) {
    const int at[3] = {m & 1, m >> 1 & 1, m >> 2};
    double w[3];
    for (int i = 0; i < 3; ++i) w[i] = at[i] ? a.u[i] : 1 - a.u[i];
    for (int i = 0; i < 3; ++i)
      g[i] += (at[i] ? 1 : -1) * w[(i + 1) % 3] * w[(i + 2) % 3] * a.value[at[2]][at[1]][at[0]] / a.width;
  }
  return p == q ? g : p - q;
}

}  // namespace knead
