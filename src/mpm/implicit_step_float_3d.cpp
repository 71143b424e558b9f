#include "mpm/implicit_step.h"

namespace knead {
template typename Mpm<float, 3>::Step Mpm<float, 3>::choose_implicit_step(const SolverSpec&);
}
