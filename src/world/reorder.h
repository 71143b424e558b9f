// Particles put in another order, column by column.
#pragma once

#include "world/particles.h"

#include <map>

namespace knead {

// A column's worth of memory for each size of entry, kept between calls.
using SpareColumns = std::map<std::size_t, Bytes>;

// Place i gets what was at permutation[i]. The columns named in `but` stay as they are: somebody is about to write them
// anew.
void reorder(Particles&, std::span<const int> permutation, SpareColumns& spare,
             std::span<const std::string_view> but = {});

}  // namespace knead
