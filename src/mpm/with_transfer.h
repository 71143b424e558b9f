// From the transfer and kernel that a scene names to code compiled for them, opened once a step and not once a
// particle.
#pragma once

#include "scene/solver_spec.h"

namespace knead {

// f.operator()<degree>() for the kernel that is asked for.
template <int least = 1, class F>
auto with_degree(const SolverSpec& spec, F&& f) {
  if constexpr (least == 1)
    if (spec.kernel == Kernel::linear) return f.template operator()<1>();
  return spec.kernel == Kernel::quadratic ? f.template operator()<2>() : f.template operator()<3>();
}

// f.operator()<transfer, degree>() for the transfer and kernel that are asked for; PIC is FLIP whose share is 0, which
// then costs nothing. The reader has seen to it that APIC and MLS do not meet the linear kernel.
template <class F>
auto with_transfer(const SolverSpec& spec, F&& f) {
  const auto with = [&]<Transfer transfer>() {
    constexpr int least = is_affine(transfer) ? 2 : 1;
    return with_degree<least>(spec, [&]<int degree>() { return f.template operator()<transfer, degree>(); });
  };
  switch (spec.transfer) {
    case Transfer::pic:
    case Transfer::flip:
      return with.template operator()<Transfer::flip>();
    case Transfer::apic:
      return with.template operator()<Transfer::apic>();
    case Transfer::mls:
      break;
  }
  return with.template operator()<Transfer::mls>();
}

}  // namespace knead
