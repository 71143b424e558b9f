// From block keys to consecutive numbers: a hash table with open addressing, rebuilt when the set of blocks changes.
#pragma once

#include "grid/blocks.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <vector>

namespace knead {

class BlockMap {
 public:
  // The block i of `keys` gets the number i. The keys must differ.
  void assign(const std::vector<BlockKey>& keys) {
    const std::size_t size = std::bit_ceil(std::max<std::size_t>(16, keys.size() * 2));
    mask_ = size - 1;
    shift_ = 64 - std::countr_zero(size);
    slots_.assign(size, Slot{});
    for (std::size_t i = 0; i < keys.size(); ++i) {
      std::size_t at = place(keys[i]);
      while (slots_[at].number >= 0) at = (at + 1) & mask_;
      slots_[at] = {keys[i], static_cast<int>(i)};
    }
  }
  // The block's number, or -1.
  int find(BlockKey key) const {
    if (slots_.empty()) return -1;
    for (std::size_t at = place(key);; at = (at + 1) & mask_) {
      if (slots_[at].number < 0) return -1;
      if (slots_[at].key == key) return slots_[at].number;
    }
  }

 private:
  struct Slot {
    BlockKey key = 0;
    int number = -1;
  };
  // The upper bits of the product: only they depend on all bits of the key.
  std::size_t place(BlockKey key) const { return key * 0x9E3779B97F4A7C15ull >> shift_; }
  std::vector<Slot> slots_;
  std::size_t mask_ = 0;
  int shift_ = 0;
};

}  // namespace knead
