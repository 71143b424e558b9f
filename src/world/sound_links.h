// Whether what a world names by number is there: the ids that it has given, the corners of cells, the neighbours of
// particles. Solvers read and write at these places without asking. Internal to world/.
#pragma once

#include "world/world.h"

#include <string>

namespace knead {

// As fault_of(world), which finds the ids to be there once each and not negative before.
std::string fault_of_links(const World& world);

}  // namespace knead
