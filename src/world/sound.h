// Whether a state can be one of matter at all: what is read from files, or about to be written, is judged by it.
#pragma once

#include "world/world.h"

#include <string>

namespace knead {

// The first thing in these columns that no matter has, as the end of a sentence ("the column 'F' of particle 12 is not
// a number"): a real that is not finite, a negative mass or volume, an id that is negative or there twice. Empty where
// all is well.
std::string fault_of(const Particles& particles);

// Likewise for a whole world: its particles, cells and edges. Solvers divide by masses and volumes, so that none is 0,
// and read and write at the places that neighbours, corners, ends and batches name, so that all of them are there.
std::string fault_of(const World& world);

}  // namespace knead
