#include "mpm/implicit_step.h"

namespace knead {
template typename Mpm<double, 3>::Step Mpm<double, 3>::choose_implicit_step(const SolverSpec&);
}
