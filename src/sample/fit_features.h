// Making the sharp edges and corners of a shape sharp in a mesh of it.
#pragma once

#include "geometry/shape.h"
#include "geometry/simplex_mesh.h"

namespace knead {

struct FeatureFit {
  std::size_t moved = 0, added = 0;  // points moved onto a sharp edge or corner, and points put there
  std::size_t filled = 0;            // cells put onto the boundary along a sharp edge
  std::size_t left = 0;              // edges of the surface that still cut a sharp edge off
};

// The boundary points of `mesh` lie on the shape's surface. Where an edge of the boundary cuts a sharp edge of the
// shape off, one of its ends moves there, or a new point is put there; only where the cells around keep altitudes of at
// least sliver_altitude times `edge`, so that some may stay cut.
template <int d>
FeatureFit fit_features(SimplexMesh<d>& mesh, const Shape& shape, double edge);

}  // namespace knead
