// The matrix of both pressure solves, over the liquid cells of a sparse grid (Gerszewski 2014, Eq. 3.6, scaled):
//
//   (L q)_c = sum over the faces f of c of  v_f (q_c - q_n),    q_n the value beyond the face, 0 where that is no
//   unknown
//
// v_f is the open share of a face. L is symmetric, an M-matrix and free of units.
#pragma once

#include "grid/block_set.h"

#include <array>
#include <cstdint>
#include <span>

namespace knead {

// Views; a cell is its block's number times 64 and its place in the block (BlockLayout). Face a of a cell is the lower
// one along axis a; its upper face is the lower one of the next cell. Every neighbour of an unknown lies in a block of
// the set.
template <int D>
struct CellSystem {
  const BlockSet<D>* blocks;
  std::span<const std::uint64_t> unknown;      // for each block, a bit for each cell, the first the lowest
  std::array<std::span<const float>, D> open;  // v_f of face a of each cell, 64 a block
};

}  // namespace knead
