// Which points lie in a shape, asked for many points close together.
#pragma once

#include "geometry/shape.h"

namespace knead {

// Cuts a box into blocks and asks the shape once a block: a distance larger than the block's half diagonal answers for
// all of its points. Only blocks that the surface crosses ask for every point, which saves nearly all questions to a
// mesh.
class InsideTest {
 public:
  InsideTest(const Shape& shape, const Bounds& box, int dim, double block_size);

  // A point on the surface counts as inside.
  bool operator()(const Vec3d& p) const;
  // Whether a ball of radius r about p has no point in the shape.
  bool misses(const Vec3d& p, double r) const;

 private:
  enum State : char { outside, crossed, inside };
  State state(const Vec3d& p) const;

  const Shape& shape_;
  Bounds box_;
  int dim_;
  double width_;
  Vec3i size_{1, 1, 1};
  double on_surface_;
  std::vector<State> states_;
};

}  // namespace knead
