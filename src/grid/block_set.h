// A set of blocks and who is next to whom: the skeleton of fields that live on blocks, 64 values each.
#pragma once

#include "base/parallel.h"
#include "grid/block_map.h"

#include <array>

namespace knead {

template <int D>
class BlockSet {
 public:
  using Layout = BlockLayout<D>;
  static constexpr int around = D == 2 ? 9 : 27;  // blocks around one, itself in the middle, first axis slowest
  static constexpr int itself = around / 2;

  // The blocks within one block of these, themselves included; ascending. Keys sort like coordinates, so those shifted
  // by a block along an axis are sorted too, and three sorted lists are merged for each axis.
  void assign_around(const std::vector<BlockKey>& home) {
    keys_ = home;
    sort_keys();
    for (int a = 0; a < D; ++a) {
      const BlockKey step = BlockKey(1) << (block_bits * (D - 1 - a));
      wider_.clear();
      const std::size_t n = keys_.size();
      for (std::size_t below = 0, same = 0, above = 0; below < n;) {
        BlockKey next = keys_[below] + step;
        if (same < n) next = std::min(next, keys_[same]);
        if (above < n) next = std::min(next, keys_[above] - step);
        wider_.push_back(next);
        if (above < n && keys_[above] - step == next) ++above;
        if (same < n && keys_[same] == next) ++same;
        if (keys_[below] + step == next) ++below;
      }
      keys_.swap(wider_);
    }
    take();
  }
  // Exactly these.
  void assign(const std::vector<BlockKey>& keys) {
    keys_ = keys;
    sort_keys();
    take();
  }

  std::size_t count() const { return keys_.size(); }
  const std::vector<BlockKey>& keys() const { return keys_; }
  // The integer coordinates of a block's first cell.
  Vec<int, D> first_cell(std::size_t block) const { return block_at<D>(keys_[block]) * Layout::side; }
  // The number of a block, or -1.
  int find(BlockKey key) const { return map_.find(key); }
  // The numbers of the blocks around one, -1 where there is none.
  const std::array<int, around>& neighbours(std::size_t block) const { return neighbours_[block]; }
  // The one next to it along an axis, upwards or downwards; -1 where there is none.
  int beside(std::size_t block, int axis, bool up) const {
    const int there = up ? itself + stride(axis) : itself - stride(axis);
    return neighbours_[block][static_cast<std::size_t>(there)];
  }
  // Which of the blocks around one lies there, in blocks; each number is -1, 0 or 1.
  static constexpr int place(const Vec<int, D>& away) {
    int k = 0;
    for (int a = 0; a < D; ++a) k = 3 * k + away[a] + 1;
    return k;
  }
  static constexpr Vec<int, D> offset(int k) {
    Vec<int, D> away{};
    for (int a = D - 1; a >= 0; --a, k /= 3) away[a] = k % 3 - 1;
    return away;
  }

 private:
  static constexpr int stride(int axis) {
    int s = 1;
    for (int a = axis + 1; a < D; ++a) s *= 3;
    return s;
  }
  void sort_keys() {
    if (!std::is_sorted(keys_.begin(), keys_.end())) std::sort(keys_.begin(), keys_.end());
    keys_.erase(std::unique(keys_.begin(), keys_.end()), keys_.end());
  }
  void take() {
    map_.assign(keys_);
    neighbours_.resize(keys_.size());
    parallel_for(keys_.size(), 256, [&](std::size_t b) {
      for (int k = 0; k < around; ++k)
        neighbours_[b][static_cast<std::size_t>(k)] = map_.find(block_key(block_at<D>(keys_[b]) + offset(k)));
    });
  }

  std::vector<BlockKey> keys_, wider_;  // ascending; scratch
  BlockMap map_;
  std::vector<std::array<int, around>> neighbours_;
};

}  // namespace knead
