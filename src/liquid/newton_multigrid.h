// Truncated Newton multigrid for q >= l, w = L q + b >= 0, (q - l) w = 0 (Graeser and Kornhuber 2009): steps that see
// one cell and its bound settle which cells touch their bounds, and a step of multigrid moves those that do not. As
// long as these change it stays within the bounds on all levels, then it is one of conjugate gradients, and what that
// took below its bound comes back.
#pragma once

#include "liquid/lcp_report.h"

#include <algorithm>

namespace knead {

// Problem: q and g = L q + b, with
//   start(enough)               q >= l, and g; a better q where it says nothing and the residual is above `enough`
//   residual()                  max_i |min(g_i, L_ii (q_i - l_i))| of the last g
//   relax(enough)               twice q = max(l, q - w g / L_ii), where the residual is above `enough`, and g; gives
//   the
//                               share of the cells that were moved
//   choose_free()               F = {i : q_i > l_i}; gives whether F changed
//   step_down()                 q_F = q + e, and g: the energy q.L q / 2 + b.q along e is least, with
//                               e from one cycle of multigrid for q_F >= l, (L q + b)_F >= 0, one an equality
//   correct(tolerance, most)    q_F = max(l, q + e)_F with L_FF e = -g_F up to `tolerance` or `most` iterations, and g;
//                               gives their number
template <class Problem>
LcpReport solve_by_newton_multigrid(Problem& problem, double tolerance, int most_rounds, int most_iterations) {
  // What is left in a few places is removed there: a round relaxes no more cells than two pairs of sweeps over all.
  constexpr double sweeps = 3, least_share = 0.25;
  LcpReport report;
  problem.start(tolerance), ++report.products;
  while (true) {
    for (double work = 0; work < sweeps && problem.residual() > tolerance;) {
      work += 2 * std::max(least_share, problem.relax(0.5 * tolerance));
      report.products += 2;
    }
    report.residual = problem.residual();
    report.converged = report.residual <= tolerance;
    if (report.converged || report.outer >= most_rounds || report.iterations >= most_iterations) return report;
    int done = 1;
    if (problem.choose_free())
      problem.step_down();
    else
      done = problem.correct(2 * tolerance, most_iterations - report.iterations);
    report.iterations += done;
    report.products += done + 1;
    ++report.outer;
  }
}

}  // namespace knead
