// A pressure problem like those of a splash, of any size: a pool, a column about to fall into it, a ball that hits it
// and a blurred sphere under water, in a closed box open at the top.
#pragma once

#include "liquid/cell_system.h"
#include "run/bench.h"

#include <vector>

namespace knead {

struct SplashProblem {
  explicit SplashProblem(int cells);  // along an edge

  BlockSet<3> blocks;
  std::vector<std::uint64_t> unknown;
  std::array<std::vector<float>, 3> open;
  std::vector<double> b;
  std::size_t unknowns = 0;

  CellSystem<3> system() const { return {&blocks, unknown, {open[0], open[1], open[2]}}; }
  // b a step later: changed by up to that much everywhere, at random.
  std::vector<double> perturbed(double by) const;
};

}  // namespace knead
