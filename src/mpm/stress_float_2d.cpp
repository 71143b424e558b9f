#include "mpm/stress_kernel.h"

namespace knead {
template StressKernel<float, 2> stress_kernel_of<float, 2>(const Material&, Particles&);
}  // namespace knead
