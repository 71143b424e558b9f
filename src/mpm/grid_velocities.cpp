#include "mpm/solver.h"

namespace knead {

// Nodes far lighter than a particle are left out, as the step leaves them at rest.
template <class T, int D>
GridVelocities Mpm<T, D>::grid_velocities(std::size_t most) const {
  GridVelocities result;
  if (!stepped_) return result;
  constexpr std::size_t nodes = BlockLayout<D>::nodes;
  const T least = lightest_ * T(1e-3);
  const auto seen = [&](std::size_t i) { return grid_.nodes[i].m > least; };
  for (std::size_t i = 0; i < grid_.nodes.size(); ++i) result.nodes += seen(i);
  result.every = every_node(result.nodes, most, D);
  for (std::size_t i = 0; i < grid_.nodes.size(); ++i) {
    const Vec<int, D> node = grid_.first_node(i / nodes) + BlockLayout<D>::node_offset(static_cast<int>(i % nodes));
    if (!seen(i) || !is_listed(node, result.every)) continue;
    result.x.push_back(resized<float, 3>(resized<double, 3>(node) * spec_.dx));
    result.v.push_back(resized<float, 3>(grid_.nodes[i].v));
  }
  return result;
}

template GridVelocities Mpm<float, 2>::grid_velocities(std::size_t) const;
template GridVelocities Mpm<float, 3>::grid_velocities(std::size_t) const;
template GridVelocities Mpm<double, 2>::grid_velocities(std::size_t) const;
template GridVelocities Mpm<double, 3>::grid_velocities(std::size_t) const;

}  // namespace knead
