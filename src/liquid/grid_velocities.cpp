#include "liquid/solver.h"

#include <bit>

namespace knead {

// In the middle of liquid cells: the mean of the two faces of each axis.
template <class T, int D>
GridVelocities Liquid<T, D>::grid_velocities(std::size_t most) const {
  GridVelocities result;
  if (!stepped_) return result;
  for (std::size_t b = 0; b < blocks_.count(); ++b) result.nodes += std::size_t(std::popcount(liquid_[b]));
  result.every = every_node(result.nodes, most, D);
  for (std::size_t b = 0; b < blocks_.count(); ++b)
    for_each_mark(liquid_[b], [&](int c) {
      const Vec<int, D> cell = blocks_.first_cell(b) + BlockLayout<D>::node_offset(c);
      if (!is_listed(cell, result.every)) return;
      Vec3f x{}, v{};
      for (int a = 0; a < D; ++a) {
        const T lower = u_[a][b * 64 + static_cast<std::size_t>(c)];
        const std::int64_t next = beside(b, c, a, true);
        const T upper = next < 0 ? lower : u_[a][static_cast<std::size_t>(next)];
        x[a] = float((cell[a] + 0.5) * h_);
        v[a] = float((lower + upper) / 2);
      }
      result.x.push_back(x), result.v.push_back(v);
    });
  return result;
}

template GridVelocities Liquid<float, 2>::grid_velocities(std::size_t) const;
template GridVelocities Liquid<float, 3>::grid_velocities(std::size_t) const;
template GridVelocities Liquid<double, 2>::grid_velocities(std::size_t) const;
template GridVelocities Liquid<double, 3>::grid_velocities(std::size_t) const;

}  // namespace knead
