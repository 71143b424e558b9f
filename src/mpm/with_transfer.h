// From the transfer and kernel that a scene names to code compiled for them, opened once a step and not once a
// particle.
#pragma once

#include "scene/solver_spec.h"

namespace knead {

// f.operator()<transfer, degree>() for the transfer and kernel that are asked for.
template <class F>
auto with_transfer(const SolverSpec& spec, F&& f) {
  const auto with = [&]<Transfer transfer>() {
    return spec.kernel == Kernel::quadratic ? f.template operator()<transfer, 2>()
                                            : f.template operator()<transfer, 3>();
  };
  switch (spec.transfer) {
    case Transfer::pic:
      return with.template operator()<Transfer::pic>();
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
