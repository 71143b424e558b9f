// Pressures that never pull: q >= l, w = L q + b >= 0, (q - l) w = 0 over the cells of a CellSystem (Gerszewski 2014,
// Eqs. 3.3 to 3.5). With bounds far below (-1e30) this is the linear solve L q = -b.
#pragma once

#include "liquid/closed_cells.h"
#include "liquid/mic0.h"
#include "liquid/mprgp.h"
#include "liquid/multigrid.h"
#include "liquid/newton_multigrid.h"

namespace knead {

enum class LcpMethod {
  multigrid,  // Newton multigrid; MPRGP with multigrid where the free cells do not settle
  mprgp,      // MPRGP with MIC(0) on the face: the reference
};

template <int D>
class LcpSolver {
 public:
  // q: in, the start (multigrid makes a better one of the coarse grids where it is at the bounds everywhere); out, the
  // answer, 0 where there is no unknown. `lower` empty: 0. All are 64 numbers a block.
  //
  // A part of the liquid without any way to the air (closed) cannot make room: where the sum of b over it is negative,
  // or not 0 and there are no bounds, there is no answer. Its b is then shifted evenly so that there is one: all of its
  // cells are too full alike. Such cells are counted in the report, and the residual is that of the shifted b.
  LcpReport solve(const CellSystem<D>& system, std::span<const double> b, std::span<const double> lower,
                  std::span<double> q, LcpMethod method, double tolerance, int most_iterations) {
    prepare(system);
    return solve(b, lower, q, method, tolerance, most_iterations);
  }
  // The same in two parts, for several solves with one matrix.
  void prepare(const CellSystem<D>&);
  LcpReport solve(std::span<const double> b, std::span<const double> lower, std::span<double> q, LcpMethod,
                  double tolerance, int most_iterations);

  Expansion expansion = Expansion::projected;  // of MPRGP
  int most_rounds = 50;                        // of Newton multigrid; then MPRGP takes over

  // The blocks with unknowns, since prepare().
  const std::vector<std::uint32_t>& active() const { return matrix_.active(); }

  std::size_t bytes() const;

 private:
  struct Problem;
  struct InFace;

  long shift_closed(double tolerance);
  void set_free();
  bool any_moved() const;

  CellMatrix<D> matrix_;
  ClosedCells<D> closed_;
  Multigrid<D> multigrid_;
  CellMic0<D> mic0_;  // these two only where asked for
  Mprgp<CellMatrix<D>> mprgp_;
  BlockField<double> q_, b_, lower_, g_;
  std::vector<std::uint64_t> free_;
  std::vector<std::uint8_t> moved_;  // blocks in which something changed
  std::vector<double> partial_;      // of maxima, a block each
  bool multigrid_ready_ = false;     // it has been given a free set since prepare()
};

}  // namespace knead
