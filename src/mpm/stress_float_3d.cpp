#include "mpm/stress_kernel.h"

namespace knead {
template StressKernel<float, 3> stress_kernel_of<float, 3>(const Material&, Particles&);
}  // namespace knead
