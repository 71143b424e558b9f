// Who is near whom: lists of all points within a radius of each point, in an order that does not depend on the number
// of threads.
#pragma once

#include "base/pack.h"
#include "base/parallel.h"

#include <tbb/parallel_sort.h>

#include <bit>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace knead {

// Points in square (cubic) cells, of which only those that hold a point are kept.
template <class T, int D>
class Cells {
 public:
  void build(std::span<const Vec<T, D>> x, double edge) {
    edge_ = edge;
    keyed_.resize(x.size());
    parallel_for(x.size(), 4096, [&](std::size_t i) { keyed_[i] = {key_of(cell_of(x[i])), static_cast<int>(i)}; });
    tbb::parallel_sort(keyed_.begin(), keyed_.end());
    first_.clear();
    keys_.clear();
    for (std::size_t k = 0; k < keyed_.size(); ++k)
      if (k == 0 || keyed_[k].key != keyed_[k - 1].key)
        keys_.push_back(keyed_[k].key), first_.push_back(static_cast<int>(k));
    first_.push_back(static_cast<int>(keyed_.size()));
    fill_table();
  }
  double edge() const { return edge_; }
  std::size_t count() const { return keys_.size(); }
  // f(number of a point) for those of a cell.
  template <class F>
  void for_each_in(std::size_t cell, F&& f) const {
    for (int k = first_[cell]; k < first_[cell + 1]; ++k) f(keyed_[static_cast<std::size_t>(k)].point);
  }
  // f(cell) for a cell and those around it, as far as `reach` cells away.
  template <class F>
  void for_each_around(const Vec<int, D>& center, int reach, F&& f) const {
    Vec<int, D> at{};
    const int width = 2 * reach + 1;
    const int cells = D == 2 ? width * width : width * width * width;
    for (int n = 0; n < cells; ++n) {
      int rest = n;
      for (int a = 0; a < D; ++a) at[a] = center[a] + rest % width - reach, rest /= width;
      const int cell = find(key_of(at));
      if (cell >= 0) f(static_cast<std::size_t>(cell));
    }
  }
  Vec<int, D> cell_of(const Vec<T, D>& x) const {
    Vec<int, D> c{};
    for (int a = 0; a < D; ++a)
      c[a] = static_cast<int>(std::clamp(std::floor(double(x[a]) / edge_), -farthest + 2, farthest - 2));
    return c;
  }
  Vec<int, D> cell_at(std::size_t cell) const {
    Vec<int, D> c{};
    for (int a = 0; a < D; ++a)
      c[a] = static_cast<int>((keys_[cell] >> (21 * a)) & 0x1fffff) - static_cast<int>(farthest);
    return c;
  }

 private:
  static constexpr double farthest = 1 << 20;
  struct Keyed {
    std::uint64_t key;
    int point;
    bool operator<(const Keyed& o) const { return key != o.key ? key < o.key : point < o.point; }
  };
  static std::uint64_t key_of(const Vec<int, D>& c) {
    std::uint64_t key = 0;
    for (int a = 0; a < D; ++a) key |= static_cast<std::uint64_t>(c[a] + static_cast<int>(farthest)) << (21 * a);
    return key;
  }
  static std::size_t hash(std::uint64_t key) { return static_cast<std::size_t>((key * 0x9e3779b97f4a7c15ull) >> 24); }
  void fill_table() {
    std::size_t size = 16;
    while (size < 2 * keys_.size()) size *= 2;
    table_.assign(size, -1);
    for (std::size_t c = 0; c < keys_.size(); ++c) {
      std::size_t at = hash(keys_[c]) & (size - 1);
      while (table_[at] >= 0) at = (at + 1) & (size - 1);
      table_[at] = static_cast<int>(c);
    }
  }
  int find(std::uint64_t key) const {
    const std::size_t mask = table_.size() - 1;
    for (std::size_t at = hash(key) & mask; table_[at] >= 0; at = (at + 1) & mask)
      if (keys_[static_cast<std::size_t>(table_[at])] == key) return table_[at];
    return -1;
  }

  double edge_ = 1;
  std::vector<Keyed> keyed_;
  std::vector<std::uint64_t> keys_;
  std::vector<int> first_, table_;
};

// A list of numbers for each point, one behind the other.
struct Lists {
  std::vector<std::int64_t> first{0};
  std::vector<int> other;
  std::size_t count() const { return first.size() - 1; }
  std::span<const int> of(std::size_t i) const {
    return {other.data() + first[i], static_cast<std::size_t>(first[i + 1] - first[i])};
  }
};

namespace neighbours_detail {

// Places and numbers of the points around a cell, coordinate by coordinate, in whole packs: what is left over is far
// away.
template <class T, int D>
struct Candidates {
  using P = Pack<T>;
  std::vector<T> x[D];
  std::vector<int> number;
  std::size_t count = 0;

  void clear() { count = 0; }
  void add(const Vec<T, D>& at, int n) {
    if (count + P::width >= number.size()) {
      number.resize(2 * number.size() + 16 * P::width);
      for (auto& c : x) c.resize(number.size());
    }
    for (int a = 0; a < D; ++a) x[a][count] = at[a];
    number[count++] = n;
  }
  void close() {
    for (std::size_t k = count; k < count + P::width; ++k)
      for (int a = 0; a < D; ++a) x[a][k] = std::numeric_limits<T>::max();
  }
  // Writes the numbers of those nearer than the root of `reach` to `to`, which must have room for all; gives the end.
  int* write_near(const Vec<T, D>& at, T reach, int* to) const {
    for (std::size_t k = 0; k < count; k += P::width) {
      P square(0);
      for (int a = 0; a < D; ++a) {
        const P away = P::load(x[a].data() + k) - P(at[a]);
        square = fma(away, away, square);
      }
#if defined(__AVX512F__)
      if constexpr (P::width == 16) {
        const __mmask16 mask = _mm512_cmp_ps_mask(std::bit_cast<__m512>(square.v), _mm512_set1_ps(reach), _CMP_LT_OQ);
        if (mask == 0) continue;
        const __m512i chosen = _mm512_maskz_compress_epi32(mask, _mm512_loadu_si512(number.data() + k));
        _mm512_storeu_si512(to, chosen);
        to += std::popcount(static_cast<unsigned>(mask));
        continue;
      }
#endif
      for (int lane = 0; lane < P::width; ++lane)
        if (square[lane] < reach) *to++ = number[k + static_cast<std::size_t>(lane)];
    }
    return to;
  }
};

}  // namespace neighbours_detail

// The order of the points in a list.
enum class ListOrder { by_number, by_cell };

// The points within radius[i] (one for all where it has one entry) of each point i, without i itself, for which
// wanted(i, j) holds. `cells` is scratch.
template <class T, int D, class Wanted>
void find_neighbours(std::span<const Vec<T, D>> x, std::span<const T> radius, Cells<T, D>& cells, Lists& lists,
                     Wanted&& wanted, ListOrder order = ListOrder::by_number) {
  const std::size_t n = x.size();
  T largest = 0;
  for (T r : radius) largest = std::max(largest, r);
  const auto radius_of = [&](std::size_t i) { return radius.size() == 1 ? radius[0] : radius[i]; };
  cells.build(x, double(largest));
  lists.first.assign(n + 1, 0);
  constexpr std::size_t grain = 32;  // cells
  struct Part {
    std::vector<int> others;
    std::vector<std::pair<int, int>> counts;  // point, how many
  };
  std::vector<Part> parts((cells.count() + grain - 1) / grain);
  parallel_chunks(cells.count(), grain, [&](std::size_t begin, std::size_t end) {
    Part& part = parts[begin / grain];
    neighbours_detail::Candidates<T, D> near;
    std::size_t used = 0;
    for (std::size_t cell = begin; cell < end; ++cell) {
      near.clear();
      cells.for_each_around(cells.cell_at(cell), 1, [&](std::size_t c) {
        cells.for_each_in(c, [&](int j) { near.add(x[static_cast<std::size_t>(j)], j); });
      });
      near.close();
      cells.for_each_in(cell, [&](int point) {
        const auto i = static_cast<std::size_t>(point);
        part.others.resize(std::max(part.others.size(), used + near.count + 16));
        int* const start = part.others.data() + used;
        int* end_of_list = near.write_near(x[i], radius_of(i) * radius_of(i), start);
        end_of_list = std::remove_if(start, end_of_list,
                                     [&](int j) { return j == point || !wanted(i, static_cast<std::size_t>(j)); });
        if (order == ListOrder::by_number) std::sort(start, end_of_list);
        used += static_cast<std::size_t>(end_of_list - start);
        part.counts.push_back({point, static_cast<int>(end_of_list - start)});
        lists.first[i + 1] = end_of_list - start;
      });
    }
  });
  for (std::size_t i = 0; i < n; ++i) lists.first[i + 1] += lists.first[i];
  lists.other.resize(static_cast<std::size_t>(lists.first[n]));
  parallel_for(parts.size(), 1, [&](std::size_t p) {
    const int* from = parts[p].others.data();
    for (const auto& [point, count] : parts[p].counts) {
      std::copy_n(from, count, lists.other.begin() + lists.first[static_cast<std::size_t>(point)]);
      from += count;
    }
  });
}

// The mean distance of each point to its k nearest, m. Points of other groups do not count.
template <class T, int D>
std::vector<T> mean_distance_to_nearest(std::span<const Vec<T, D>> x, std::span<const std::int32_t> group, int k,
                                        double spacing) {
  Cells<T, D> cells;
  cells.build(x, spacing * std::pow(double(k), 1.0 / D) * 0.7);
  std::vector<T> mean(x.size());
  parallel_chunks(x.size(), 256, [&](std::size_t begin, std::size_t end) {
    std::vector<std::pair<T, int>> near;
    for (std::size_t i = begin; i < end; ++i) {
      // A point that is not in the cells as far as `reach` away is farther than reach edges.
      for (int reach = 1;; reach *= 2) {
        near.clear();
        cells.for_each_around(cells.cell_of(x[i]), reach, [&](std::size_t cell) {
          cells.for_each_in(cell, [&](int point) {
            const auto j = static_cast<std::size_t>(point);
            if (j == i || group[j] != group[i]) return;
            const Vec<T, D> away = x[j] - x[i];
            near.push_back({dot(away, away), point});
          });
        });
        const bool enough = near.size() >= static_cast<std::size_t>(k);
        if (enough) std::nth_element(near.begin(), near.begin() + (k - 1), near.end());
        const double sure = reach * cells.edge();
        if ((enough && double(near[static_cast<std::size_t>(k - 1)].first) <= sure * sure) || reach >= 16) break;
      }
      const std::size_t found = std::min<std::size_t>(near.size(), static_cast<std::size_t>(k));
      std::sort(near.begin(), near.begin() + static_cast<std::ptrdiff_t>(found));
      double sum = 0;
      for (std::size_t m = 0; m < found; ++m) sum += std::sqrt(double(near[m].first));
      mean[i] = T(found > 0 ? sum / double(found) : spacing);
    }
  });
  return mean;
}

}  // namespace knead
