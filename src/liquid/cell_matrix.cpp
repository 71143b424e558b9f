#include "liquid/cell_matrix.h"

#include <bit>

namespace knead {

template <int D>
void CellMatrix<D>::assign(const CellSystem<D>& system) {
  system_ = system;
  const BlockSet<D>& set = *system.blocks;
  const std::size_t n = set.count();
  beside_.resize(n);
  diagonal_.resize(n);
  order_.assign(set, [&](std::size_t b) { return system.unknown[b] != 0; });
  unknowns_ = 0;
  for (const std::uint32_t b : active()) unknowns_ += static_cast<std::size_t>(std::popcount(system.unknown[b]));
  static constexpr float closed[64] = {};
  for_each_block([&](std::size_t b) {
    for (int a = 0; a < D; ++a)
      for (int up = 0; up < 2; ++up) {
        const int there = set.beside(b, a, up != 0);
        beside_[b][2 * a + up] = static_cast<std::uint32_t>(there >= 0 && system.unknown[there] ? there : n);
      }
    for (int k = 0; k < 4; ++k) {
      Slab<double> sum = Slab<double>::all(0);
      for_each_side<D>([&](auto axis, auto up) {
        const float* mine = system.open[axis()].data() + 64 * b;
        if constexpr (up()) {
          const int there = set.beside(b, axis(), true);
          const float* next = there >= 0 ? system.open[axis()].data() + 64 * there : closed;
          sum = sum + widened(neighbour<D, axis(), true>(mine, next, k));
        } else {
          sum = sum + widened(Slab<float>::load(mine + 16 * k));
        }
      });
      sum.store(diagonal_.block(b) + 16 * k);
    }
    double* d = diagonal_.block(b);
    for (int c = 0; c < 64; ++c)
      if (!(system.unknown[b] >> c & 1)) d[c] = 0;
  });
}

template <int D>
void CellMatrix<D>::multiply(const Vector& x, Vector& out) const {
  for_each_block([&](std::size_t b) {
    double* to = out.block(b);
    multiply_block(b, x, [&](int k, const Slab<double>& Lx) KNEAD_INLINED { Lx.store(to + 16 * k); });
    const std::uint64_t unknown = system_.unknown[b];
    for (int c = 0; c < 64; ++c) to[c] = unknown >> c & 1 ? to[c] : 0;
  });
}

template <int D>
double CellMatrix<D>::norm_bound() const {
  double largest = 0;
  for (const std::uint32_t b : active())
    for (int c = 0; c < 64; ++c) largest = std::max(largest, diagonal_.block(b)[c]);
  return 2 * largest;
}

template class CellMatrix<2>;
template class CellMatrix<3>;

}  // namespace knead
