// Sorts particles into the blocks of their stencils: after sort(), the particles of home block b are order()[range(b)],
// in ascending order, cut into segments of one batch each. A stable counting sort over fixed chunks, so the result does
// not depend on the number of threads.
#pragma once

#include "base/parallel.h"
#include "grid/block_map.h"
#include "grid/bspline.h"

#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

namespace knead {

// Consecutive entries of order(), all of one batch.
struct Segment {
  int begin, end;
  int batch;
};

// How many cells from the origin a particle may be: in float, positions farther out are too coarse to move by a part of
// a cell.
template <class T>
inline constexpr double farthest_cell = sizeof(T) == 4 ? 1 << 18 : 1 << 21;
static_assert(farthest_cell<double> < double(block_limit - 2) * 4);

template <int D>
class BlockSort {
 public:
  static constexpr std::int64_t all_inside = -1;

  // Particles [batch_ends[i-1], batch_ends[i]) are batch i. Returns a particle that is too far away (or not finite) to
  // have an address, or all_inside.
  template <int degree, class T>
  std::int64_t sort(std::span<const Vec<T, D>> x, T inverse_dx, std::span<const std::int64_t> batch_ends) {
    const std::size_t n = x.size();
    grain_ = std::max<std::size_t>(16384, (n + max_chunks - 1) / max_chunks);
    chunks_ = (n + grain_ - 1) / grain_;
    slot_.resize(n);
    order_.resize(n);
    changed_ = false;
    lost_ = all_inside;
    while (!find_slots<degree>(x, inverse_dx)) {
      if (lost_ != all_inside) return lost_;
      rebuild_blocks();
    }
    count_and_place(n);
    cut_segments(batch_ends);
    return all_inside;
  }

  int blocks() const { return static_cast<int>(keys_.size()); }
  const std::vector<BlockKey>& keys() const { return keys_; }
  bool blocks_changed() const { return changed_; }  // by the last sort
  std::span<const int> order() const { return order_; }
  std::span<const Segment> segments(int block) const {
    return {segments_.data() + segment_begin_[block], segments_.data() + segment_begin_[block + 1]};
  }

  std::size_t bytes() const { return (slot_.size() + order_.size() + counts_.size()) * sizeof(int); }

 private:
  static constexpr std::size_t max_chunks = 32;

  // Notes each particle's block number; false if some block has no number yet.
  template <int degree, class T>
  bool find_slots(std::span<const Vec<T, D>> x, T inverse_dx) {
    missing_.resize(chunks_);
    std::int64_t lost = all_inside;  // the first one, whichever chunk finds its own first
    std::mutex mutex;
    const T limit = T(farthest_cell<T>);
    parallel_for(chunks_, 1, [&](std::size_t chunk) {
      std::vector<BlockKey>& missing = missing_[chunk];
      missing.clear();
      Vec<int, D> last = Vec<int, D>::filled(block_limit);
      int slot = -1;
      for (std::size_t p = chunk * grain_, end = std::min(x.size(), p + grain_); p < end; ++p) {
        for (int a = 0; a < D; ++a)
          if (!(std::abs(x[p][a] * inverse_dx) < limit)) {
            const std::scoped_lock lock(mutex);
            lost = lost == all_inside ? std::int64_t(p) : std::min(lost, std::int64_t(p));
            return;
          }
        const Vec<int, D> block = BlockLayout<D>::block_of(stencil_base<degree>(x[p], inverse_dx));
        if (!(block == last)) {
          last = block;
          slot = map_.find(block_key(block));
          if (slot < 0) missing.push_back(block_key(block));
        }
        slot_[p] = slot;
      }
    });
    lost_ = lost;
    if (lost_ != all_inside) return false;
    for (const auto& m : missing_)
      if (!m.empty()) return false;
    return true;
  }

  // Takes the missing blocks in and drops those that held no particle last time.
  void rebuild_blocks() {
    std::vector<BlockKey>& keys = next_keys_;
    keys.clear();
    for (std::size_t b = 0; b < keys_.size(); ++b)
      if (changed_ || block_begin_.size() != keys_.size() + 1 || block_begin_[b] != block_begin_[b + 1])
        keys.push_back(keys_[b]);
    for (const auto& m : missing_) keys.insert(keys.end(), m.begin(), m.end());
    std::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    keys_.swap(keys);
    map_.assign(keys_);
    changed_ = true;
  }

  void count_and_place(std::size_t n) {
    const std::size_t blocks = keys_.size();
    counts_.assign(chunks_ * blocks, 0);
    parallel_for(chunks_, 1, [&](std::size_t chunk) {
      int* counts = counts_.data() + chunk * blocks;
      for (std::size_t p = chunk * grain_, end = std::min(n, p + grain_); p < end; ++p) ++counts[slot_[p]];
    });
    block_begin_.resize(blocks + 1);
    int at = 0;
    for (std::size_t b = 0; b < blocks; ++b) {
      block_begin_[b] = at;
      for (std::size_t chunk = 0; chunk < chunks_; ++chunk) {
        const int count = counts_[chunk * blocks + b];
        counts_[chunk * blocks + b] = at;
        at += count;
      }
    }
    block_begin_[blocks] = at;
    parallel_for(chunks_, 1, [&](std::size_t chunk) {
      int* next = counts_.data() + chunk * blocks;
      for (std::size_t p = chunk * grain_, end = std::min(n, p + grain_); p < end; ++p)
        order_[next[slot_[p]]++] = static_cast<int>(p);
    });
  }

  void cut_segments(std::span<const std::int64_t> batch_ends) {
    segments_.clear();
    segment_begin_.clear();
    for (std::size_t b = 0; b < keys_.size(); ++b) {
      segment_begin_.push_back(static_cast<int>(segments_.size()));
      int begin = block_begin_[b];
      const int end = block_begin_[b + 1];
      while (begin < end) {
        const auto batch =
            std::upper_bound(batch_ends.begin(), batch_ends.end(), std::int64_t(order_[begin])) - batch_ends.begin();
        const auto stop =
            std::lower_bound(order_.begin() + begin, order_.begin() + end, static_cast<int>(batch_ends[batch]));
        const int next = static_cast<int>(stop - order_.begin());
        segments_.push_back({begin, next, static_cast<int>(batch)});
        begin = next;
      }
    }
    segment_begin_.push_back(static_cast<int>(segments_.size()));
  }

  std::vector<BlockKey> keys_, next_keys_;  // of the home blocks, ascending; scratch
  BlockMap map_;
  bool changed_ = false;
  std::int64_t lost_ = all_inside;
  std::size_t grain_ = 0, chunks_ = 0;
  std::vector<int> slot_;   // each particle's home block
  std::vector<int> order_;  // particles by home block
  std::vector<int> counts_;
  std::vector<int> block_begin_;
  std::vector<int> segment_begin_;
  std::vector<Segment> segments_;
  std::vector<std::vector<BlockKey>> missing_;
};

}  // namespace knead
