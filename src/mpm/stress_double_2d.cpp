#include "mpm/stress_kernel.h"

namespace knead {
template StressKernel<double, 2> stress_kernel_of<double, 2>(const Material&, Particles&);
}  // namespace knead
