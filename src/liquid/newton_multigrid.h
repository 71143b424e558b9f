// Truncated Newton multigrid for q >= l, w = L q + b >= 0, (q - l) w = 0 (Graeser and Kornhuber 2009): steps that see
// one cell and its bound settle which cells touch their bounds, a step of conjugate gradients with multigrid on the
// cells that do not moves the rest, and what it took below its bound comes back.
#pragma once

#include "liquid/lcp_report.h"

namespace knead {

// Problem: q and g = L q + b, with
//   start(enough)               q >= l, and g; a better q where it says nothing and the residual is above `enough`
//   residual()                  max_i |min(g_i, L_ii (q_i - l_i))| of the last g
//   relax(enough)               q = max(l, q - w g / L_ii), where the residual is above `enough`, and g
//   choose_free()               F = {i : q_i > l_i}; gives whether F changed
//   correct(tolerance, most)    q_F = max(l, q + e)_F with L_FF e = -g_F up to `tolerance` or `most` iterations, and g;
//                               gives their number
template <class Problem>
LcpReport solve_by_newton_multigrid(Problem& problem, double tolerance, int most_rounds, int most_iterations) {
  constexpr int sweeps = 4;
  LcpReport report;
  problem.start(tolerance), ++report.products;
  while (true) {
    for (int j = 0; j < sweeps && problem.residual() > tolerance; ++j)
      problem.relax(0.5 * tolerance), ++report.products;
    report.residual = problem.residual();
    report.converged = report.residual <= tolerance;
    if (report.converged || report.outer >= most_rounds || report.iterations >= most_iterations) return report;
    const bool changed = problem.choose_free();
    const int done = problem.correct(0.5 * tolerance, changed ? 1 : most_iterations - report.iterations);
    report.iterations += done;
    report.products += done + 1;
    ++report.outer;
  }
}

}  // namespace knead
