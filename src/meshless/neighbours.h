// Who is near whom: lists of all points within a radius of each point, in an order that does not depend on the number
// of threads.
#pragma once

#include "base/chosen_lanes.h"
#include "base/elementary.h"
#include "base/parallel.h"
#include "meshless/prefix_sum.h"

#include <bit>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace knead {

// A point and the cell that it is in.
struct KeyedPoint {
  std::uint64_t key;
  int point;
};
// Points sorted by cell, those of a cell in the order that they had: by one group of bits after the other, the lowest
// first.
class CellSort {
 public:
  std::vector<KeyedPoint> points;
  // Keys have so many bits.
  void sort(int bits);

 private:
  std::vector<KeyedPoint> spare_;
  std::vector<int> places_;
};

// Points in square (cubic) cells, of which only those that hold a point are kept, in rows along the first axis: what is
// in a part of a row is one run of points.
template <class T, int D>
class Cells {
 public:
  void build(std::span<const Vec<T, D>> x, double edge) {
    const std::size_t n = x.size();
    edge_ = edge;
    cut_out(x);
    sort_.points.resize(n), points_.resize(n);
    for (auto& c : places_) c.resize(n);
    parallel_for(n, 1024, [&](std::size_t i) {
      sort_.points[i] = {key_of(cell_of(x[i]) - low_), static_cast<int>(i)};
    });
    sort_.sort(shift_[D]);
    const std::vector<KeyedPoint>& sorted = sort_.points;
    const auto starts = [&](std::size_t k) { return k == 0 || sorted[k].key != sorted[k - 1].key; };
    cells_before_.resize((n + grain - 1) / grain);
    parallel_chunks(n, grain, [&](std::size_t begin, std::size_t end) {
      int cells = 0;
      for (std::size_t k = begin; k < end; ++k) {
        points_[k] = sorted[k].point, cells += starts(k);
        for (int a = 0; a < D; ++a) places_[a][k] = x[static_cast<std::size_t>(points_[k])][a];
      }
      cells_before_[begin / grain] = cells;
    });
    int all = 0;
    for (int& before : cells_before_) all += std::exchange(before, all);
    keys_.resize(static_cast<std::size_t>(all)), first_.resize(static_cast<std::size_t>(all) + 1);
    first_.back() = static_cast<int>(n);
    parallel_chunks(n, grain, [&](std::size_t begin, std::size_t end) {
      auto cell = static_cast<std::size_t>(cells_before_[begin / grain]);
      for (std::size_t k = begin; k < end; ++k)
        if (starts(k)) keys_[cell] = sorted[k].key, first_[cell++] = static_cast<int>(k);
    });
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
      Vec<int, D> from = center - low_;
      const int last = std::min(from[0] + reach, size_[0] - 1);
      from[0] = std::max(from[0] - reach, 0);
      from[1] += r % width - reach;
      if constexpr (D == 3) from[2] += r / width - reach;
      bool outside = false;
      for (int a = 1; a < D; ++a) outside = outside || from[a] < 0 || from[a] >= size_[a];
      if (outside) continue;
      const std::uint64_t low = key_of(from);
      std::size_t& cell = rows.next[static_cast<std::size_t>(r)];
      if (!follows) cell = static_cast<std::size_t>(std::lower_bound(keys_.begin(), keys_.end(), low) - keys_.begin());
      while (cell < keys_.size() && keys_[cell] < low) ++cell;
      std::size_t end = cell;
      while (end < keys_.size() && keys_[end] <= low + static_cast<std::uint64_t>(last - from[0])) ++end;
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
    Vec<int, D> c = low_;
    for (int a = 0; a < D; ++a)
      c[a] += static_cast<int>(keys_[cell] >> shift_[a] & ((std::uint64_t(1) << (shift_[a + 1] - shift_[a])) - 1));
    return c;
  }
  static constexpr int most_reach = 16;

 private:
  static constexpr double farthest = 1 << 20;
  static constexpr std::size_t grain = 1024;

  // The box of cells that holds all points, and the bits that a cell's place in it takes.
  void cut_out(std::span<const Vec<T, D>> x) {
    struct Extent {
      Vec<int, D> low = Vec<int, D>::filled(1 << 30), high = Vec<int, D>::filled(-(1 << 30));
      void add(const Vec<int, D>& l, const Vec<int, D>& h) {
        for (int a = 0; a < D; ++a) low[a] = std::min(low[a], l[a]), high[a] = std::max(high[a], h[a]);
      }
    };
    const auto box_of = [&](std::size_t begin, std::size_t end) {
      // Of the places: a cell's number grows with them.
      Vec<T, D> low = x[begin], high = low;
      for (std::size_t i = begin; i < end; ++i)
        for (int a = 0; a < D; ++a) low[a] = std::min(low[a], x[i][a]), high[a] = std::max(high[a], x[i][a]);
      Extent box;
      return box.add(cell_of(low), cell_of(high)), box;
    };
    const Extent box = x.empty() ? Extent{{}, {}}
                                 : parallel_reduce(x.size(), grain, Extent{}, box_of,
                                                   [](Extent a, const Extent& b) { return a.add(b.low, b.high), a; });
    low_ = box.low;
    shift_[0] = 0;
    for (int a = 0; a < D; ++a) {
      size_[a] = box.high[a] - box.low[a] + 1;
      shift_[a + 1] = shift_[a] + std::bit_width(static_cast<unsigned>(size_[a] - 1));
    }
  }
  // Of a cell, from the corner of the box.
  std::uint64_t key_of(const Vec<int, D>& c) const {
    std::uint64_t key = 0;
    for (int a = 0; a < D; ++a) key |= static_cast<std::uint64_t>(c[a]) << shift_[a];
    return key;
  }

  double edge_ = 1;
  Vec<int, D> low_{}, size_{};
  int shift_[D + 1]{};
  CellSort sort_;
  std::vector<int> cells_before_;  // the chunks of points
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
      for (int a = 0; a < D; ++a) x[a][k] = far;
  }
  // Those around a cell. Gives where its own points begin.
  std::size_t take_around(const Cells<T, D>& cells, std::size_t cell, int reach, typename Cells<T, D>::Rows& rows) {
    clear();
    std::size_t own = 0;
    cells.for_each_row(cells.cell_at(cell), reach, rows, [&](int first, int end) {
      if (first <= cells.first(cell) && cells.first(cell) < end)
        own = count + static_cast<std::size_t>(cells.first(cell) - first);
      add(cells, first, end);
    });
    close();
    return own;
  }
  // f(the first of them, squares of distances, bits of the lanes below `reach`) for packs of candidates around the
  // candidate `own`, which itself is none.
  template <class F>
  KNEAD_INLINE void for_each_near(std::size_t own, T reach, F&& f) {
    Vec<P, D> at;
    for (int a = 0; a < D; ++a) at[a] = P(x[a][own]);
    const T hidden = std::exchange(x[0][own], far);
    for (std::size_t k = 0; k < count; k += P::width) {
      P square(0);
      for (int a = 0; a < D; ++a) {
        const P away = P::load(x[a].data() + k) - at[a];
        square = fma(away, away, square);
      }
      if (const unsigned below = lanes_below(square, P(reach)); below != 0) f(k, square, below);
    }
    x[0][own] = hidden;
  }
  // Writes the numbers of those nearer than the root of `reach` to `to`, which must have room for all and a pack; gives
  // the end.
  int* write_near(std::size_t own, T reach, int* to) {
    for_each_near(own, reach, [&](std::size_t k, const P&, unsigned below) {
      to = write_chosen<P::width>(below, number.data() + k, to);
    });
    return to;
  }

 private:
  static constexpr T far = std::numeric_limits<T>::max();
};

}  // namespace neighbours_detail

// The order of the points in a list.
enum class ListOrder { by_number, by_cell };

// All points are wanted.
struct Everyone {
  bool operator()(std::size_t, std::size_t) const { return true; }
};

// How many cells are searched by one thread at a time: those of about 64 points.
template <class T, int D>
std::size_t grain_of(const Cells<T, D>& cells) {
  return std::clamp<std::size_t>(64 * cells.count() / std::max<std::size_t>(cells.points().size(), 1), 1, 64);
}

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
  lists.first.resize(n + 1), lists.first[0] = 0;
  const std::size_t grain = grain_of(cells);
  auto& parts = lists.parts;
  parts.resize((cells.count() + grain - 1) / grain);
  parallel_chunks(cells.count(), grain, [&](std::size_t begin, std::size_t end) {
    thread_local neighbours_detail::Candidates<T, D> near;
    thread_local typename Cells<T, D>::Rows rows;
    rows.next.clear();
    Lists::Part& part = parts[begin / grain];
    part.counts.clear();
    std::size_t used = 0;
    for (std::size_t cell = begin; cell < end; ++cell) {
      std::size_t own = near.take_around(cells, cell, 1, rows);
      for (int k = cells.first(cell); k < cells.first(cell + 1); ++k, ++own) {
        const int point = cells.points()[static_cast<std::size_t>(k)];
        const auto i = static_cast<std::size_t>(point);
        if (part.others.size() < used + near.count + 16) part.others.resize(2 * (used + near.count + 16));
        int* const start = part.others.data() + used;
        int* end_of_list = near.write_near(own, radius_of(i) * radius_of(i), start);
        if constexpr (!std::is_same_v<std::decay_t<Wanted>, Everyone>)
          end_of_list =
              std::remove_if(start, end_of_list, [&](int j) { return !wanted(i, static_cast<std::size_t>(j)); });
        if (order == ListOrder::by_number) std::sort(start, end_of_list);
        used += static_cast<std::size_t>(end_of_list - start);
        part.counts.push_back({point, static_cast<int>(end_of_list - start)});
        lists.first[i + 1] = end_of_list - start;
      }
    }
  });
  prefix_sum(std::span(lists.first));
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
