// What the components of a column are called, and columns of 2D scenes as those of a flat 3D one.
#pragma once

#include "world/particles.h"

namespace knead {

// As in scene/quantities.h.
std::vector<std::string> component_names(const Column& column, int dimension);

// The column with vectors of 3 components and matrices and symmetric tensors of 9 (row-major), filled with zeros, but
// for the zz of deformation gradients (columns named F…), which is 1.
Column padded_to_3d(const Column& column, int dimension);

// The numbers of a row-major array written one after another, each with the fewest digits that read back to the same
// bits.
void append_number(std::string& text, const Column& column, std::size_t entry, int component);

}  // namespace knead
