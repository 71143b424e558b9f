#include "mpm/implicit_step.h"

namespace knead {
template typename Mpm<float, 2>::Step Mpm<float, 2>::choose_implicit_step(const SolverSpec&);
}
