#include "mpm/implicit_step.h"

namespace knead {
template StepResult Mpm<float, 3>::implicit_step(World&, double);
}
