#include "mpm/implicit_step.h"

namespace knead {
template StepResult Mpm<double, 2>::implicit_step(World&, double);
}
