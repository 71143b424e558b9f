// Particles that are near each other side by side in memory.
#pragma once

#include "base/elementary.h"
#include "world/reorder.h"
#include "world/world.h"

#include <numeric>

namespace knead {

// Puts those of each body, batch by batch, in the order of Morton's curve through cells of the edge `cell`, m: it fills
// a cube before it goes on to the next.
template <class T, int D>
void sort_in_space(World& world, double cell) {
  const auto x = world.particles.get<Vec<T, D>>("x");
  const auto body = world.particles.get<std::int32_t>("body");
  if (x.empty()) return;
  Vec<T, D> low = x[0];
  for (const Vec<T, D>& place : x)
    for (int a = 0; a < D; ++a) low[a] = std::min(low[a], place[a]);
  constexpr int bits = 64 / D;
  std::vector<std::uint64_t> key(x.size());
  for (std::size_t i = 0; i < x.size(); ++i)
    for (int a = 0; a < D; ++a) {
      // Places on a lattice are in the middle of cells.
      const double along = std::min(double(x[i][a] - low[a]) / cell + 0.5, elementary::power(2.0, bits) - 1);
      const auto number = static_cast<std::uint64_t>(along);
      for (int bit = 0; bit < bits; ++bit) key[i] |= ((number >> bit) & 1) << (D * bit + a);
    }
  std::vector<int> order(x.size());
  std::iota(order.begin(), order.end(), 0);
  for (const Batch& batch : world.batches)
    std::stable_sort(order.begin() + batch.begin, order.begin() + batch.end, [&](int a, int b) {
      const auto i = static_cast<std::size_t>(a), j = static_cast<std::size_t>(b);
      return std::pair(body[i], key[i]) < std::pair(body[j], key[j]);
    });
  SpareColumns spare;
  reorder(world.particles, order, spare);
}

}  // namespace knead
