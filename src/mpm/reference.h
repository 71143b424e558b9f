// The explicit step as a textbook has it (Hu 2018, MLS-MPM): plain structs, a dense grid, one loop after the other, in
// float, with quadratic splines and fixed-corotated jelly. It is the yardstick of `knead bench`, and nothing of the
// solver is in it.
#pragma once

#include "base/mat.h"

#include <vector>

namespace knead {

template <int D>
struct ReferenceParticle {
  Vec<float, D> x, v;
  Mat<float, D> C, F;
};
template <int D>
struct ReferenceNode {
  Vec<float, D> v;  // momentum, then velocity
  float m;
};

// Particles of one mass and volume in a box that starts at the origin, with `cells` nodes along each axis.
template <int D>
struct ReferenceScene {
  float dx, dt, mass, volume, mu, lambda;  // m, s, kg, m^3, Pa, Pa
  Vec<float, D> gravity;                   // m/s^2
  int cells;
  std::vector<ReferenceParticle<D>> particles;
  std::vector<ReferenceNode<D>> grid;
};

template <int D>
void reference_step(ReferenceScene<D>&);

}  // namespace knead
