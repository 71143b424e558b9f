#include "mpm/implicit_step.h"

namespace knead {
template StepResult Mpm<float, 2>::implicit_step(World&, double);
}
