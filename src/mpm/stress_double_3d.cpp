#include "mpm/stress_kernel.h"

namespace knead {
template StressKernel<double, 3> stress_kernel_of<double, 3>(const Material&, Particles&);
}  // namespace knead
