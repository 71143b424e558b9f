// The addresses of the sparse grid: nodes live in blocks of 64 (8x8 in 2D, 4x4x4 in 3D), and a block is known by its
// integer coordinates.
#pragma once

#include "base/vec.h"

#include <cstdint>

namespace knead {

template <int D>
struct BlockLayout {
  static_assert(D == 2 || D == 3);
  static constexpr int shift = D == 2 ? 3 : 2;
  static constexpr int side = 1 << shift;  // nodes along an axis
  static constexpr int nodes = 64;
  static constexpr int reach =
      1 << D;  // blocks that the stencils of one block's particles touch: itself and its forward neighbours

  static constexpr int node_index(const Vec<int, D>& node) {
    int index = 0;
    for (int a = 0; a < D; ++a) index = (index << shift) | (node[a] & (side - 1));
    return index;
  }
  static constexpr Vec<int, D> block_of(Vec<int, D> node) {
    for (int a = 0; a < D; ++a) node[a] >>= shift;
    return node;
  }
  static constexpr Vec<int, D> node_offset(int index) {
    Vec<int, D> node{};
    for (int a = D - 1; a >= 0; --a) {
      node[a] = index & (side - 1);
      index >>= shift;
    }
    return node;
  }
};

// Block coordinates as one number that sorts like them; 21 bits an axis, so a scene may span 2^20 blocks to either side
// of the origin.
using BlockKey = std::uint64_t;
inline constexpr int block_bits = 21;
inline constexpr int block_limit = 1 << (block_bits - 1);

template <int D>
constexpr BlockKey block_key(const Vec<int, D>& block) {
  BlockKey key = 0;
  for (int a = 0; a < D; ++a) key = (key << block_bits) | static_cast<BlockKey>(block[a] + block_limit);
  return key;
}
template <int D>
constexpr Vec<int, D> block_at(BlockKey key) {
  Vec<int, D> block{};
  for (int a = D - 1; a >= 0; --a) {
    block[a] = static_cast<int>(key & ((BlockKey(1) << block_bits) - 1)) - block_limit;
    key >>= block_bits;
  }
  return block;
}

}  // namespace knead
