#include "liquid/sparse_lcp.h"

#include <algorithm>
#include <cmath>

namespace knead {

SparseMatrix::SparseMatrix(std::size_t size, std::vector<Entry> entries) : first_(size + 1, 0) {
  std::stable_sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return std::pair(a.row, a.column) < std::pair(b.row, b.column);
  });
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const Entry& e = entries[i];
    if (i > 0 && entries[i - 1].row == e.row && entries[i - 1].column == e.column) {
      entries_.back().second += e.value;
    } else {
      entries_.emplace_back(e.column, e.value);
      ++first_[e.row + 1];
    }
  }
  for (std::size_t i = 0; i < size; ++i) first_[i + 1] += first_[i];
}

double SparseMatrix::at(std::size_t i, std::size_t column) const {
  const auto entries = row(i);
  const auto found = std::lower_bound(entries.begin(), entries.end(), column,
                                      [](const auto& entry, std::size_t c) { return entry.first < c; });
  return found != entries.end() && found->first == column ? found->second : 0;
}

std::optional<std::pair<std::size_t, std::size_t>> SparseMatrix::unsymmetric() const {
  for (std::size_t i = 0; i < size(); ++i)
    for (const auto& [j, value] : row(i))
      if (const double mirror = at(j, i);
          std::abs(value - mirror) > 1e-12 * std::max(std::abs(value), std::abs(mirror)))
        return std::pair(i, j);
  return std::nullopt;
}

void SparseMatrix::multiply(const Vector& x, Vector& out) const {
  parallel_for(size(), 1024, [&](std::size_t i) {
    double sum = 0;
    for (const auto& [j, value] : row(i)) sum += value * x[j];
    out[i] = sum;
  });
}

double SparseMatrix::norm_bound() const {
  double most = 0;
  for (std::size_t i = 0; i < size(); ++i) {
    double sum = 0;
    for (const auto& [j, value] : row(i)) sum += std::abs(value);
    most = std::max(most, sum);
  }
  return most;
}

void SparseIc0::build(std::span<const std::uint8_t> free) {
  const std::size_t n = matrix_.size();
  rows_.resize(n);
  diagonal_.assign(n, 0);
  // sum over k of L_ik L_jk, k < j: both rows are sorted
  const auto overlap = [&](std::size_t i, std::size_t j) {
    double sum = 0;
    auto a = rows_[i].begin(), b = rows_[j].begin();
    while (a != rows_[i].end() && b != rows_[j].end())
      if (a->first == b->first)
        sum += a++->second * b++->second;
      else
        a->first < b->first ? ++a : ++b;
    return sum;
  };
  for (std::size_t i = 0; i < n; ++i) {
    rows_[i].clear();
    if (!free[i]) continue;
    double pivot = matrix_.at(i, i);
    for (const auto& [j, value] : matrix_.row(i)) {
      if (j >= i) break;
      if (free[j]) rows_[i].emplace_back(j, (value - overlap(i, j)) / diagonal_[j]);
    }
    const double own = pivot;
    for (const auto& [j, value] : rows_[i]) pivot -= value * value;
    diagonal_[i] = std::sqrt(pivot > 1e-12 * own ? pivot : own);
  }
}

void SparseIc0::apply(const std::vector<double>& phi, std::vector<double>& z) {
  const std::size_t n = matrix_.size();
  for (std::size_t i = 0; i < n; ++i) {
    double sum = phi[i];
    for (const auto& [j, value] : rows_[i]) sum -= value * z[j];
    z[i] = diagonal_[i] > 0 ? sum / diagonal_[i] : 0;
  }
  for (std::size_t i = n; i-- > 0;) {
    if (!(diagonal_[i] > 0)) continue;
    z[i] /= diagonal_[i];
    for (const auto& [j, value] : rows_[i]) z[j] -= value * z[i];
  }
}

double residual(const SparseMatrix& matrix, const std::vector<double>& b, const std::vector<double>& lower,
                const std::vector<double>& q) {
  std::vector<double> w(matrix.size());
  matrix.multiply(q, w);
  double most = 0;
  for (std::size_t i = 0; i < w.size(); ++i) {
    const double wi = w[i] + b[i], room = matrix.at(i, i) * (q[i] - lower[i]);
    most = worse(most, std::isfinite(wi + room) ? std::abs(std::min(wi, room)) : std::nan(""));
  }
  return most;
}

LcpReport solve_by_mprgp(const SparseMatrix& matrix, const std::vector<double>& b, const std::vector<double>& lower,
                         std::vector<double>& q, Expansion expansion, double tolerance, int most_iterations) {
  SparseIc0 preconditioner(matrix);
  Mprgp<SparseMatrix> solver;
  return solver.solve(matrix, preconditioner, b, lower, q, expansion, tolerance, most_iterations);
}

LcpReport solve_by_gauss_seidel(const SparseMatrix& matrix, const std::vector<double>& b,
                                const std::vector<double>& lower, std::vector<double>& q, double tolerance,
                                int most_sweeps) {
  const std::size_t n = matrix.size();
  LcpReport report;
  for (std::size_t i = 0; i < n; ++i) q[i] = std::max(q[i], lower[i]);
  while (true) {
    report.residual = residual(matrix, b, lower, q), ++report.products;
    report.converged = report.residual <= tolerance;
    if (report.converged || report.iterations >= most_sweeps || !std::isfinite(report.residual)) return report;
    // Looking costs as much as a sweep.
    for (int sweep = 0; sweep < 10 && report.iterations < most_sweeps; ++sweep, ++report.iterations)
      for (std::size_t i = 0; i < n; ++i) {
        double others = b[i], own = 0;
        for (const auto& [j, value] : matrix.row(i)) j == i ? own = value : others += value * q[j];
        q[i] = std::max(lower[i], -others / own);
      }
  }
}

CellGrid::CellGrid(std::vector<int> shape) : cells(std::move(shape)) {
  std::size_t all = 1;
  for (const int n : cells) all *= static_cast<std::size_t>(n);
  unknown.assign(all, 1), b.assign(all, 0), lower.assign(all, 0);
  for (const int n : cells)
    open.emplace_back(all / static_cast<std::size_t>(n) * (static_cast<std::size_t>(n) + 1), 1.0f);
}

namespace {

// The place of a cell, or of the face below it along an axis, in the lists.
std::size_t place(const std::vector<int>& cells, const std::vector<int>& at, int faces_of = -1) {
  std::size_t index = 0;
  for (std::size_t a = 0; a < cells.size(); ++a)
    index = index * static_cast<std::size_t>(cells[a] + (static_cast<int>(a) == faces_of)) +
            static_cast<std::size_t>(at[a]);
  return index;
}
// f(coordinates) of every cell of a box, the last axis fastest.
template <class F>
void for_each_cell(const std::vector<int>& cells, F&& f) {
  std::vector<int> at(cells.size(), 0);
  while (true) {
    f(at);
    std::size_t a = cells.size();
    while (a > 0 && ++at[a - 1] == cells[a - 1]) at[--a] = 0;
    if (a == 0) return;
  }
}

template <int D>
LcpReport solve_on_blocks(const CellGrid& grid, LcpMethod method, std::vector<double>& q, double tolerance,
                          int most_iterations) {
  using Layout = BlockLayout<D>;
  const auto coordinates = [](const std::vector<int>& at) {
    Vec<int, D> cell{};
    for (int a = 0; a < D; ++a) cell[a] = at[static_cast<std::size_t>(a)];
    return cell;
  };
  std::vector<BlockKey> keys;
  for_each_cell(grid.cells, [&](const std::vector<int>& at) {
    if (const BlockKey key = block_key(Layout::block_of(coordinates(at))); keys.empty() || keys.back() != key)
      keys.push_back(key);
  });
  BlockSet<D> blocks;
  blocks.assign_around(keys);
  const std::size_t n = 64 * blocks.count();
  const auto index = [&](const std::vector<int>& at) {
    const Vec<int, D> cell = coordinates(at);
    return 64 * static_cast<std::size_t>(blocks.find(block_key(Layout::block_of(cell)))) +
           static_cast<std::size_t>(Layout::node_index(cell));
  };
  std::vector<std::uint64_t> unknown(blocks.count(), 0);
  std::array<std::vector<float>, D> open;
  std::vector<double> b(n, 0.0), lower(n, 0.0), values(n, 0.0);
  CellSystem<D> system{&blocks, {}, {}};
  for (int a = 0; a < D; ++a) {
    std::vector<int> faces = grid.cells;
    ++faces[static_cast<std::size_t>(a)];
    open[static_cast<std::size_t>(a)].assign(n, 0);
    for_each_cell(faces, [&](const std::vector<int>& at) {
      open[static_cast<std::size_t>(a)][index(at)] = grid.open[static_cast<std::size_t>(a)][place(grid.cells, at, a)];
    });
    system.open[static_cast<std::size_t>(a)] = open[static_cast<std::size_t>(a)];
  }
  for_each_cell(grid.cells, [&](const std::vector<int>& at) {
    const std::size_t from = place(grid.cells, at), to = index(at);
    unknown[to / 64] |= std::uint64_t(grid.unknown[from] != 0) << (to % 64);
    b[to] = grid.b[from], lower[to] = grid.lower[from], values[to] = q[from];
  });
  system.unknown = unknown;
  LcpSolver<D> solver;
  const LcpReport report = solver.solve(system, b, lower, values, method, tolerance, most_iterations);
  for_each_cell(grid.cells, [&](const std::vector<int>& at) { q[place(grid.cells, at)] = values[index(at)]; });
  return report;
}

}  // namespace

SparseMatrix CellGrid::matrix() const {
  std::vector<SparseMatrix::Entry> entries;
  for_each_cell(cells, [&](const std::vector<int>& at) {
    const std::size_t i = place(cells, at);
    double diagonal = 0;
    for (std::size_t a = 0; a < cells.size() && unknown[i]; ++a)
      for (const int up : {0, 1}) {
        std::vector<int> face = at, next = at;
        face[a] += up, next[a] += up ? 1 : -1;
        const double v = open[a][place(cells, face, static_cast<int>(a))];
        diagonal += v;
        if (next[a] < 0 || next[a] >= cells[a] || v == 0) continue;
        if (const std::size_t j = place(cells, next); unknown[j]) entries.push_back({i, j, -v});
      }
    entries.push_back({i, i, diagonal > 0 ? diagonal : 1});
  });
  return SparseMatrix(count(), std::move(entries));
}

LcpReport CellGrid::solve(LcpMethod method, std::vector<double>& q, double tolerance, int most_iterations) const {
  return cells.size() == 2 ? solve_on_blocks<2>(*this, method, q, tolerance, most_iterations)
                           : solve_on_blocks<3>(*this, method, q, tolerance, most_iterations);
}

}  // namespace knead
