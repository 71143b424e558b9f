// The same complementarity problem for any sparse matrix, and for grids given as plain lists: what `knead lcp` solves.
#pragma once

#include "liquid/lcp.h"

#include <optional>
#include <utility>

namespace knead {

// Rows one after another, columns ascending within each.
class SparseMatrix {
 public:
  struct Entry {
    std::size_t row, column;
    double value;
  };
  // Entries at one place are added.
  SparseMatrix(std::size_t size, std::vector<Entry> entries);

  std::span<const std::pair<std::size_t, double>> row(std::size_t i) const {
    return std::span(entries_).subspan(first_[i], first_[i + 1] - first_[i]);
  }
  double at(std::size_t row, std::size_t column) const;
  // Row and column of an entry that differs from its mirror image by more than rounding.
  std::optional<std::pair<std::size_t, std::size_t>> unsymmetric() const;

  using Vector = std::vector<double>;
  std::size_t size() const { return first_.size() - 1; }
  void resize(Vector& v) const { v.assign(size(), 0); }
  void multiply(const Vector& x, Vector& out) const;
  double norm_bound() const;  // the largest sum of a row's magnitudes

 private:
  std::vector<std::size_t> first_;
  std::vector<std::pair<std::size_t, double>> entries_;  // column and value
};

// Incomplete Cholesky factorisation without fill, on the free rows; a pivot that would vanish is the diagonal's.
class SparseIc0 {
 public:
  explicit SparseIc0(const SparseMatrix& matrix) : matrix_(matrix) {}
  void build(std::span<const std::uint8_t> free);
  void apply(const std::vector<double>& phi, std::vector<double>& z);

 private:
  const SparseMatrix& matrix_;
  std::vector<std::vector<std::pair<std::size_t, double>>> rows_;  // of the factor, left of the diagonal
  std::vector<double> diagonal_;                                   // of the factor; 0 where not free
};

// What is wrong with an answer, max_i |min(w_i, L_ii (q_i - l_i))|; NaN where a number of it is not finite.
double residual(const SparseMatrix&, const std::vector<double>& b, const std::vector<double>& lower,
                const std::vector<double>& q);

// For symmetric positive definite matrices.
LcpReport solve_by_mprgp(const SparseMatrix&, const std::vector<double>& b, const std::vector<double>& lower,
                         std::vector<double>& q, Expansion, double tolerance, int most_iterations);
// Projected Gauss-Seidel, for any matrix with a positive diagonal; it converges at least for M-matrices, symmetric
// positive definite and triangular ones. An iteration is a sweep.
LcpReport solve_by_gauss_seidel(const SparseMatrix&, const std::vector<double>& b, const std::vector<double>& lower,
                                std::vector<double>& q, double tolerance, int most_sweeps);

// A box of cells, air around it. Lists run over the last axis fastest; faces along an axis are one more than cells.
struct CellGrid {
  std::vector<int> cells;                // along each of two or three axes
  std::vector<std::uint8_t> unknown;     // 0 or 1 a cell
  std::vector<std::vector<float>> open;  // for each axis, v_f of its faces
  std::vector<double> b, lower;

  explicit CellGrid(std::vector<int> shape);  // all open, all unknown, b = 0, lower = 0
  std::size_t count() const { return unknown.size(); }
  SparseMatrix matrix()
      const;  // with ones on the diagonal of cells that are no unknowns, and of those without any open face
  LcpReport solve(LcpMethod, std::vector<double>& q, double tolerance, int most_iterations) const;
};

}  // namespace knead
