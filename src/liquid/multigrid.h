// Multigrid on the free cells: an approximate inverse of L_FF, and conjugate gradients with it (the part of a pressure
// solve that costs time). Cells are joined by 2^D; the coarse matrix is half of R L P with P the copy and R the sum,
// half because the coarse gradient spans twice the distance, which keeps the structure of L.
//
// All of it is in single precision and scaled: with d the diagonal of L_FF and x = d^-1/2 x^, the matrix is
//   A^ = d^-1/2 L_FF d^-1/2,    unit diagonal, couplings c_f = v_f / sqrt(d d'), eigenvalues in (0, 2),
// so that cells that are not free have couplings 0 and need no further question. Smoothing is by Chebyshev polynomials
// in A^, symmetric by nature and independent of any order. What single precision leaves is removed by the caller, who
// takes residuals in double precision (iterative refinement).
//
// With bounds x >= l the same cycle stays above them on all levels (monotone multigrid, Kornhuber 1994; Graeser and
// Kornhuber 2009, section 5): a coarse cell may go down as far as the first of its cells that meets its bound. Without
// this, liquid that is about full is taken below its bounds in wide regions, of which only a few cells belong there.
#pragma once

#include "liquid/cell_matrix.h"

#include <memory>

namespace knead {

template <int D>
class Multigrid {
 public:
  // The levels; to be called when blocks, unknowns or open shares change. The matrix must outlive the use.
  void assign(const CellMatrix<D>&);
  // The free cells, a bit each, within the unknowns: all values of the levels. `closed` are cells without a way to
  // the air, whose matrix may be singular: their diagonal is raised a little.
  void set_free(std::span<const std::uint64_t> free, std::span<const std::uint64_t> closed = {});

  // d^-1/2, 0 off the free cells. A right-hand side r is given as residual() = scale() r; results x come as x^ = x /
  // scale().
  const BlockField<float>& scale() const { return levels_.front().scale; }
  BlockField<float>& residual() { return levels_.front().r; }

  // preconditioned() = M^-1 residual(), one V-cycle; gives their product. Symmetric and positive definite.
  double precondition();
  const BlockField<float>& preconditioned() const { return levels_.front().x; }

  // Conjugate gradients for L_FF e = r, until no entry of the residual is above `enough` or `most` iterations are done;
  // gives their number.
  int solve(double enough, int most);
  const BlockField<float>& solution() const { return solution_; }

  // solution() = a step towards e >= l, L_FF e >= r, one of them an equality: one V-cycle that stays within the bounds,
  // as long as makes the energy e.L e / 2 - r.e least. bounds() = l / scale(), 0 off the free cells.
  void bounded_step();
  BlockField<float>& bounds() { return levels_.front().least; }

  // A start for x >= 0, L x >= r, one of them 0: coarse grids first, each from the one before. For use with all
  // unknowns free.
  void nested_start();

  std::size_t levels() const { return count_; }
  std::size_t bytes() const;

 private:
  struct Level {
    BlockSet<D> own;                                     // coarse levels
    BlockOrder order;                                    // the blocks that are worked on
    std::vector<typename CellMatrix<D>::Beside> beside;  // of each block
    std::vector<std::uint32_t> parent;                   // of each block, on the next level
    std::vector<std::uint8_t> octant;                    // which part of the parent it is
    std::vector<std::uint8_t> open_faces;                // bits: all own couplings are those of open cells, and those
                                                         // of the first layer along each axis
    std::vector<std::uint8_t> even;                      // also those above: the couplings need not be read
    std::array<BlockField<float>, D> couple;             // c_f of the lower faces
    BlockField<float> diagonal, scale, share;            // d, d^-1/2, and the entries of P: sqrt(d / d of the parent)
    BlockField<float> r, x, y;
    BlockField<float> least;  // bounds of x
    BlockField<float> first;  // x of the first of two visits
    std::size_t blocks() const { return beside.size(); }
  };
  void assemble(const Level& fine, Level& coarse);
  void scale_couplings(Level&, const Level* coarse);
  template <bool bounded>
  void cycle(std::size_t level);

  const CellMatrix<D>* matrix_ = nullptr;
  std::vector<Level> levels_;
  std::size_t count_ = 0;  // of levels in use
  BlockField<float> direction_, product_, solution_;
  std::vector<BlockKey> keys_;   // of a level being made
  std::vector<double> partial_;  // of sums, a block each
};

}  // namespace knead
