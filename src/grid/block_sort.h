// Sorts particles into the blocks of their stencils, and inside a block by cell: after sort(), the particles of home
// block b are its segments of order(), one segment a batch, and inside a segment they stand by the cell of their
// stencil's first node (last axis fastest), those of one cell in the order of memory. A stable counting sort over fixed
// chunks, so the result does not depend on the number of threads.
#pragma once

#include "base/pack.h"
#include "base/parallel.h"
#include "grid/block_map.h"
#include "grid/bspline.h"

#include <cstdint>
#include <mutex>
#include <numeric>
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
    grain_ = std::max<std::size_t>(1024, (n + max_chunks - 1) / max_chunks);
    chunks_ = (n + grain_ - 1) / grain_;
    slot_.resize(n);
    cell_.resize(n);
    by_block_.resize(n);
    order_.resize(n + slack);
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
    note_end();
    return all_inside;
  }

  // For particles that are put into the sorted order, batch by batch: which particle comes to each place. From here on,
  // order() speaks of the new places.
  void reorder(std::vector<int>& permutation, std::span<const std::int64_t> batch_ends) {
    permutation.resize(order().size());
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
    note_end();
  }

  int blocks() const { return static_cast<int>(keys_.size()); }
  const std::vector<BlockKey>& keys() const { return keys_; }
  bool blocks_changed() const { return changed_; }  // by the last sort
  std::span<const int> order() const { return {order_.data(), slot_.size()}; }
  // So many entries behind the last one repeat it, for those who look ahead.
  static constexpr int slack = 256;
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
  static constexpr std::size_t max_chunks = 64;
  static constexpr std::size_t tile = 64;  // particles looked at together

  // Notes each particle's block and cell and counts the particles of each block; false if some block has no number yet
  // or some particle is too far away.
  template <int degree, class T>
  bool find_and_count(std::span<const Vec<T, D>> x, T inverse_dx) {
    const std::size_t blocks = keys_.size();
    missing_.resize(chunks_);
    counts_.resize(chunks_ * blocks);
    std::int64_t lost = all_inside;  // the first one, whichever chunk finds its own first
    std::mutex mutex;
    parallel_for(chunks_, 1, [&](std::size_t chunk) {
      missing_[chunk].clear();
      std::fill_n(counts_.data() + chunk * blocks, blocks, 0);
      Neighbourhood near(map_, counts_.data() + chunk * blocks, missing_[chunk]);
      int base[tile * D];
      for (std::size_t p = chunk * grain_, end = std::min(x.size(), p + grain_); p < end; p += tile) {
        const int count = static_cast<int>(std::min(tile, end - p));
        if (const int far = stencil_bases<degree>(&x[p], count, inverse_dx, base); far >= 0) {
          const std::scoped_lock lock(mutex);
          const auto particle = static_cast<std::int64_t>(p) + far;
          lost = lost == all_inside ? particle : std::min(lost, particle);
          return;
        }
        near.find(base, count, slot_.data() + p, cell_.data() + p);
      }
      near.hand_in_counts();
    });
    lost_ = lost;
    if (lost_ != all_inside) return false;
    for (const auto& m : missing_)
      if (!m.empty()) return false;
    return true;
  }

  // The stencil's first node of `count` particles, whose coordinates are taken as one plain array. Returns the first
  // particle that is too far away, or -1.
  template <int degree, class T>
  static int stencil_bases(const Vec<T, D>* x, int count, T inverse_dx, int* base) {
    using P = Pack<T>;
    const T limit = T(farthest_cell<T>);
    const T* flat = &x[0][0];
    const int n = count * D, packed = n - n % P::width;
    bool inside = true;
    for (int k = 0; k < packed; k += P::width) {
      const P cells = P::load(flat + k) * P(inverse_dx);
      inside = inside && all(abs(cells) < P(limit));
      const P first = first_node<degree>(cells);
      typedef T Register __attribute__((vector_size(P::width * sizeof(T))));
      typedef int Integers __attribute__((vector_size(P::width * sizeof(int)), aligned(sizeof(int)), may_alias));
      *reinterpret_cast<Integers*>(base + k) = __builtin_convertvector(std::bit_cast<Register>(first.v), Integers);
    }
    for (int k = packed; k < n; ++k) {
      inside = inside && std::abs(flat[k] * inverse_dx) < limit;
      if (inside) base[k] = stencil_base<degree>(flat[k] * inverse_dx);
    }
    if (inside) return -1;
    int far = 0;
    while (std::abs(flat[far] * inverse_dx) < limit) ++far;
    return far / D;
  }

  // The blocks around one of them, four along each axis, with their numbers and how many particles were found in each:
  // particles that follow each other in memory are nearly always in it.
  class Neighbourhood {
   public:
    Neighbourhood(const BlockMap& map, int* counts, std::vector<BlockKey>& missing)
        : map_(map), counts_(counts), missing_(missing) {
      move_to(Vec<int, D>::filled(-block_limit));
    }

    void find(const int* base, int count, int* slots, std::uint8_t* cells) {
      int place[tile];
      if (!places(base, count, place, cells)) {
        hand_in_counts();
        move_to(BlockLayout<D>::block_of(node(base)));
        if (!places(base, count, place, cells)) return find_one_by_one(base, count, slots, cells);
      }
      count_all(place, count, slots);
    }

    void hand_in_counts() {
      for (int i = 0; i < size; ++i)
        for (int k = 0; k < copies; ++k)
          if (found_[k][i] && number_[i] >= 0) counts_[number_[i]] += found_[k][i];
    }

   private:
    static constexpr int shift = BlockLayout<D>::shift, side = BlockLayout<D>::side;
    static constexpr int size = 1 << (2 * D);  // blocks
    static constexpr int copies = 4;           // of each counter, so that an increment need not wait for the last one
    static constexpr int unknown = -2;

    static const Vec<int, D>& node(const int* base) { return reinterpret_cast<const Vec<int, D>&>(*base); }

    // Around the block, from one before it to two behind it.
    void move_to(const Vec<int, D>& block) {
      first_ = block - Vec<int, D>::filled(1);
      std::fill_n(number_, size, unknown);
      std::fill_n(&found_[0][0], copies * size, 0);
    }

    // Each particle's block in here, and its cell in the block; false if some particle is outside.
    bool places(const int* base, int count, int* place, std::uint8_t* cells) const {
      int outside = 0;
      const Vec<int, D> origin = first_ * side;
      for (int i = 0; i < count; ++i) {
        int block = 0, cell = 0;
        for (int a = 0; a < D; ++a) {
          const int node = base[i * D + a] - origin[a];
          outside |= node & ~(4 * side - 1);
          block = block << 2 | (node >> shift);
          cell = cell << shift | (node & (side - 1));
        }
        place[i] = block;
        cells[i] = static_cast<std::uint8_t>(cell);
      }
      return !outside;
    }

    void count_all(const int* place, int count, int* slots) {
      for (int i = 0; i < count; ++i) {
        const int here = place[i];
        if (number_[here] == unknown) look_up(here);
        slots[i] = number_[here];
        ++found_[i % copies][here];
      }
    }

    void find_one_by_one(const int* base, int count, int* slots, std::uint8_t* cells) {
      for (int i = 0; i < count; ++i) {
        int place;
        if (!places(base + i * D, 1, &place, cells + i)) {
          hand_in_counts();
          move_to(BlockLayout<D>::block_of(node(base + i * D)));
          places(base + i * D, 1, &place, cells + i);
        }
        count_all(&place, 1, slots + i);
      }
    }

    void look_up(int here) {
      Vec<int, D> block = first_;
      for (int a = 0; a < D; ++a) block[a] += here >> (2 * (D - 1 - a)) & 3;
      const BlockKey key = block_key(block);
      number_[here] = map_.find(key);
      if (number_[here] < 0) missing_.push_back(key);
    }

    const BlockMap& map_;
    int* counts_;
    std::vector<BlockKey>& missing_;
    Vec<int, D> first_{};
    int number_[size];
    int found_[copies][size];
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
    turn_counts_into_places();
    // Chunks side by side, so that one place need not wait for the last.
    constexpr std::size_t group = 4;
    parallel_for((chunks_ + group - 1) / group, 1, [&](std::size_t g) {
      int* to = by_block_.data();
      const int* slot = slot_.data();
      const auto place = [&](std::size_t chunk, std::size_t p) {
        to[counts_[chunk * blocks + static_cast<std::size_t>(slot[p])]++] = static_cast<int>(p);
      };
      const std::size_t first = g * group, last = std::min(chunks_, first + group);
      if (last * grain_ <= n && last == first + group) {
        for (std::size_t k = 0; k < grain_; ++k)
          for (std::size_t chunk = first; chunk < first + group; ++chunk) place(chunk, chunk * grain_ + k);
      } else {
        for (std::size_t p = first * grain_; p < std::min(n, last * grain_); ++p) place(p / grain_, p);
      }
    });
  }

  // The counts of the chunks become the places where each puts its particles of a block, one chunk behind the other.
  void turn_counts_into_places() {
    constexpr std::size_t part = 256;  // blocks
    const std::size_t blocks = keys_.size();
    block_begin_.resize(blocks + 1);
    parallel_chunks(blocks, part, [&](std::size_t begin, std::size_t end) {
      std::fill(block_begin_.data() + begin, block_begin_.data() + end, 0);
      for (std::size_t chunk = 0; chunk < chunks_; ++chunk)
        for (std::size_t b = begin; b < end; ++b) block_begin_[b] += counts_[chunk * blocks + b];
    });
    block_begin_[blocks] = 0;
    std::exclusive_scan(block_begin_.begin(), block_begin_.end(), block_begin_.begin(), 0);
    parallel_chunks(blocks, part, [&](std::size_t begin, std::size_t end) {
      int next[part];
      std::copy(block_begin_.data() + begin, block_begin_.data() + end, next);
      for (std::size_t chunk = 0; chunk < chunks_; ++chunk)
        for (std::size_t b = begin; b < end; ++b)
          next[b - begin] += std::exchange(counts_[chunk * blocks + b], next[b - begin]);
    });
  }

  // Inside each segment, which fits the nearest cache: a counting sort over the block's cells. Four parts of the
  // segment go side by side, each with its own counters, so that one place need not wait for the last.
  void place_by_cell() {
    parallel_for(segments_.size(), 16, [&](std::size_t i) {
      constexpr int parts = 4, cells = BlockLayout<D>::nodes;
      const Segment s = segments_[i];
      const int length = (s.end - s.begin) / parts, rest = s.begin + parts * length;
      const int* from = by_block_.data();
      const std::uint8_t* cell = cell_.data();
      int* order = order_.data();
      std::uint8_t* sorted = cells_.data();
      int next[parts][cells] = {};
      for (int k = 0; k < length; ++k)
        for (int part = 0; part < parts; ++part) ++next[part][cell[from[s.begin + part * length + k]]];
      for (int at = rest; at < s.end; ++at) ++next[parts - 1][cell[from[at]]];
      for (int c = 0, begin = s.begin; c < cells; ++c)
        for (int part = 0; part < parts; ++part) begin += std::exchange(next[part][c], begin);
      const auto place = [&](int part, int at) {
        const int p = from[at], c = cell[p], to = next[part][c]++;
        order[to] = p;
        sorted[to] = static_cast<std::uint8_t>(c);
      };
      for (int k = 0; k < length; ++k)
        for (int part = 0; part < parts; ++part) place(part, s.begin + part * length + k);
      for (int at = rest; at < s.end; ++at) place(parts - 1, at);
    });
  }

  void note_end() {
    const std::size_t n = slot_.size();
    std::fill(order_.begin() + static_cast<std::ptrdiff_t>(n), order_.end(), n ? order_[n - 1] : 0);
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
        const int batch_end = static_cast<int>(batch_ends[batch]);
        const auto last = by_block_.begin() + end;
        const auto stop = last[-1] < batch_end ? last : std::lower_bound(by_block_.begin() + begin, last, batch_end);
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
