// Velocities on a method's background grid, to look at.
#pragma once

#include "base/elementary.h"
#include "base/vec.h"

#include <cmath>
#include <cstddef>
#include <vector>

namespace knead {

struct GridVelocities {
  std::vector<Vec3f> x, v;  // m, m/s
  std::size_t nodes = 0;    // that matter reaches
  int every = 1;            // of these only every so manyth along each axis is listed
};

// A solver whose grid can be looked at.
class ShowsGrid {
 public:
  virtual ~ShowsGrid() = default;
  // As they are after the last step, about `most` of them; none before the first.
  virtual GridVelocities grid_velocities(std::size_t most) const = 0;
};

// So that about `most` are listed at most.
inline int every_node(std::size_t nodes, std::size_t most, int dimension) {
  int every = 1;
  while (double(nodes) / elementary::power(double(every), dimension) > double(most)) ++every;
  return every;
}

// Whether a node or cell is one of those listed.
template <int D>
bool is_listed(const Vec<int, D>& node, int every) {
  for (int a = 0; a < D; ++a)
    if (node[a] % every != 0) return false;
  return true;
}

}  // namespace knead
