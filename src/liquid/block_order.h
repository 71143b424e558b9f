// The blocks that are worked on, and passes over them that follow each other closely: a pass that reads what another
// wrote at a block and beside it may run one group of layers behind it, while that is still in the cache.
#pragma once

#include "grid/block_set.h"
#include "liquid/lcp_report.h"

#include <cstdint>
#include <vector>

namespace knead {

// Loops over cells are cut into chunks of this many blocks. So few blocks that other threads would come for less than
// it takes to call them are one chunk: those of coarse levels, which multigrid visits most often.
inline constexpr std::size_t blocks_a_chunk = 8, blocks_alone = 64;

class BlockOrder {
 public:
  // Those blocks of the set that `take` says.
  template <int D, class Take>
  void assign(const BlockSet<D>& set, Take&& take) {
    // 128 KiB of a field in single precision, and work for every thread.
    const std::size_t blocks_a_group = std::max<std::size_t>(512, 16 * blocks_a_chunk * threads_of_loops());
    blocks_.clear(), groups_.assign(1, 0);
    int layer = 0;
    for (std::size_t b = 0; b < set.count(); ++b) {
      if (!take(b)) continue;
      const int here = block_at<D>(set.keys()[b])[0];
      if (here != layer && blocks_.size() - groups_.back() >= blocks_a_group)
        groups_.push_back(static_cast<std::uint32_t>(blocks_.size()));
      layer = here;
      blocks_.push_back(static_cast<std::uint32_t>(b));
    }
    groups_.push_back(static_cast<std::uint32_t>(blocks_.size()));
  }

  std::size_t count() const { return blocks_.size(); }
  const std::vector<std::uint32_t>& blocks() const { return blocks_; }

  // stage(block, its place in the order) for all blocks and stages. At a block, a stage finds all that the stages
  // before it do at the block and beside it, and nothing that those after it do there.
  template <class... Stages>
  void run(Stages&&... stages) const {
    const int groups = static_cast<int>(groups_.size()) - 1;
    for (int g = 0; g < groups + static_cast<int>(sizeof...(stages)) - 1; ++g) {
      int behind = 0;
      (run_group(g - behind++, groups, stages), ...);
    }
  }

  // What the blocks gave, by their place in the order, always in the same order.
  double sum(const std::vector<double>& of_blocks) const {
    double s = 0;
    for (std::size_t i = 0; i < count(); ++i) s += of_blocks[i];
    return s;
  }
  double largest(const std::vector<double>& of_blocks) const {
    double s = 0;
    for (std::size_t i = 0; i < count(); ++i) s = worse(s, of_blocks[i]);
    return s;
  }

  std::size_t bytes() const { return (blocks_.capacity() + groups_.capacity()) * sizeof(std::uint32_t); }

 private:
  template <class Stage>
  void run_group(int g, int groups, Stage&& stage) const {
    if (g < 0 || g >= groups) return;
    const std::size_t begin = groups_[static_cast<std::size_t>(g)], end = groups_[static_cast<std::size_t>(g) + 1];
    parallel_for(end - begin, end - begin <= blocks_alone ? blocks_alone : blocks_a_chunk,
                 [&](std::size_t i) { stage(blocks_[begin + i], begin + i); });
  }

  std::vector<std::uint32_t> blocks_;
  std::vector<std::uint32_t> groups_;  // whole layers along the first axis: where each begins, and the end
};

}  // namespace knead
