// Sorts particles into the blocks of their stencils, and inside a block by cell: after sort(), the particles of home
// block b are its segments of order(), one segment a batch, and inside a segment they stand by the cell of their
// stencil's first node (last axis fastest), those of one cell in the order of memory. A stable counting sort over fixed
// chunks, so the result does not depend on the number of threads.
#pragma once

#include "base/parallel.h"
#include "grid/block_map.h"
#include "grid/bspline.h"

#include <cstdint>
#include <mutex>
#include <span>
#include <utility>
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
    cell_.resize(n);
    by_block_.resize(n);
    order_.resize(n);
    cells_.resize(n);
    changed_ = false;
    lost_ = all_inside;
    while (!find_and_count<degree>(x, inverse_dx)) {
      if (lost_ != all_inside) return lost_;
      rebuild_blocks();
    }
    place_by_block(n);
    cut_segments(batch_ends);
    place_by_cell();
    return all_inside;
  }

  // For particles that are put into the sorted order, batch by batch: which particle comes to each place. From here on,
  // order() speaks of the new places.
  void reorder(std::vector<int>& permutation, std::span<const std::int64_t> batch_ends) {
    permutation.resize(order_.size());
    batch_next_.assign(1, 0);
    batch_next_.insert(batch_next_.end(), batch_ends.begin(), batch_ends.end());
    places_.clear();
    for (const Segment& s : segments_) {
      places_.push_back(static_cast<int>(batch_next_[static_cast<std::size_t>(s.batch)]));
      batch_next_[static_cast<std::size_t>(s.batch)] += s.end - s.begin;
    }
    parallel_for(segments_.size(), 16, [&](std::size_t i) {
      int place = places_[i];
      for (int at = segments_[i].begin; at < segments_[i].end; ++at, ++place) {
        permutation[static_cast<std::size_t>(place)] = order_[static_cast<std::size_t>(at)];
        order_[static_cast<std::size_t>(at)] = place;
      }
    });
  }

  int blocks() const { return static_cast<int>(keys_.size()); }
  const std::vector<BlockKey>& keys() const { return keys_; }
  bool blocks_changed() const { return changed_; }  // by the last sort
  std::span<const int> order() const { return order_; }
  // The cell inside its block of each entry of order(), as BlockLayout counts nodes.
  std::span<const std::uint8_t> cells() const { return cells_; }
  std::span<const Segment> segments(int block) const {
    return {segments_.data() + segment_begin_[block], segments_.data() + segment_begin_[block + 1]};
  }

  std::size_t bytes() const {
    return (slot_.size() + by_block_.size() + order_.size() + counts_.size()) * sizeof(int) + cell_.size() +
           cells_.size();
  }

 private:
  static constexpr std::size_t max_chunks = 32;
  static constexpr std::size_t tile = 64;  // particles looked at together

  // Notes each particle's block and cell and counts the particles of each block; false if some block has no number yet
  // or some particle is too far away.
  template <int degree, class T>
  bool find_and_count(std::span<const Vec<T, D>> x, T inverse_dx) {
    const std::size_t blocks = keys_.size();
    missing_.resize(chunks_);
    counts_.assign(chunks_ * blocks, 0);
    std::int64_t lost = all_inside;  // the first one, whichever chunk finds its own first
    std::mutex mutex;
    parallel_for(chunks_, 1, [&](std::size_t chunk) {
      std::vector<BlockKey>& missing = missing_[chunk];
      missing.clear();
      int* counts = counts_.data() + chunk * blocks;
      Recent recent;
      int base[tile * D];
      for (std::size_t p = chunk * grain_, end = std::min(x.size(), p + grain_); p < end; p += tile) {
        const int count = static_cast<int>(std::min(tile, end - p));
        if (const int far = stencil_bases<degree>(&x[p], count, inverse_dx, base); far >= 0) {
          const std::scoped_lock lock(mutex);
          const auto particle = static_cast<std::int64_t>(p) + far;
          lost = lost == all_inside ? particle : std::min(lost, particle);
          return;
        }
        for (int i = 0; i < count; ++i) {
          const Vec<int, D>& node = reinterpret_cast<const Vec<int, D>&>(base[i * D]);
          const int slot = recent.find(BlockLayout<D>::block_of(node), map_, missing);
          slot_[p + static_cast<std::size_t>(i)] = slot;
          cell_[p + static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(BlockLayout<D>::node_index(node));
          if (slot >= 0) ++counts[slot];
        }
      }
    });
    lost_ = lost;
    if (lost_ != all_inside) return false;
    for (const auto& m : missing_)
      if (!m.empty()) return false;
    return true;
  }

  // The stencil's first node of `count` particles, their coordinates in one plain array that the compiler turns into
  // packs. Returns the first particle that is too far away, or -1.
  template <int degree, class T>
  static int stencil_bases(const Vec<T, D>* x, int count, T inverse_dx, int* base) {
    const T limit = T(farthest_cell<T>);
    const T* flat = &x[0][0];
    bool inside = true;
    for (int k = 0; k < count * D; ++k) inside = inside & (std::abs(flat[k] * inverse_dx) < limit);
    if (!inside)
      for (int k = 0;; ++k)
        if (!(std::abs(flat[k] * inverse_dx) < limit)) return k / D;
    for (int k = 0; k < count * D; ++k) base[k] = stencil_base<degree>(flat[k] * inverse_dx);
    return -1;
  }

  // The last block seen of each parity: a block and its neighbours never share a place, and particles in a row are
  // nearly always of one block or its neighbours.
  class Recent {
   public:
    int find(const Vec<int, D>& block, const BlockMap& map, std::vector<BlockKey>& missing) {
      int parity = 0;
      for (int a = 0; a < D; ++a) parity = parity << 1 | (block[a] & 1);
      Seen& seen = seen_[parity];
      if (!(seen.block == block)) {
        seen = {block, map.find(block_key(block))};
        if (seen.slot < 0) missing.push_back(block_key(block));
      }
      return seen.slot;
    }

   private:
    struct Seen {
      Vec<int, D> block = Vec<int, D>::filled(block_limit);  // where no block is
      int slot = -1;
    };
    Seen seen_[1 << D];
  };

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

  void place_by_block(std::size_t n) {
    const std::size_t blocks = keys_.size();
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
        by_block_[static_cast<std::size_t>(next[slot_[p]]++)] = static_cast<int>(p);
    });
  }

  // Inside each segment, which fits the nearest cache: a counting sort over the block's cells.
  void place_by_cell() {
    parallel_for(segments_.size(), 16, [&](std::size_t i) {
      const Segment& s = segments_[i];
      int next[BlockLayout<D>::nodes] = {};
      for (int at = s.begin; at < s.end; ++at) ++next[cell_[by_block_[at]]];
      for (int cell = 0, begin = s.begin; cell < BlockLayout<D>::nodes; ++cell)
        begin += std::exchange(next[cell], begin);
      for (int at = s.begin; at < s.end; ++at) {
        const int p = by_block_[at];
        const std::uint8_t cell = cell_[p];
        const int place = next[cell]++;
        order_[place] = p;
        cells_[place] = cell;
      }
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
            std::upper_bound(batch_ends.begin(), batch_ends.end(), std::int64_t(by_block_[begin])) - batch_ends.begin();
        const auto stop =
            std::lower_bound(by_block_.begin() + begin, by_block_.begin() + end, static_cast<int>(batch_ends[batch]));
        const int next = static_cast<int>(stop - by_block_.begin());
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
  std::vector<int> slot_;                   // each particle's home block
  std::vector<std::uint8_t> cell_, cells_;  // each particle's cell in its block; in the sorted order
  std::vector<int> by_block_, order_;       // particles by home block; and by cell
  std::vector<int> places_;                 // reorder: where each segment's particles go
  std::vector<std::int64_t> batch_next_;
  std::vector<int> counts_;
  std::vector<int> block_begin_;
  std::vector<int> segment_begin_;
  std::vector<Segment> segments_;
  std::vector<std::vector<BlockKey>> missing_;
};

}  // namespace knead
