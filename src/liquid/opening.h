// How many particles come from a source.
#pragma once

#include "scene/inflow.h"

#include <vector>

namespace knead {

// The lattice points of a source's opening, in the plane through the middle of its shape, `spacing` apart.
std::vector<Vec3d> opening(const Source&, double spacing, int dimension);
// s, when it ends, by its time or its volume; infinity where it does not.
double stop_of(const Source&, std::size_t points, double spacing, int dimension);
// Rows of particles, one at each point of the opening, that have come by then.
std::int64_t rows_by(double time, const Source&, double stop, double spacing);

}  // namespace knead
