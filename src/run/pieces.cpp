#include "run/pieces.h"

#include "grid/blocks.h"
#include "grid/bspline.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>
#include <vector>

namespace knead {

namespace {

// Half of the neighbours within `reach` along each axis; the other half sees the cell from its side.
std::vector<Vec<int, 3>> neighbours(int reach) {
  std::vector<Vec<int, 3>> list;
  for (int i = 0; i <= reach; ++i)
    for (int j = i > 0 ? -reach : 0; j <= reach; ++j)
      for (int k = i > 0 || j > 0 ? -reach : 1; k <= reach; ++k) list.push_back({i, j, k});
  return list;
}

}  // namespace

Pieces count_pieces(std::span<const Vec3d> places, std::span<const double> masses, double dx, int width, double share) {
  // Particles whose stencils start at the same node are as one.
  std::unordered_map<BlockKey, std::size_t> known;
  std::vector<Vec<int, 3>> starts;
  std::vector<double> held;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Vec<int, 3> start = width == 2   ? stencil_base<1>(places[i], 1 / dx)
                              : width == 3 ? stencil_base<2>(places[i], 1 / dx)
                                           : stencil_base<3>(places[i], 1 / dx);
    const auto [entry, added] = known.try_emplace(block_key(start), starts.size());
    if (added) starts.push_back(start), held.push_back(0);
    held[entry->second] += masses[i];
  }
  Groups groups(starts.size());
  const std::vector<Vec<int, 3>> around = neighbours(width - 1);
  for (std::size_t i = 0; i < starts.size(); ++i)
    for (const Vec<int, 3>& step : around) {
      const auto other = known.find(block_key(starts[i] + step));
      if (other != known.end()) groups.join(i, other->second);
    }
  return count_pieces(groups, held, share);
}

Pieces count_pieces(Groups& groups, std::span<const double> masses, double share) {
  std::vector<double> mass(masses.size(), 0.0);
  for (std::size_t i = 0; i < masses.size(); ++i) mass[groups.find(i)] += masses[i];
  const double all = std::accumulate(masses.begin(), masses.end(), 0.0);
  Pieces pieces;
  for (double m : mass) {
    if (m <= 0) continue;
    ++pieces.count;
    if (m >= share * all) ++pieces.main;
    pieces.largest = std::max(pieces.largest, m / all);
  }
  return pieces;
}

}  // namespace knead
