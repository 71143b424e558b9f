#include "mpm/implicit_step.h"

namespace knead {
template typename Mpm<double, 2>::Step Mpm<double, 2>::choose_implicit_step(const SolverSpec&);
}
