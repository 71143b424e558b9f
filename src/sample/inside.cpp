#include "sample/inside.h"

#include "base/parallel.h"

namespace knead {

InsideTest::InsideTest(const Shape& shape, const Bounds& box, int dim, double block_size)
    : shape_(shape), box_(box), dim_(dim) {
  // At most some 128 blocks along a side.
  const Vec3d wide = box.size();
  double longest = 0;
  for (int i = 0; i < dim; ++i) longest = std::max(longest, wide[i]);
  width_ = std::max(block_size, longest / 128);
  on_surface_ = 1e-9 * longest;
  for (int i = 0; i < dim; ++i) size_[i] = std::max(1, static_cast<int>(std::ceil(wide[i] / width_)));
  if (dim == 2) box_.lo[2] = box_.hi[2] = 0;
  states_.resize(static_cast<std::size_t>(size_[0]) * size_[1] * size_[2]);
  const double reach = std::sqrt(static_cast<double>(dim)) / 2 * width_ * (1 + 1e-9) + on_surface_;
  parallel_for(states_.size(), 64, [&](std::size_t b) {
    const std::size_t row = b / size_[0], layer = row / size_[1];
    const double at[3] = {static_cast<double>(b % size_[0]), static_cast<double>(row % size_[1]),
                          static_cast<double>(layer)};
    Vec3d middle{};
    for (int i = 0; i < dim; ++i) middle[i] = box_.lo[i] + (at[i] + 0.5) * width_;
    const double d = shape.distance(middle);
    states_[b] = d > reach ? outside : d < -reach ? inside : crossed;
  });
}

InsideTest::State InsideTest::state(const Vec3d& p) const {
  std::size_t at[3] = {};
  for (int i = 0; i < dim_; ++i) {
    const double s = (p[i] - box_.lo[i]) / width_;
    if (!(s >= 0) || s >= size_[i]) return crossed;
    at[i] = static_cast<std::size_t>(s);
  }
  return states_[(at[2] * static_cast<std::size_t>(size_[1]) + at[1]) * static_cast<std::size_t>(size_[0]) + at[0]];
}

bool InsideTest::operator()(const Vec3d& p) const {
  const State s = state(p);
  return s == crossed ? shape_.distance(p) <= on_surface_ : s == inside;
}

bool InsideTest::misses(const Vec3d& p, double r) const {
  const State s = state(p);
  if (s == inside) return false;
  return shape_.distance(p) > r + on_surface_;
}

}  // namespace knead
