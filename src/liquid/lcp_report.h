// How the solution of a complementarity problem went.
#pragma once

namespace knead {

// The larger of two, and NaN as soon as one of them is: a residual that is not a number must not pass for a small one.
inline double worse(double a, double b) { return a > b || a != a ? a : b; }

struct LcpReport {
  int iterations = 0;      // of conjugate gradients, or steps of MPRGP
  int products = 0;        // with L
  int outer = 0;           // sets of free cells tried
  double residual = 0;     // max_c |min(w_c, L_cc (q_c - l_c))|
  bool converged = false;  // the residual is within the tolerance
  long infeasible = 0;     // cells of closed containers that hold more than there is room for; see LcpSolver
};

}  // namespace knead
