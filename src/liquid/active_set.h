// The primal-dual active set method for q >= l, w = L q + b >= 0, (q - l) w = 0, warm-started from the q given
// (Hintermueller, Ito and Kunisch 2002): guess which cells carry pressure, solve the linear system on them, and let the
// signs of the answer correct the guess. For M-matrices and exact solves it ends after finitely many rounds.
#pragma once

#include <algorithm>

namespace knead {

struct LcpReport {
  int iterations = 0;      // of conjugate gradients, or steps of MPRGP
  int products = 0;        // with L
  int outer = 0;           // rounds of the active set
  double residual = 0;     // max_c |min(w_c, L_cc (q_c - l_c))|
  bool converged = false;  // the residual is within the tolerance
  long infeasible = 0;     // cells of closed containers that hold more than there is room for; see LcpSolver
};

// Problem: q and g = L q + b, with
//   clamp()                           q = max(q, l); gives whether that changed anything. g is not renewed
//   gradient()                        g anew
//   residual()                        max_i |min(g_i, L_ii (q_i - l_i))| of the last g
//   guess_free()                      after the first gradient: a better first F where q says nothing
//   choose_free()                     F = {i : g_i - L_ii (q_i - l_i) < 0}, and q = l off F; gives whether F changed
//   correct(tolerance, share, most)   q_F += e, L_FF e = -g_F up to a residual of `tolerance` or that share of g_F;
//                                     gives the number of iterations
template <class Problem>
LcpReport solve_by_active_set(Problem& problem, double tolerance, int most_rounds, int most_iterations) {
  constexpr double guessing = 0.1, settled = 1e-3;  // how far one linear solve reduces the residual
  LcpReport report;
  problem.clamp();
  problem.gradient(), ++report.products;
  problem.guess_free();
  while (true) {
    if (problem.residual() <= tolerance && problem.clamp()) problem.gradient(), ++report.products;
    report.residual = problem.residual();
    report.converged = report.residual <= tolerance;
    if (report.converged || report.outer >= most_rounds || report.iterations >= most_iterations) return report;
    const bool changed = problem.choose_free();
    const int done =
        problem.correct(0.5 * tolerance, changed ? guessing : settled, most_iterations - report.iterations);
    report.iterations += done;
    report.products += done + 1;
    ++report.outer;
  }
}

}  // namespace knead
