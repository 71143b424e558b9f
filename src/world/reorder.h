// Particles put in another order, column by column.
#pragma once

#include "world/particles.h"

#include <map>

namespace knead {

// A column's worth of memory for each size of entry, kept between calls.
using SpareColumns = std::map<std::size_t, Bytes>;

// Place i gets what was at permutation[i].
void reorder(Particles&, std::span<const int> permutation, SpareColumns& spare);

}  // namespace knead
