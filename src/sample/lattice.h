// Points on a lattice, in the middle of its cells or at random within them.
#pragma once

#include "sample/inside.h"

#include <cstdint>

namespace knead {

std::vector<Vec3d> lattice_points(const Shape& shape, int dim, double spacing, bool jitter, std::uint64_t seed);

}  // namespace knead
