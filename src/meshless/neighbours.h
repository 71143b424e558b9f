// Who is near whom: lists of all points within a radius of each point, in an order that does not depend on the number
// of threads.
#pragma once

#include "base/elementary.h"
#include "base/pack.h"
#include "base/parallel.h"

#include <bit>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace knead {

// A point and the cell that it is in.
struct KeyedPoint {
  std::uint64_t key;
  int point;
};
void sort_by_cell(std::span<KeyedPoint>);

// Points in square (cubic) cells, of which only those that hold a point are kept, in rows along the first axis: what is
// in a part of a row is one run of points.
template <class T, int D>
class Cells {
 public:
  void build(std::span<const Vec<T, D>> x, double edge) {
    edge_ = edge;
    keyed_.resize(x.size()), points_.resize(x.size());
    for (auto& c : places_) c.resize(x.size());
    parallel_for(x.size(), 4096, [&](std::size_t i) { keyed_[i] = {key_of(cell_of(x[i])), static_cast<int>(i)}; });
    sort_by_cell(keyed_);
    parallel_for(x.size(), 4096, [&](std::size_t k) {
      points_[k] = keyed_[k].point;
      for (int a = 0; a < D; ++a) places_[a][k] = x[static_cast<std::size_t>(points_[k])][a];
    });
    first_.clear();
    keys_.clear();
    for (std::size_t k = 0; k < keyed_.size(); ++k)
      if (k == 0 || keyed_[k].key != keyed_[k - 1].key)
        keys_.push_back(keyed_[k].key), first_.push_back(static_cast<int>(k));
    first_.push_back(static_cast<int>(keyed_.size()));
  }
  double edge() const { return edge_; }
  std::size_t count() const { return keys_.size(); }
  // The numbers of the points in the order of the cells, their places axis by axis, and where those of a cell begin.
  std::span<const int> points() const { return points_; }
  const T* places(int axis) const { return places_[axis].data(); }
  int first(std::size_t cell) const { return first_[cell]; }

  // Where the rows around a cell were found, so that the next cell of its row need not search.
  struct Rows {
    std::vector<std::size_t> next;
    Vec<int, D> center{};
  };
  // f(first, behind the last of points()) for the parts of rows around a cell, as far as `reach` cells away.
  template <class F>
  void for_each_row(const Vec<int, D>& center, int reach, Rows& rows, F&& f) const {
    const int width = 2 * reach + 1, count_of_rows = D == 2 ? width : width * width;
    bool follows = rows.next.size() == static_cast<std::size_t>(count_of_rows) && rows.center[0] <= center[0];
    for (int a = 1; a < D; ++a) follows = follows && rows.center[a] == center[a];
    rows.next.resize(static_cast<std::size_t>(count_of_rows));
    rows.center = center;
    for (int r = 0; r < count_of_rows; ++r) {
      Vec<int, D> from = center;
      from[0] -= reach;
      from[1] += r % width - reach;
      if constexpr (D == 3) from[2] += r / width - reach;
      const std::uint64_t low = key_of(from), high = low + static_cast<std::uint64_t>(2 * reach);
      std::size_t& cell = rows.next[static_cast<std::size_t>(r)];
      if (!follows) cell = static_cast<std::size_t>(std::lower_bound(keys_.begin(), keys_.end(), low) - keys_.begin());
      while (cell < keys_.size() && keys_[cell] < low) ++cell;
      std::size_t end = cell;
      while (end < keys_.size() && keys_[end] <= high) ++end;
      if (end > cell) f(first_[cell], first_[end]);
    }
  }
  Vec<int, D> cell_of(const Vec<T, D>& x) const {
    Vec<int, D> c{};
    for (int a = 0; a < D; ++a)
      c[a] = static_cast<int>(
          std::clamp(std::floor(double(x[a]) / edge_), -farthest + most_reach, farthest - most_reach - 1));
    return c;
  }
  Vec<int, D> cell_at(std::size_t cell) const {
    Vec<int, D> c{};
    for (int a = 0; a < D; ++a)
      c[a] = static_cast<int>((keys_[cell] >> (21 * a)) & 0x1fffff) - static_cast<int>(farthest);
    return c;
  }
  static constexpr int most_reach = 16;

 private:
  static constexpr double farthest = 1 << 20;
  static std::uint64_t key_of(const Vec<int, D>& c) {
    std::uint64_t key = 0;
    for (int a = 0; a < D; ++a) key |= static_cast<std::uint64_t>(c[a] + static_cast<int>(farthest)) << (21 * a);
    return key;
  }

  double edge_ = 1;
  std::vector<KeyedPoint> keyed_;
  std::vector<std::uint64_t> keys_;
  std::vector<int> first_, points_;
  std::vector<T> places_[D];
};

// A list of numbers for each point, one behind the other.
struct Lists {
  std::vector<std::int64_t> first{0};
  std::vector<int> other;
  std::size_t count() const { return first.size() - 1; }
  std::span<const int> of(std::size_t i) const {
    return {other.data() + first[i], static_cast<std::size_t>(first[i + 1] - first[i])};
  }

  // Scratch of the search, for some cells.
  struct Part {
    std::vector<int> others;
    std::vector<std::pair<int, int>> counts;  // point, how many
  };
  std::vector<Part> parts;
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
  // The points of a row.
  void add(const Cells<T, D>& cells, int first, int end) {
    const auto some = static_cast<std::size_t>(end - first);
    if (count + some + P::width > number.size()) {
      number.resize(2 * (count + some) + 16 * P::width);
      for (auto& c : x) c.resize(number.size());
    }
    for (int a = 0; a < D; ++a) std::copy_n(cells.places(a) + first, some, x[a].data() + count);
    std::copy_n(cells.points().data() + first, some, number.data() + count);
    count += some;
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
  auto& parts = lists.parts;
  parts.resize((cells.count() + grain - 1) / grain);
  parallel_chunks(cells.count(), grain, [&](std::size_t begin, std::size_t end) {
    Lists::Part& part = parts[begin / grain];
    part.counts.clear();
    neighbours_detail::Candidates<T, D> near;
    typename Cells<T, D>::Rows rows;
    std::size_t used = 0;
    for (std::size_t cell = begin; cell < end; ++cell) {
      near.clear();
      cells.for_each_row(cells.cell_at(cell), 1, rows, [&](int first, int last) { near.add(cells, first, last); });
      near.close();
      for (int k = cells.first(cell); k < cells.first(cell + 1); ++k) {
        const int point = cells.points()[static_cast<std::size_t>(k)];
        const auto i = static_cast<std::size_t>(point);
        if (part.others.size() < used + near.count + 16) part.others.resize(2 * (used + near.count + 16));
        int* const start = part.others.data() + used;
        int* end_of_list = near.write_near(x[i], radius_of(i) * radius_of(i), start);
        end_of_list = std::remove_if(start, end_of_list,
                                     [&](int j) { return j == point || !wanted(i, static_cast<std::size_t>(j)); });
        if (order == ListOrder::by_number) std::sort(start, end_of_list);
        used += static_cast<std::size_t>(end_of_list - start);
        part.counts.push_back({point, static_cast<int>(end_of_list - start)});
        lists.first[i + 1] = end_of_list - start;
      }
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
  cells.build(x, spacing * elementary::pow(double(k), 1.0 / D) * 0.7);
  std::vector<T> mean(x.size());
  parallel_chunks(x.size(), 256, [&](std::size_t begin, std::size_t end) {
    std::vector<std::pair<T, int>> near;
    typename Cells<T, D>::Rows rows;
    for (std::size_t i = begin; i < end; ++i) {
      // A point that is not in the cells as far as `reach` away is farther than reach edges.
      for (int reach = 1;; reach *= 2) {
        near.clear();
        cells.for_each_row(cells.cell_of(x[i]), reach, rows, [&](int first, int last) {
          for (const int point :
               cells.points().subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(last - first))) {
            const auto j = static_cast<std::size_t>(point);
            if (j == i || group[j] != group[i]) continue;
            const Vec<T, D> away = x[j] - x[i];
            near.push_back({dot(away, away), point});
          }
        });
        const bool enough = near.size() >= static_cast<std::size_t>(k);
        if (enough) std::nth_element(near.begin(), near.begin() + (k - 1), near.end());
        const double sure = reach * cells.edge();
        if ((enough && double(near[static_cast<std::size_t>(k - 1)].first) <= sure * sure) ||
            reach >= Cells<T, D>::most_reach)
          break;
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
