// How many pieces matter lies in: particles hang together where they share a node of the grid, since nothing else
// carries a force between them, or, without a grid, where they are bonded.
#pragma once

#include "base/groups.h"
#include "base/vec.h"

#include <span>

namespace knead {

struct Pieces {
  int count = 0;
  int main = 0;        // those that hold at least a given share of the mass
  double largest = 0;  // share of the mass
};

// `width`: nodes of a particle's stencil along an axis, one more than the degree of the spline.
Pieces count_pieces(std::span<const Vec3d> places, std::span<const double> masses, double dx, int width, double share);

// Of things with these masses that have been joined.
Pieces count_pieces(Groups& groups, std::span<const double> masses, double share);

}  // namespace knead
