#include "liquid/closed_cells.h"

#include <atomic>
#include <bit>

namespace knead {
namespace {

template <int D>
struct Shifts {
  int stride[D], across[D];
  std::uint64_t first[D], last[D];  // the layers of a block at its ends
  constexpr Shifts() : stride(), across(), first(), last() {
    constexpr int side = BlockLayout<D>::side;
    for (int a = D - 1, s = 1; a >= 0; --a, s *= side) {
      stride[a] = s, across[a] = s * (side - 1);
      for (int c = 0; c < 64; ++c) {
        const int at = BlockLayout<D>::node_offset(c)[a];
        if (at == 0) first[a] |= std::uint64_t(1) << c;
        if (at == side - 1) last[a] |= std::uint64_t(1) << c;
      }
    }
  }
};
template <int D>
constexpr Shifts<D> shifts{};

// The bits of the cells below or above each cell of a block, along an axis.
template <int D>
std::uint64_t bits_below(std::uint64_t own, std::uint64_t beside, int a) {
  const Shifts<D>& s = shifts<D>;
  return (own << s.stride[a] & ~s.first[a]) | (beside >> s.across[a] & s.first[a]);
}
template <int D>
std::uint64_t bits_above(std::uint64_t own, std::uint64_t beside, int a) {
  const Shifts<D>& s = shifts<D>;
  return (own >> s.stride[a] & ~s.last[a]) | (beside << s.across[a] & s.last[a]);
}

// While several threads grow the marks of their own blocks, each sees some of what the others have done.
std::uint64_t now(const std::uint64_t& marks) {
  return std::atomic_ref(const_cast<std::uint64_t&>(marks)).load(std::memory_order_relaxed);
}

std::uint64_t bits_of_open(const float* v) {
  std::uint64_t bits = 0;
  for (int c = 0; c < 64; ++c) bits |= std::uint64_t(v[c] > 0) << c;
  return bits;
}

}  // namespace

// What is connected to `bits` of a block, in the block itself, and to the bits of the blocks around it.
template <int D>
std::uint64_t ClosedCells<D>::spread(std::size_t block, std::uint64_t bits,
                                     const std::vector<std::uint64_t>& all) const {
  const auto& beside = matrix_->beside(block);
  std::uint64_t above[D], from[2 * D];
  for (int a = 0; a < D; ++a) {
    const std::size_t down = beside[2 * a], up = beside[2 * a + 1], n = matrix_->blocks();
    above[a] = bits_above<D>(links_[block][a], up < n ? links_[up][a] : 0, a);
    from[2 * a] = down < n ? now(all[down]) : 0, from[2 * a + 1] = up < n ? now(all[up]) : 0;
  }
  for (std::uint64_t before = ~bits; before != bits;) {
    before = bits;
    for (int a = 0; a < D; ++a)
      bits |= (bits_below<D>(bits, from[2 * a], a) & links_[block][a]) |
              (bits_above<D>(bits, from[2 * a + 1], a) & above[a]);
  }
  return bits;
}

template <int D>
void ClosedCells<D>::find(const CellMatrix<D>& matrix) {
  matrix_ = &matrix;
  const CellSystem<D>& system = matrix.system();
  const std::size_t n = matrix.blocks();
  links_.resize(n), reached_.resize(n), closed_.resize(n);
  // Links between unknowns, and the cells with an open face to anything else.
  matrix.for_each_block([&](std::size_t b) {
    const std::uint64_t unknown = system.unknown[b];
    reached_[b] = 0;
    for (int a = 0; a < D; ++a) {
      const int down = system.blocks->beside(b, a, false), up = system.blocks->beside(b, a, true);
      const std::uint64_t open = bits_of_open(system.open[a].data() + 64 * b) & unknown;
      const std::uint64_t unknown_below = bits_below<D>(unknown, down >= 0 ? system.unknown[down] : 0, a);
      const std::uint64_t unknown_above = bits_above<D>(unknown, up >= 0 ? system.unknown[up] : 0, a);
      links_[b][a] = open & unknown_below;
      reached_[b] |= open & ~unknown_below;
      const std::uint64_t edge = unknown & ~unknown_above;  // to be looked at: faces above that lead out
      if (edge)
        reached_[b] |= edge & bits_above<D>(bits_of_open(system.open[a].data() + 64 * b),
                                            up >= 0 ? bits_of_open(system.open[a].data() + 64 * up) : 0, a);
    }
  });
  const std::vector<std::uint32_t>& active = matrix.active();
  // To and fro until nothing changes: what is connected is the same in whatever order the blocks are visited.
  std::atomic<bool> changed{true};
  for (bool forth = true; changed; forth = !forth) {
    changed = false;
    parallel_for(active.size(), blocks_alone, [&](std::size_t i) {
      const std::uint32_t b = active[forth ? i : active.size() - 1 - i];
      const std::uint64_t before = reached_[b];
      if (before == system.unknown[b]) return;
      const std::uint64_t bits = spread(b, before, reached_);
      if (bits == before) return;
      std::atomic_ref(reached_[b]).store(bits, std::memory_order_relaxed);
      changed.store(true, std::memory_order_relaxed);
    });
  }
  cells_.clear(), ends_.clear();
  std::fill(closed_.begin(), closed_.end(), 0);
  for (const std::uint32_t b : active) closed_[b] = system.unknown[b] & ~reached_[b];
  // The parts one by one, each grown from its first cell, block by block.
  const auto take = [&](std::uint32_t b, std::uint64_t bits) {
    std::uint64_t fresh = bits & closed_[b] & ~reached_[b];
    if (!fresh) return;
    queue_.push_back(b);
    reached_[b] |= fresh;
    for (; fresh; fresh &= fresh - 1) cells_.push_back(64 * b + static_cast<std::uint32_t>(std::countr_zero(fresh)));
  };
  for (const std::uint32_t start : active)
    while (const std::uint64_t left = closed_[start] & ~reached_[start]) {
      queue_.clear();
      take(start, left & ~(left - 1));
      for (std::size_t next = 0; next < queue_.size(); ++next) {
        const std::uint32_t b = queue_[next];
        take(b, spread(b, reached_[b], reached_));
        for (const std::uint32_t there : matrix.beside(b))
          if (there < n && closed_[there] & ~reached_[there]) take(there, spread(there, reached_[there], reached_));
      }
      ends_.push_back(cells_.size());
    }
}

template class ClosedCells<2>;
template class ClosedCells<3>;

}  // namespace knead
