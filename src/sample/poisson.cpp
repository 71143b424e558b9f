// Dart throwing on a background grid whose cells hold at most one point each. The cells of a block are visited in
// random order; a visit throws a dart into what is left of the cell when its neighbours' discs are taken out, found by
// halving the cell (in the spirit of Ebeida 2012), so that after one visit a cell has its point or has no room. Blocks
// that do not touch are filled at the same time, each with random numbers of its own: the result does not depend on the
// threads.
#include "sample/poisson.h"

#include "base/error.h"
#include "base/parallel.h"
#include "sample/random.h"

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
    for (int i = 0; i < D; ++i) {
      stride_[i] = cells;
      cells *= size_[i] + 2 * reach;
      count_ *= static_cast<std::size_t>(size_[i]);
    }
    if (cells > 0xffffffff)
      fail(Exit::resources,
           "Poisson-disc sampling of the {} would need {:.3g} cells, more than it can count; use a lattice",
           shape.name(), static_cast<double>(cells));
    points_.resize(static_cast<std::size_t>(cells));
    full_.resize(points_.size());
    covered_.resize(points_.size());
  }

  std::vector<Vec3d> fill() {
    // Blocks of one colour have another block between them, which is wider than a disc.
    Cell blocks{};
    for (int i = 0; i < D; ++i) blocks[i] = static_cast<std::int32_t>((size_[i] + block_side - 1) / block_side);
    for (int color = 0; color < (1 << D); ++color) {
      std::array<std::size_t, 3> n{1, 1, 1};
      for (int i = 0; i < D; ++i)
        n[static_cast<std::size_t>(i)] = static_cast<std::size_t>(blocks[i] + 1 - (color >> i & 1)) / 2;
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

  Cell cell(std::size_t n) const {
    Cell c{};
    for (int i = 0; i < D; ++i) {
      c[i] = static_cast<std::int32_t>(n % static_cast<std::size_t>(size_[i]));
      n /= static_cast<std::size_t>(size_[i]);
    }
    return c;
  }
  // Where a cell's point is kept; a rim of cells that stay empty spares the question whether a neighbour exists.
  std::size_t index(const Cell& c) const {
    std::int64_t at = 0;
    for (int i = 0; i < D; ++i) at += (c[i] + reach) * stride_[i];
    return static_cast<std::size_t>(at);
  }

  // Visits the cells of a block that the shape may reach into, shuffled.
  void fill_block(const Cell& block) {
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
    RandomAt random(seed_, index(block));
    for (int n = count - 1; n > 0; --n) std::swap(cells[n], cells[random.below(n + 1)]);
    for (int n = 0; n < count; ++n) visit(cells[n], random);
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
  void look_around(const Cell& c, Around& around) const {
    const std::int64_t center = static_cast<std::int64_t>(index(c));
    const int depth = D == 3 ? reach : 0;
    for (int z = -depth; z <= depth; ++z)
      for (int y = -reach; y <= reach; ++y) {
        std::int64_t first = center - reach + y * stride_[1];
        if constexpr (D == 3) first += z * stride_[2];
        // Five bytes at once: most rows have no point or one.
        std::uint32_t four;
        std::memcpy(&four, &full_[static_cast<std::size_t>(first)], 4);
        std::uint64_t full = four | std::uint64_t(full_[static_cast<std::size_t>(first) + 4]) << 32;
        for (; full != 0; full &= full - 1) {
          const int x = std::countr_zero(full) / 8;
          Point p = points_[static_cast<std::size_t>(first + x)];
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
  bool throw_into(const Cell& c, const Around& around, const Point& lo, float side, int depth, RandomAt& random) {
    const float half = side / 2;
    const Point center = lo + Point::filled(half);
    if (around.within(center, half, r2)) return false;  // one disc covers all of it
    if (depth < halvings && inside_.misses(place(c, center), radius_ / 2 * static_cast<double>(side))) return false;
    Point dart{};
    for (int i = 0; i < D; ++i) dart[i] = lo[i] + side * static_cast<float>(random.unit());
    const bool free = !around.within(dart, 0, r2);
    if (free && inside_(place(c, dart))) {
      put(c, dart);
      return true;
    }
    if (depth == 0) return false;
    const int start = random.below(1 << D);
    for (int k = 0; k < (1 << D); ++k) {
      const int corner = (k * 3 + start) & ((1 << D) - 1);
      Point child = lo;
      for (int i = 0; i < D; ++i)
        if (corner >> i & 1) child[i] += half;
      if (throw_into(c, around, child, half, depth - 1, random)) return true;
    }
    return false;
  }

  // Keeps a point, and notes which cells next to it its disc covers whole.
  void put(const Cell& c, const Point& p) {
    const std::int64_t center = static_cast<std::int64_t>(index(c));
    points_[static_cast<std::size_t>(center)] = p;
    full_[static_cast<std::size_t>(center)] = 1;
    for (int n = 0; n < (D == 2 ? 9 : 27); ++n) {
      const int step[3] = {n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1};
      std::int64_t at = center;
      float d2 = 0;
      for (int i = 0; i < D; ++i) {
        const float d = std::abs(p[i] - static_cast<float>(step[i]) - 0.5f) + 0.5f;
        d2 += d * d;
        at += step[i] * stride_[i];
      }
      if (d2 < r2) covered_[static_cast<std::size_t>(at)] = 1;
    }
  }

  void visit(const Cell& c, RandomAt& random) {
    if (covered_[index(c)]) return;
    Around around;
    look_around(c, around);
    throw_into(c, around, Point::zero(), 1, halvings, random);
  }

  std::vector<Vec3d> gather() const {
    std::vector<Vec3d> result;
    for (std::size_t n = 0; n < count_; ++n) {
      const Cell c = cell(n);
      if (const Point& p = points_[index(c)]; full_[index(c)]) result.push_back(place(c, p));
    }
    return result;
  }

  double radius_;
  std::uint64_t seed_;
  Bounds box_;
  double width_;
  InsideTest inside_;
  std::array<std::int64_t, D> size_{}, stride_{};
  std::size_t count_ = 1;  // cells, without the rim
  std::vector<Point> points_;
  std::vector<std::uint8_t> full_, covered_;  // 1 for a cell that has a point; for one that a single disc covers
};

}  // namespace

std::vector<Vec3d> poisson_points(const Shape& shape, int dim, double radius, std::uint64_t seed) {
  return dim == 2 ? PoissonGrid<2>(shape, radius, seed).fill() : PoissonGrid<3>(shape, radius, seed).fill();
}

}  // namespace knead
