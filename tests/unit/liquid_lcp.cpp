// The solvers of the liquid's pressure problem, each against projected Gauss-Seidel run to rounding.
#include "liquid/sparse_lcp.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
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

template <int D>
void linear_without_bounds(int side) {
  GridProblem<D> p(side, 5);
  const std::vector<double> none(p.q.size(), -1e30);
  LcpSolver<D> solver;
  std::vector<double> q(p.q.size(), 0.0);
  const LcpReport report = solver.solve(p.system(), p.b, none, q, LcpMethod::multigrid, 1e-11, 500);
  EXPECT_TRUE(report.converged);
  EXPECT_LT(*std::min_element(q.begin(), q.end()), -0.1);  // bounds would have been felt
  for (std::size_t i = 0; i < q.size(); ++i) {
    const auto [diagonal, others] = p.is_unknown(i) ? p.row(i, q) : std::pair(0.0, -p.b[i]);
    EXPECT_NEAR(diagonal * q[i] + others + p.b[i], 0, 1e-10);
  }
}
TEST(liquid_lcp, without_bounds_it_is_a_linear_solve) {
  linear_without_bounds<2>(30);
  linear_without_bounds<3>(11);
}

TEST(liquid_lcp, a_start_near_the_answer_costs_less) {
  GridProblem<3> p(20, 3);
  LcpSolver<3> solver;
  std::vector<double> q(p.q.size(), 0.0);
  const LcpReport cold = solver.solve(p.system(), p.b, {}, q, LcpMethod::multigrid, 1e-6, 500);
  for (double& b : p.b) b *= 1.001;
  const LcpReport warm = solver.solve(p.system(), p.b, {}, q, LcpMethod::multigrid, 1e-6, 500);
  EXPECT_TRUE(cold.converged && warm.converged);
  EXPECT_LT(warm.iterations, cold.iterations);
}

TEST(liquid_lcp, any_number_of_threads_gives_the_same_bits) {
  GridProblem<3> p(24, 7);
  std::vector<std::vector<double>> answers;
  for (const LcpMethod method : {LcpMethod::multigrid, LcpMethod::mprgp})
    for (const int threads : {1, 2, 5}) {
      const ThreadLimit limit(threads);
      LcpSolver<3> solver;
      std::vector<double> q(p.q.size(), 0.0);
      solver.solve(p.system(), p.b, p.lower, q, method, 1e-6, 500);
      if (threads > 1) {
        EXPECT_EQ(q, answers.back());
      }
      answers.push_back(q);
    }
}

// A basin with closed walls and floor, filled to the top layer or up to a lid.
CellGrid basin(int side, bool lid) {
  CellGrid grid({side, side, side});
  for (std::size_t a = 0; a < 3; ++a) {
    std::size_t stride = 1;
    for (std::size_t e = a + 1; e < 3; ++e) stride *= static_cast<std::size_t>(side);
    for (std::size_t f = 0; f < grid.open[a].size(); ++f) {
      const std::size_t at = f / stride % static_cast<std::size_t>(side + 1);
      if (at == 0 || (at == static_cast<std::size_t>(side) && (lid || a != 1))) grid.open[a][f] = 0;
    }
  }
  return grid;
}

TEST(liquid_lcp, a_closed_container_that_is_too_full_is_told_and_evenly_too_full) {
  std::mt19937 random(4);
  std::uniform_real_distribution<double> noise(-1, 1);
  CellGrid grid = basin(9, true);
  for (double& b : grid.b) b = noise(random);
  const double mean = std::accumulate(grid.b.begin(), grid.b.end(), 0.0) / 729;
  for (double& b : grid.b) b -= mean + 0.01;
  for (const LcpMethod method : {LcpMethod::multigrid, LcpMethod::mprgp}) {
    std::vector<double> q(grid.count(), 0.0), w(grid.count());
    const LcpReport report = grid.solve(method, q, 1e-8, 1000);
    EXPECT_TRUE(report.converged);
    EXPECT_EQ(report.infeasible, 729);
    grid.matrix().multiply(q, w);
    for (std::size_t i = 0; i < w.size(); ++i) EXPECT_NEAR(w[i] + grid.b[i], -0.01, 729e-8);  // one may make up for all
  }
  // With room for it there is an answer, and nothing to tell; nor with a way to the air.
  for (double& b : grid.b) b += 0.02;
  std::vector<double> q(grid.count(), 0.0);
  EXPECT_EQ(grid.solve(LcpMethod::multigrid, q, 1e-8, 1000).infeasible, 0);
  CellGrid opened = basin(9, false);
  opened.b.assign(opened.count(), -0.01);
  const LcpReport report = opened.solve(LcpMethod::multigrid, q, 1e-8, 1000);
  EXPECT_TRUE(report.converged);
  EXPECT_EQ(report.infeasible, 0);
}

TEST(liquid_lcp, a_closed_container_without_bounds_is_solved_up_to_a_constant) {
  std::mt19937 random(4);
  std::uniform_real_distribution<double> noise(-1, 1);
  CellGrid grid = basin(12, true);
  grid.lower.assign(grid.count(), -1e30);
  for (double& b : grid.b) b = noise(random);
  const double mean = std::accumulate(grid.b.begin(), grid.b.end(), 0.0) / double(grid.count());
  for (double& b : grid.b) b -= mean;
  std::vector<double> q(grid.count(), 0.0), w(grid.count());
  const LcpReport report = grid.solve(LcpMethod::multigrid, q, 1e-9, 1000);
  EXPECT_TRUE(report.converged);
  EXPECT_EQ(report.infeasible, 0);
  grid.matrix().multiply(q, w);
  for (std::size_t i = 0; i < w.size(); ++i) EXPECT_NEAR(w[i] + grid.b[i], 0, 1e-8);
}

// The preconditioner with all unknowns free, as a symmetric matrix: <x, M y> = <M x, y> > 0.
template <int D>
void symmetric_multigrid(int side) {
  GridProblem<D> p(side, 11);
  CellMatrix<D> matrix;
  matrix.assign(p.system());
  Multigrid<D> multigrid;
  multigrid.assign(matrix);
  multigrid.set_free(p.unknown);
  std::mt19937 random(1);
  std::uniform_real_distribution<float> noise(-1, 1);
  std::vector<float> in[2], out[2];
  double own = 0;
  for (int k = 0; k < 2; ++k) {
    in[k].resize(p.q.size()), out[k].resize(p.q.size());
    for (std::size_t i = 0; i < in[k].size(); ++i) in[k][i] = p.is_unknown(i) ? noise(random) : 0;
    std::copy(in[k].begin(), in[k].end(), multigrid.residual().data());
    own = multigrid.precondition();
    std::copy_n(multigrid.preconditioned().data(), out[k].size(), out[k].begin());
  }
  double across = 0, back = 0, itself = 0;
  for (std::size_t i = 0; i < p.q.size(); ++i)
    if (p.is_unknown(i)) {
      across += double(in[0][i]) * out[1][i], back += double(in[1][i]) * out[0][i],
          itself += double(in[1][i]) * out[1][i];
    }
  EXPECT_NEAR(across, back, 1e-5 * itself);
  EXPECT_NEAR(own, itself, 1e-5 * itself);
  EXPECT_GT(itself, 0);
}
TEST(liquid_lcp, multigrid_is_symmetric) {
  symmetric_multigrid<2>(50);
  symmetric_multigrid<3>(17);
}

// One cycle of multigrid keeps the bounds, where without them it goes below; along it the energy e.L e / 2 - r.e is
// least.
template <int D>
void bounded_multigrid(int side) {
  GridProblem<D> p(side, 13);
  CellMatrix<D> matrix;
  matrix.assign(p.system());
  Multigrid<D> multigrid;
  multigrid.assign(matrix);
  multigrid.set_free(p.unknown);
  const float* scale = multigrid.scale().data();
  std::mt19937 random(1);
  std::uniform_real_distribution<float> noise(-1, 1), share(0, 0.2f);
  std::vector<double> r(p.q.size(), 0.0), e(p.q.size(), 0.0);
  std::vector<float> bounds(p.q.size(), 0.0f);
  for (std::size_t i = 0; i < r.size(); ++i)
    if (p.is_unknown(i)) r[i] = double(noise(random)), bounds[i] = -share(random);
  const auto give = [&] {
    for (std::size_t i = 0; i < r.size(); ++i)
      if (p.is_unknown(i)) multigrid.residual().data()[i] = static_cast<float>(r[i]) * scale[i];
  };
  const auto below = [&] {
    int n = 0;
    for (std::size_t i = 0; i < r.size(); ++i)
      if (p.is_unknown(i)) n += multigrid.preconditioned().data()[i] < bounds[i];
    return n;
  };
  const auto energy = [&](double length) {
    double sum = 0;
    for (std::size_t i = 0; i < e.size(); ++i)
      if (p.is_unknown(i)) {
        const auto [diagonal, others] = p.row(i, e);
        sum += length * e[i] * (0.5 * length * (diagonal * e[i] + others) - r[i]);
      }
    return sum;
  };
  give();
  multigrid.precondition();
  EXPECT_GT(below(), 10);
  give();
  std::copy(bounds.begin(), bounds.end(), multigrid.bounds().data());
  multigrid.bounded_step();
  EXPECT_EQ(below(), 0);
  for (std::size_t i = 0; i < e.size(); ++i)
    if (p.is_unknown(i)) e[i] = double(multigrid.solution().data()[i]) * double(scale[i]);
  EXPECT_LT(energy(1), 0);
  EXPECT_LT(energy(1), std::min(energy(0.99), energy(1.01)));
}
TEST(liquid_lcp, multigrid_within_bounds_keeps_them_and_lowers_the_energy) {
  bounded_multigrid<2>(50);
  bounded_multigrid<3>(17);
}

// Which cells of liquid that is about full carry pressure is a question of noise on all scales. Corrections that see no
// bounds empty wide regions there, and take 13 to 23 iterations to fill them again.
TEST(liquid_lcp, just_full_liquid_takes_few_iterations) {
  for (const unsigned seed : {1u, 2u, 3u}) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> noise(-0.05, 0.05);
    CellGrid grid = basin(48, false);
    for (double& b : grid.b) b = noise(random);
    std::vector<double> q(grid.count(), 0.0), w(grid.count());
    const LcpReport report = grid.solve(LcpMethod::multigrid, q, 1e-4, 100);
    EXPECT_TRUE(report.converged);
    EXPECT_LE(report.iterations, 6);
    grid.matrix().multiply(q, w);
    for (std::size_t i = 0; i < q.size(); ++i) EXPECT_LE(std::abs(std::min(w[i] + grid.b[i], 6 * q[i])), 1.01e-4);
  }
}

TEST(liquid_lcp, mprgp_finishes_what_newton_multigrid_leaves) {
  GridProblem<3> p(13, 9);
  const std::vector<double> expected = p.reference(p.lower);
  LcpSolver<3> solver;
  solver.most_rounds = 1;
  std::vector<double> q(p.q.size(), 0.0);
  const LcpReport report = solver.solve(p.system(), p.b, p.lower, q, LcpMethod::multigrid, 1e-11, 2000);
  EXPECT_TRUE(report.converged);
  EXPECT_EQ(report.outer, 1);
  EXPECT_GT(report.iterations, 2);
  EXPECT_LT(difference(q, expected), 1e-9);
}

// Modified incomplete Cholesky without fill as in the books: what elimination would fill in goes to the diagonals.
template <int D>
void mic0_as_in_the_books(int side) {
  GridProblem<D> p(side, 2, 0.9);
  for (auto& v : p.open)
    for (float& f : v) f = std::max(f, 0.5f);  // no pivot so small that it would be replaced
  std::vector<std::size_t> cells;
  for (std::size_t i = 0; i < p.q.size(); ++i)
    if (p.is_unknown(i)) cells.push_back(i);
  std::sort(cells.begin(), cells.end(), [&](std::size_t a, std::size_t b) {
    for (int axis = 0; axis < D; ++axis)
      if (p.cell(a)[axis] != p.cell(b)[axis]) return p.cell(a)[axis] < p.cell(b)[axis];
    return false;
  });
  const std::size_t n = cells.size();
  std::vector<std::vector<double>> A(n, std::vector<double>(n, 0.0)), K = A;
  for (std::size_t r = 0; r < n; ++r) {
    A[r][r] = p.row(cells[r], p.q).first;
    for (int a = 0; a < D; ++a)
      for (const int way : {-1, 1}) {
        const auto [j, v] = p.next(cells[r], a, way);
        const auto found = std::find(cells.begin(), cells.end(), static_cast<std::size_t>(j));
        if (j >= 0 && found != cells.end()) A[r][static_cast<std::size_t>(found - cells.begin())] = -v;
      }
  }
  const auto pattern = A;
  for (std::size_t k = 0; k < n; ++k) {
    K[k][k] = std::sqrt(A[k][k]);
    for (std::size_t i = k + 1; i < n; ++i) K[i][k] = A[i][k] / K[k][k];
    for (std::size_t i = k + 1; i < n; ++i)
      for (std::size_t j = k + 1; j <= i; ++j) {
        const double update = K[i][k] * K[j][k];
        if (update == 0) continue;
        if (pattern[i][j] != 0)
          A[i][j] -= update, A[j][i] = A[i][j];
        else
          A[i][i] -= 0.97 * update, A[j][j] -= 0.97 * update;
      }
  }
  CellMatrix<D> matrix;
  matrix.assign(p.system());
  CellMic0<D> mic0;
  mic0.assign(matrix);
  std::vector<std::uint8_t> free(p.q.size());
  BlockField<double> r, z;
  matrix.resize(r), matrix.resize(z);
  std::vector<double> x(n);
  for (std::size_t k = 0; k < n; ++k) free[cells[k]] = 1, r.data()[cells[k]] = x[k] = std::sin(double(k + 1));
  mic0.build(free);
  mic0.apply(r, z);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < i; ++j) x[i] -= K[i][j] * x[j];
    x[i] /= K[i][i];
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t j = i + 1; j < n; ++j) x[i] -= K[j][i] * x[j];
    x[i] /= K[i][i];
  }
  for (std::size_t k = 0; k < n; ++k) EXPECT_NEAR(z.data()[cells[k]], x[k], 1e-12);
}
TEST(liquid_lcp, mic0_over_blocks_is_the_lexicographic_factor) {
  mic0_as_in_the_books<2>(13);
  mic0_as_in_the_books<3>(6);
}

TEST(liquid_lcp, random_m_matrices_are_solved_by_all_methods) {
  std::mt19937 random(12);
  std::uniform_real_distribution<double> share(0, 1);
  for (int problem = 0; problem < 40; ++problem) {
    const std::size_t n = 5 + random() % 116;
    std::vector<SparseMatrix::Entry> entries;
    std::vector<double> diagonal(n, 0.0), b(n), lower(n, 0.0);
    for (std::size_t k = 0; k < 3 * n; ++k) {
      const std::size_t i = random() % n, j = random() % n;
      const double v = share(random);
      if (i == j) continue;
      entries.push_back({i, j, -v}), entries.push_back({j, i, -v});
      diagonal[i] += v, diagonal[j] += v;
    }
    for (std::size_t i = 0; i < n; ++i) {
      entries.push_back({i, i, diagonal[i] + 0.02 + 0.3 * share(random)});
      b[i] = 2 * share(random) - 1;
      if (problem % 2) lower[i] = -share(random);
    }
    const SparseMatrix matrix(n, entries);
    std::vector<double> expected(n, 0.0), w(n);
    ASSERT_TRUE(solve_by_gauss_seidel(matrix, b, lower, expected, 1e-14, 100000).residual < 1e-13);
    for (const Expansion expansion : {Expansion::standard, Expansion::projected}) {
      std::vector<double> q(n, 0.0);
      EXPECT_TRUE(solve_by_mprgp(matrix, b, lower, q, expansion, 1e-12, 5000).converged);
      EXPECT_LT(difference(q, expected), 1e-9);
      matrix.multiply(q, w);
      for (std::size_t i = 0; i < n; ++i) {
        EXPECT_GT(w[i] + b[i], -1e-9);
        EXPECT_LT(std::abs((q[i] - lower[i]) * (w[i] + b[i])), 1e-8);
      }
    }
  }
}

// Problems on which pivoting methods need exponentially many steps; both have the answer e1.
SparseMatrix ones_and_twos(std::size_t n, bool squared) {
  std::vector<SparseMatrix::Entry> entries;
  const auto L = [](std::size_t i, std::size_t j) { return i == j ? 1.0 : i > j ? 2.0 : 0.0; };
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      double value = 0;
      for (std::size_t k = 0; k < n && squared; ++k) value += L(i, k) * L(j, k);
      if (!squared) value = L(i, j);
      if (value != 0) entries.push_back({i, j, value});
    }
  return SparseMatrix(n, entries);
}
TEST(liquid_lcp, murty_by_gauss_seidel_and_fathi_by_mprgp) {
  for (std::size_t n : {8u, 16u, 32u, 64u}) {
    const std::vector<double> b(n, -1.0), zero(n, 0.0);
    std::vector<double> expected(n, 0.0), murty(n, 0.0), fathi(n, 0.0);
    expected[0] = 1;
    EXPECT_TRUE(ones_and_twos(n, false).unsymmetric());
    EXPECT_TRUE(solve_by_gauss_seidel(ones_and_twos(n, false), b, zero, murty, 1e-12, 1000).converged);
    EXPECT_LT(difference(murty, expected), 1e-8);
    EXPECT_FALSE(ones_and_twos(n, true).unsymmetric());
    const LcpReport report = solve_by_mprgp(ones_and_twos(n, true), b, zero, fathi, Expansion::projected, 1e-10, 5000);
    EXPECT_TRUE(report.converged) << n << ": " << report.residual;
    EXPECT_LT(difference(fathi, expected), 1e-8) << n;
  }
}

TEST(liquid_lcp, a_string_over_a_floor_lies_on_it_from_a_quarter_on) {
  const int n = 199;  // between the ends of 200 cells, in a row of cells closed to either side
  const double h = 1.0 / 200;
  CellGrid row({n, 1});
  row.open[1].assign(row.open[1].size(), 0);
  row.b.assign(row.count(), 32 * h * h);
  row.b.front() -= 1, row.b.back() -= 1;
  for (const LcpMethod method : {LcpMethod::multigrid, LcpMethod::mprgp}) {
    std::vector<double> u(row.count(), 0.0);
    EXPECT_TRUE(row.solve(method, u, 1e-13, 5000).converged);
    for (int i = 0; i < n; ++i) {
      const double x = (i + 1) * h, free = std::max(0.0, 0.25 - std::min(x, 1 - x));
      EXPECT_NEAR(u[static_cast<std::size_t>(i)], 16 * free * free, 1e-8);
    }
  }
}

// A membrane over the unit hemisphere on [-2, 2]^2; its exact shape is known (PETSc, snes/tutorials/ex9.c).
double membrane_error(int points) {
  constexpr double contact = 0.697965148223374, A = 0.680259411891719, B = 0.471519893402112;
  const double h = 4.0 / (points - 1);
  const auto radius = [&](int i, int j) { return std::hypot(-2 + i * h, -2 + j * h); };
  const auto exact = [&](double r) { return r <= contact ? std::sqrt(1 - r * r) : -A * std::log(r) + B; };
  const auto obstacle = [](double r) {  // beyond 0.9 straight on, down to where it is of no account
    const double edge = std::sqrt(1 - 0.81);
    return r <= 0.9 ? std::sqrt(1 - r * r) : edge - 0.9 / edge * (r - 0.9);
  };
  CellGrid grid({points - 2, points - 2});
  std::vector<double> u(grid.count(), 0.0);
  for (int i = 1, c = 0; i < points - 1; ++i)
    for (int j = 1; j < points - 1; ++j, ++c) {
      grid.lower[static_cast<std::size_t>(c)] = obstacle(radius(i, j));
      for (const auto& [p, q] : {std::pair(i - 1, j), {i + 1, j}, {i, j - 1}, {i, j + 1}})
        if (p == 0 || q == 0 || p == points - 1 || q == points - 1)
          grid.b[static_cast<std::size_t>(c)] -= exact(radius(p, q));
    }
  EXPECT_TRUE(grid.solve(LcpMethod::multigrid, u, 1e-10, 5000).converged);
  double error = 0;
  for (int i = 1, c = 0; i < points - 1; ++i)
    for (int j = 1; j < points - 1; ++j, ++c)
      error = std::max(error, std::abs(u[static_cast<std::size_t>(c)] - exact(radius(i, j))));
  return error;
}
TEST(liquid_lcp, a_membrane_over_a_ball_converges_to_its_exact_shape) {
  EXPECT_LT(membrane_error(65), 4e-3);
  EXPECT_GT(std::log2(membrane_error(33) / membrane_error(129)) / 2, 1.5);
}

}  // namespace
}  // namespace knead
