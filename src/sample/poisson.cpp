// Dart throwing on a background grid whose cells hold at most one point each. The cells of a block are visited in
// random order; a visit throws a dart into what is left of the cell when its neighbours' discs are taken out, found by
// halving the cell (in the spirit of Ebeida 2012), so that after one visit a cell has its point or has no room. Blocks
// that do not touch are filled at the same time, each with random numbers of its own: the result does not depend on the
// threads.
#include "sample/poisson.h"

#include "base/parallel.h"
#include "sample/random.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace knead {

namespace {

constexpr int halvings = 4;  // of a cell, in search of room

template <int D>
class PoissonGrid {
 public:
  PoissonGrid(const Shape& shape, double radius, std::uint64_t seed)
      : radius_(radius),
        seed_(seed),
        box_(shape.bounds(D)),
        width_(radius / std::sqrt(static_cast<double>(D))),
        inside_(shape, box_, D, 4 * width_) {
    for (int i = 0; i < D; ++i)
      size_[i] = static_cast<std::int64_t>(std::ceil(box_.size()[i] / width_ * (1 + 1e-12))) + 1;
    std::int64_t cells = 1;
    std::size_t blocks = 1;
    for (int i = 0; i < D; ++i) {
      stride_[i] = cells;
      cells *= size_[i] + 2 * reach;
      blocks_[i] = static_cast<std::int32_t>((size_[i] + block_side - 1) / block_side);
      blocks *= static_cast<std::size_t>(blocks_[i]);
    }
    filled_.resize(blocks);
  }

  std::vector<Vec3d> fill() {
    // Blocks of one colour have another block between them, which is wider than a disc.
    for (int color = 0; color < (1 << D); ++color) {
      std::array<std::size_t, 3> n{1, 1, 1};
      for (int i = 0; i < D; ++i)
        n[static_cast<std::size_t>(i)] = static_cast<std::size_t>(blocks_[i] + 1 - (color >> i & 1)) / 2;
      parallel_for(n[0] * n[1] * n[2], 1, [&](std::size_t b) {
        const std::size_t at[3] = {b % n[0], b / n[0] % n[1], b / n[0] / n[1]};
        Cell block{};
        for (int i = 0; i < D; ++i) block[i] = static_cast<std::int32_t>(2 * at[i]) + (color >> i & 1);
        fill_block(block);
      });
    }
    return gather();
  }

 private:
  using Point = Vec<float, D>;  // within its cell, from 0 to 1
  using Cell = std::array<std::int32_t, D>;
  static constexpr int reach = 2;                                   // a disc about a point ends within this many cells
  static constexpr float r2 = static_cast<float>(D) * (1 + 1e-5f);  // radius^2 in cells, and a hair against rounding
  static constexpr int block_side = D == 2 ? 24 : 12;               // cells
  static constexpr int cells_a_block = D == 2 ? 24 * 24 : 12 * 12 * 12;

  // The number of a cell or a block among all.
  std::int64_t number(const Cell& c) const {
    std::int64_t at = 0;
    for (int i = 0; i < D; ++i) at += (c[i] + reach) * stride_[i];
    return at;
  }
  std::size_t slot(const Cell& block) const {
    std::size_t at = 0;
    for (int i = D - 1; i >= 0; --i)
      at = at * static_cast<std::size_t>(blocks_[i]) + static_cast<std::size_t>(block[i]);
    return at;
  }

  // A point that has been placed. Blocks that the shape does not reach into have none and take no memory.
  struct Placed {
    Cell cell;
    Point point;
  };

  // A block while it is filled, with the cells around it that a disc may reach from.
  struct Tile {
    static constexpr int side = block_side + 2 * reach;
    static constexpr int count = D == 2 ? side * side : side * side * side;
    static constexpr int stride[3] = {1, side, side* side};
    Cell first{};  // the block's first cell
    Point points[count];
    std::uint8_t full[count] = {}, covered[count] = {};  // 1: the cell has a point; a single disc covers it

    bool holds(const Cell& c) const {
      for (int i = 0; i < D; ++i)
        if (c[i] < first[i] - reach || c[i] >= first[i] + block_side + reach) return false;
      return true;
    }
    int index(const Cell& c) const {
      int at = 0;
      for (int i = 0; i < D; ++i) at += (c[i] - first[i] + reach) * stride[i];
      return at;
    }
    void put(const Cell& c, const Point& p) {
      points[index(c)] = p;
      full[index(c)] = 1;
    }
  };

  void load_neighbours(const Cell& block, Tile& tile) const {
    for (int n = 0; n < (D == 2 ? 9 : 27); ++n) {
      const int step[3] = {n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1};
      Cell other = block;
      bool exists = true;
      for (int i = 0; i < D; ++i) {
        other[i] += step[i];
        exists &= other[i] >= 0 && other[i] < blocks_[i];
      }
      if (!exists) continue;
      for (const Placed& p : filled_[slot(other)])
        if (tile.holds(p.cell)) tile.put(p.cell, p.point);
    }
  }

  // Visits the cells of a block that the shape may reach into, shuffled.
  void fill_block(const Cell& block) {
    Vec3d center{};
    for (int i = 0; i < D; ++i) center[i] = box_.lo[i] + (block[i] + 0.5) * block_side * width_;
    if (inside_.misses(center, block_side * radius_ / 2 * (1 + 1e-9))) return;
    Cell cells[cells_a_block];
    int count = 0;
    for (int n = 0; n < cells_a_block; ++n) {
      const int step[3] = {n % block_side, n / block_side % block_side, n / block_side / block_side};
      Cell c{};
      Vec3d middle{};
      bool exists = true;
      for (int i = 0; i < D; ++i) {
        c[i] = block[i] * block_side + step[i];
        middle[i] = box_.lo[i] + (c[i] + 0.5) * width_;
        exists &= c[i] < size_[i];
      }
      if (exists && !inside_.misses(middle, radius_ / 2)) cells[count++] = c;
    }
    if (count == 0) return;
    Tile tile;
    for (int i = 0; i < D; ++i) tile.first[i] = block[i] * block_side;
    load_neighbours(block, tile);
    RandomAt random(seed_, static_cast<std::uint64_t>(number(block)));
    for (int n = count - 1; n > 0; --n) std::swap(cells[n], cells[random.below(n + 1)]);
    std::vector<Placed>& placed = filled_[slot(block)];
    for (int n = 0; n < count; ++n)
      if (visit(tile, cells[n], random)) placed.push_back({cells[n], tile.points[tile.index(cells[n])]});
  }

  // The points around a cell, relative to its corner, in cells; a coordinate at a time and eight at once, for speed.
  // The rest of the last eight is too far away to matter.
  struct Around {
    static constexpr int lanes = 8;
    alignas(32) float x[D][D == 2 ? 32 : 128];
    int count = 0;  // a multiple of `lanes`

    void add(const Point& p) {
      for (int i = 0; i < D; ++i) x[i][count] = p[i];
      ++count;
    }
    void fill_up() {
      while (count % lanes != 0) add(Point::filled(1e9f));
    }
    // Is a point nearer to the farthest (spread = half the side) or to the nearest (spread = 0) place of a box about c?
    bool within(const Point& c, float spread, float r2) const {
      for (int n = 0; n < count; n += lanes) {
        float d2[lanes] = {};
        for (int i = 0; i < D; ++i)
          for (int lane = 0; lane < lanes; ++lane) {
            const float d = std::abs(x[i][n + lane] - c[i]) + spread;
            d2[lane] += d * d;
          }
        int found = 0;
        for (int lane = 0; lane < lanes; ++lane) found |= d2[lane] < r2 ? 1 : 0;
        if (found) return true;
      }
      return false;
    }
  };
  static void look_around(const Tile& tile, const Cell& c, Around& around) {
    const int center = tile.index(c);
    const int depth = D == 3 ? reach : 0;
    for (int z = -depth; z <= depth; ++z)
      for (int y = -reach; y <= reach; ++y) {
        const int first = center - reach + y * Tile::stride[1] + z * Tile::stride[2];
        // Five bytes at once: most rows have no point or one.
        std::uint32_t four;
        std::memcpy(&four, &tile.full[first], 4);
        std::uint64_t full = four | std::uint64_t(tile.full[first + 4]) << 32;
        for (; full != 0; full &= full - 1) {
          const int x = std::countr_zero(full) / 8;
          Point p = tile.points[first + x];
          p[0] += static_cast<float>(x - reach), p[1] += static_cast<float>(y);
          if constexpr (D == 3) p[2] += static_cast<float>(z);
          if (reaches(p)) around.add(p);
        }
      }
    around.fill_up();
  }
  // Does the disc about p reach into the cell?
  static bool reaches(const Point& p) {
    float d2 = 0;
    for (int i = 0; i < D; ++i) {
      const float d = std::max({-p[i], 0.0f, p[i] - 1});
      d2 += d * d;
    }
    return d2 < r2;
  }

  Vec3d place(const Cell& c, const Point& p) const {
    Vec3d x{};
    for (int i = 0; i < D; ++i) x[i] = box_.lo[i] + (c[i] + static_cast<double>(p[i])) * width_;
    return x;
  }

  // Throws a dart into a part of the cell and, where that fails, into its halves in random order. True when it stuck.
  bool throw_into(Tile& tile, const Cell& c, const Around& around, const Point& lo, float side, int depth,
                  RandomAt& random) const {
    const float half = side / 2;
    const Point center = lo + Point::filled(half);
    if (around.within(center, half, r2)) return false;  // one disc covers all of it
    if (depth < halvings && inside_.misses(place(c, center), radius_ / 2 * static_cast<double>(side))) return false;
    Point dart{};
    for (int i = 0; i < D; ++i) dart[i] = lo[i] + side * static_cast<float>(random.unit());
    const bool free = !around.within(dart, 0, r2);
    if (free && inside_(place(c, dart))) {
      put(tile, c, dart);
      return true;
    }
    if (depth == 0) return false;
    const int start = random.below(1 << D);
    for (int k = 0; k < (1 << D); ++k) {
      const int corner = (k * 3 + start) & ((1 << D) - 1);
      Point child = lo;
      for (int i = 0; i < D; ++i)
        if (corner >> i & 1) child[i] += half;
      if (throw_into(tile, c, around, child, half, depth - 1, random)) return true;
    }
    return false;
  }

  // Keeps a point, and notes which cells next to it its disc covers whole.
  static void put(Tile& tile, const Cell& c, const Point& p) {
    tile.put(c, p);
    for (int n = 0; n < (D == 2 ? 9 : 27); ++n) {
      const int step[3] = {n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1};
      int at = tile.index(c);
      float d2 = 0;
      for (int i = 0; i < D; ++i) {
        const float d = std::abs(p[i] - static_cast<float>(step[i]) - 0.5f) + 0.5f;
        d2 += d * d;
        at += step[i] * Tile::stride[i];
      }
      if (d2 < r2) tile.covered[at] = 1;
    }
  }

  bool visit(Tile& tile, const Cell& c, RandomAt& random) const {
    if (tile.covered[tile.index(c)]) return false;
    Around around;
    look_around(tile, c, around);
    return throw_into(tile, c, around, Point::zero(), 1, halvings, random);
  }

  std::vector<Vec3d> gather() {
    std::vector<Placed> all;
    for (std::vector<Placed>& block : filled_) {
      all.insert(all.end(), block.begin(), block.end());
      std::vector<Placed>().swap(block);
    }
    std::sort(all.begin(), all.end(),
              [&](const Placed& a, const Placed& b) { return number(a.cell) < number(b.cell); });
    std::vector<Vec3d> result;
    result.reserve(all.size());
    for (const Placed& p : all) result.push_back(place(p.cell, p.point));
    return result;
  }

  double radius_;
  std::uint64_t seed_;
  Bounds box_;
  double width_;
  InsideTest inside_;
  std::array<std::int64_t, D> size_{}, stride_{};
  Cell blocks_{};                            // along the axes
  std::vector<std::vector<Placed>> filled_;  // the points of each block
};

}  // namespace

std::vector<Vec3d> poisson_points(const Shape& shape, int dim, double radius, std::uint64_t seed) {
  return dim == 2 ? PoissonGrid<2>(shape, radius, seed).fill() : PoissonGrid<3>(shape, radius, seed).fill();
}

}  // namespace knead
