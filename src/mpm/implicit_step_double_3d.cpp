#include "mpm/implicit_step.h"

namespace knead {
template StepResult Mpm<double, 3>::implicit_step(World&, double);
}
