// The solvers of the liquid's pressure problem, each against projected Gauss-Seidel run to rounding.
#include "liquid/lcp.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace knead {
namespace {

// Random unknowns and open shares in a box of cells, some faces of them closed.
template <int D>
struct GridProblem {
  using Layout = BlockLayout<D>;
  BlockSet<D> blocks;
  std::vector<std::uint64_t> unknown;
  std::array<std::vector<float>, D> open;
  std::vector<double> b, lower, q;

  GridProblem(int side, unsigned seed, double filled = 0.8) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> share(0, 1), sign(-1, 1);
    std::vector<BlockKey> keys;
    const auto for_cells = [&](auto&& f) {
      int n = 1;
      for (int a = 0; a < D; ++a) n *= side;
      for (int i = 0; i < n; ++i) {
        Vec<int, D> cell{};
        for (int a = D - 1, rest = i; a >= 0; --a, rest /= side) cell[a] = rest % side - 3;
        f(cell);
      }
    };
    for_cells([&](const Vec<int, D>& cell) { keys.push_back(block_key(Layout::block_of(cell))); });
    blocks.assign_around(keys);
    const std::size_t n = 64 * blocks.count();
    unknown.assign(blocks.count(), 0);
    for (auto& v : open) {
      v.resize(n);
      for (float& f : v)
        f = share(random) < 0.1 ? 0.0f : share(random) < 0.5 ? 1.0f : static_cast<float>(0.05 + 0.95 * share(random));
    }
    b.assign(n, 0), lower.assign(n, 0), q.assign(n, 0);
    for_cells([&](const Vec<int, D>& cell) {
      if (share(random) > filled) return;
      const int block = blocks.find(block_key(Layout::block_of(cell)));
      const int at = Layout::node_index(cell);
      unknown[block] |= std::uint64_t(1) << at;
      b[64 * block + at] = sign(random);
      lower[64 * block + at] = share(random) < 0.5 ? 0 : -share(random);
    });
    for (std::size_t i = 0; i < n; ++i)  // the others wait for what they do not get
      if (!is_unknown(i)) b[i] = -7, lower[i] = -7;
  }

  CellSystem<D> system() const {
    CellSystem<D> s{&blocks, unknown, {}};
    for (int a = 0; a < D; ++a) s.open[a] = open[a];
    return s;
  }
  bool is_unknown(std::size_t i) const { return unknown[i / 64] >> (i % 64) & 1; }
  Vec<int, D> cell(std::size_t i) const {
    return blocks.first_cell(i / 64) + Layout::node_offset(static_cast<int>(i % 64));
  }
  // The cell next to it, or -1, and the open share between them.
  std::pair<long, double> next(std::size_t i, int axis, int way) const {
    Vec<int, D> there = cell(i);
    there[axis] += way;
    const int block = blocks.find(block_key(Layout::block_of(there)));
    const long j = block < 0 ? -1 : 64l * block + Layout::node_index(there);
    return {j, open[axis][way < 0 ? i : static_cast<std::size_t>(j)]};
  }
  // Diagonal of L and the sum of the other entries times x, straight from the definition.
  std::pair<double, double> row(std::size_t i, const std::vector<double>& x) const {
    double diagonal = 0, others = 0;
    for (int a = 0; a < D; ++a)
      for (int way : {-1, 1}) {
        const auto [j, v] = next(i, a, way);
        diagonal += v;
        if (j >= 0 && is_unknown(static_cast<std::size_t>(j))) others -= v * x[static_cast<std::size_t>(j)];
      }
    return {diagonal, others};
  }
  // Projected Gauss-Seidel until nothing moves.
  std::vector<double> reference(const std::vector<double>& bound) const {
    std::vector<double> x(q.size(), 0.0);
    for (int sweep = 0; sweep < 200000; ++sweep) {
      double moved = 0;
      for (std::size_t i = 0; i < x.size(); ++i)
        if (is_unknown(i)) {
          const auto [diagonal, others] = row(i, x);
          const double l = bound.empty() ? 0 : bound[i];
          const double value = diagonal > 0 ? std::max(l, -(others + b[i]) / diagonal) : l;
          moved = std::max(moved, std::abs(value - x[i]));
          x[i] = value;
        }
      if (moved < 1e-14) return x;
    }
    ADD_FAILURE() << "the reference did not converge";
    return x;
  }
};

double difference(const std::vector<double>& a, const std::vector<double>& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]));
  return most;
}

template <int D>
void agree_with_gauss_seidel(int side, unsigned seed) {
  GridProblem<D> p(side, seed);
  LcpSolver<D> solver;
  for (const std::vector<double>& bound : {std::vector<double>{}, p.lower}) {
    const std::vector<double> expected = p.reference(bound);
    for (LcpMethod method : {LcpMethod::multigrid, LcpMethod::mprgp}) {
      std::vector<double> q(p.q.size(), 0.0);
      const LcpReport report = solver.solve(p.system(), p.b, bound, q, method, 1e-11, 2000);
      EXPECT_TRUE(report.converged) << report.residual;
      EXPECT_LT(difference(q, expected), 1e-9) << "seed " << seed << " method " << int(method);
    }
  }
}

TEST(liquid_lcp, all_methods_agree_with_projected_gauss_seidel_in_2d) {
  for (unsigned seed = 1; seed <= 6; ++seed) agree_with_gauss_seidel<2>(5 + 4 * static_cast<int>(seed), seed);
}
TEST(liquid_lcp, all_methods_agree_with_projected_gauss_seidel_in_3d) {
  for (unsigned seed = 1; seed <= 4; ++seed) agree_with_gauss_seidel<3>(3 + 2 * static_cast<int>(seed), seed);
}

}  // namespace
}  // namespace knead
