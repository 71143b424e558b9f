// The sparse grid of one step: a block of 64 nodes wherever a particle's stencil reaches, and nowhere else. Particles
// of one home block share a small dense arena, into which their contributions are summed and from which they gather.
#pragma once

#include "grid/block_sort.h"
#include "grid/lane.h"

#include <array>

namespace knead {

// Momentum (before the update) or velocity (after it), and mass. Padded to four scalars so that a node is one SIMD
// register.
template <class T, int D>
struct alignas(4 * sizeof(T)) Node {
  Vec<T, D> v;
  T m;
};

template <class T, int D>
class BlockGrid {
 public:
  using Layout = BlockLayout<D>;
  using Neighbours = std::array<int, Layout::reach>;  // the block itself and its forward neighbours, first axis slowest

  // Makes the blocks that the home blocks' stencils touch. `old_too` keeps a second field.
  void build(const std::vector<BlockKey>& home, bool old_too) {
    keys_.clear();
    for (BlockKey key : home)
      for (int corner = 0; corner < Layout::reach; ++corner)
        keys_.push_back(block_key(forward(block_at<D>(key), corner)));
    std::sort(keys_.begin(), keys_.end());
    keys_.erase(std::unique(keys_.begin(), keys_.end()), keys_.end());
    map_.assign(keys_);
    neighbours_.resize(home.size());
    Neighbours none;
    none.fill(-1);
    sources_.assign(keys_.size(), none);
    for (auto& of_colour : colours_) of_colour.clear();
    for (std::size_t b = 0; b < home.size(); ++b) {
      const Vec<int, D> block = block_at<D>(home[b]);
      for (int corner = 0; corner < Layout::reach; ++corner) {
        neighbours_[b][corner] = map_.find(block_key(forward(block, corner)));
        sources_[neighbours_[b][corner]][colour(block)] = static_cast<int>(b);
      }
      colours_[colour(block)].push_back(static_cast<int>(b));
    }
    nodes.resize(keys_.size() * Layout::nodes);
    old.resize(old_too ? nodes.size() : 0);
  }

  void clear() {
    parallel_for(keys_.size(), 64, [&](std::size_t b) {
      std::fill_n(nodes.begin() + b * Layout::nodes, Layout::nodes, Node<T, D>{});
      if (!old.empty()) std::fill_n(old.begin() + b * Layout::nodes, Layout::nodes, Node<T, D>{});
    });
  }

  std::size_t blocks() const { return keys_.size(); }
  // The integer coordinates of a block's first node.
  Vec<int, D> first_node(std::size_t block) const { return block_at<D>(keys_[block]) * Layout::side; }
  static Vec<int, D> first_node_of(BlockKey key) { return block_at<D>(key) * Layout::side; }
  // The number of a block, or -1.
  int find(BlockKey key) const { return map_.find(key); }
  const Neighbours& neighbours(int home_block) const { return neighbours_[home_block]; }

  // body(home block) for every home block, colour by colour: blocks of one colour never write to the same grid block.
  template <class Body>
  void for_each_home_by_colour(Body&& body) {
    for (const auto& of_colour : colours_)
      parallel_for(of_colour.size(), 1, [&](std::size_t i) { body(of_colour[i]); });
  }

  // f(home block, which of the blocks that it reaches this one is) for every home block that reaches a block, in the
  // order of their colours.
  template <class F>
  void for_each_source(std::size_t block, F&& f) const {
    const int own = colour(block_at<D>(keys_[block]));
    for (int c = 0; c < Layout::reach; ++c)
      if (const int home = sources_[block][c]; home >= 0) f(home, own ^ c);
  }

  // Asks for the nodes that a home block reaches, which are due soon.
  KNEAD_INLINE void prefetch(int home_block) const {
    for (const int block : neighbours_[static_cast<std::size_t>(home_block)]) {
      const char* first = reinterpret_cast<const char*>(nodes.data() + std::size_t(block) * Layout::nodes);
      for (std::size_t line = 0; line < Layout::nodes * sizeof(Node<T, D>); line += 64)
        __builtin_prefetch(first + line);
    }
  }

  std::vector<Node<T, D>> nodes;  // 64 a block
  std::vector<Node<T, D>> old;    // the velocity before forces, for FLIP and where losses are measured; empty otherwise
  // The same before what acts on particles themselves, where that and losses are measured; empty where it is `old`.
  std::vector<Node<T, D>> unforced;
  std::vector<Node<T, D>>& before_forces() { return unforced.empty() ? old : unforced; }
  std::vector<Node<T, D>> arenas;  // of the home blocks, before they are added up; see add_up()

 private:
  static Vec<int, D> forward(Vec<int, D> block, int corner) {
    for (int a = 0; a < D; ++a) block[a] += corner >> (D - 1 - a) & 1;
    return block;
  }
  static int colour(const Vec<int, D>& block) {
    int c = 0;
    for (int a = 0; a < D; ++a) c = c << 1 | (block[a] & 1);
    return c;
  }
  std::vector<BlockKey> keys_;
  BlockMap map_;
  std::vector<Neighbours> neighbours_;
  std::vector<Neighbours> sources_;  // of each block: the home block of each colour that reaches it, or -1
  std::array<std::vector<int>, Layout::reach> colours_;
};

// Where row r of a home block's arena, along the last axis, lies in the grid: its first `side` nodes in one of the
// reached blocks, the other `degree` in the next, at the same place of both.
template <int D, int degree>
struct ArenaRow {
  using Layout = BlockLayout<D>;
  int block = 0, in_block = 0;
  KNEAD_INLINE explicit ArenaRow(int r) {
    constexpr int side = Layout::side + degree;
    for (int a = 0; a < D - 1; ++a) {
      const int i = D == 2 || a == 1 ? r % side : r / side;
      block = block << 1 | (i >> Layout::shift);
      in_block = in_block << Layout::shift | (i & (Layout::side - 1));
    }
    block <<= 1, in_block <<= Layout::shift;
  }
};

// The nodes that the particles of one home block can reach, as a dense array: side + degree nodes along each axis.
template <class T, int D, int degree>
struct Arena {
  using Layout = BlockLayout<D>;
  static constexpr int side = Layout::side + degree;
  static constexpr int size = D == 2 ? side * side : side * side * side;
  // Rows are read and written four nodes at a time, so that the last one may be followed by others.
  static constexpr int slack = 4 - degree;
  Node<T, D> node[size + slack];

  // The offset of a node from the arena's first one.
  static constexpr int index(const Vec<int, D>& offset) {
    int i = 0;
    for (int a = 0; a < D; ++a) i = i * side + offset[a];
    return i;
  }
  void clear() { std::fill_n(node, size + slack, Node<T, D>{}); }

  // grid += arena
  void add_to(std::vector<Node<T, D>>& nodes, const typename BlockGrid<T, D>::Neighbours& blocks) const {
    for_each_row([&](int here, int block, int in_block, int length) {
      Node<T, D>* to = nodes.data() + std::size_t(blocks[block]) * Layout::nodes + in_block;
      for (int k = 0; k < length; ++k)
        reinterpret_cast<Lane<T>&>(to[k]) += reinterpret_cast<const Lane<T>&>(node[here + k]);
    });
  }
  // block += arena, as far as the arena lies in it: in that one of the reached blocks.
  void add_to_block(int reached, Node<T, D>* block) const {
    Vec<int, D> first{}, count{};
    for (int a = 0; a < D; ++a) {
      const bool beyond = reached >> (D - 1 - a) & 1;
      first[a] = beyond ? Layout::side : 0, count[a] = beyond ? degree : Layout::side;
    }
    const int layers = D == 3 ? count[0] : 1;
    for (int i = 0; i < layers; ++i)
      for (int j = 0; j < count[D - 2]; ++j) {
        const Node<T, D>* from = node + index(first) + (i * side + j) * side;
        Node<T, D>* to = block + (i * Layout::side + j) * Layout::side;
        for (int k = 0; k < count[D - 1]; ++k)
          reinterpret_cast<Lane<T>&>(to[k]) += reinterpret_cast<const Lane<T>&>(from[k]);
      }
  }
  // arena = grid
  void take_from(const std::vector<Node<T, D>>& nodes, const typename BlockGrid<T, D>::Neighbours& blocks) {
    for_each_row([&](int here, int block, int in_block, int length) {
      std::copy_n(nodes.data() + std::size_t(blocks[block]) * Layout::nodes + in_block, length, node + here);
    });
  }

 private:
  // Calls f(arena index, which of the reached blocks, node index in it, length) for each run of nodes along the last
  // axis.
  template <class F>
  KNEAD_INLINE static void for_each_row(F&& f) {
    constexpr int rows = size / side;
    for (int r = 0; r < rows; ++r) {
      const ArenaRow<D, degree> row(r);
      f(r * side, row.block, row.in_block, Layout::side);
      f(r * side + Layout::side, row.block + 1, row.in_block, degree);
    }
  }
};

// nodes = the sum of the home blocks' arenas, at every node in the order of their colours: it does not depend on who
// filled them when.
template <int degree, class T, int D>
void add_up(const BlockGrid<T, D>& grid, const Arena<T, D, degree>* arenas, std::vector<Node<T, D>>& nodes) {
  parallel_for(grid.blocks(), 16, [&](std::size_t b) {
    Node<T, D>* block = nodes.data() + b * BlockLayout<D>::nodes;
    std::fill_n(block, BlockLayout<D>::nodes, Node<T, D>{});
    grid.for_each_source(b, [&](int home, int reached) { arenas[home].add_to_block(reached, block); });
  });
}

}  // namespace knead
