// Maximal Poisson-disc sampling: points at random, none closer than a radius, and no room left for another.
#pragma once

#include "sample/inside.h"

#include <cstdint>

namespace knead {

// No two points are closer than `radius`, and every point of the shape is within 1.07 radii of one (gaps below a
// sixteenth of a cell are not looked for).
std::vector<Vec3d> poisson_points(const Shape& shape, int dim, double radius, std::uint64_t seed);

}  // namespace knead
