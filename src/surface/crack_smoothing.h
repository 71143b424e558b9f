// Cracks run along the cores, whose shape is that of the mesh and not of the matter. Smoothing takes that bias out
// (Wang 2020, section 3.5.4): the points of edges, triangles and tetrahedra move at rest, within the edge, triangle and
// tetrahedron that they are of, once for the crack as it is at the end, so that it is the same in every frame.
#pragma once

#include "surface/core_complex.h"

namespace knead {

struct Smoothing {
  int iterations = 2;  // 0 leaves everything at the centres, 2 is mild, 20 strong
  // The mean of its neighbours is brought back into the edge, triangle or tetrahedron that a point is of. Without it,
  // as in the source, cores may overlap.
  bool project = true;
};

// No point comes closer to the border of its edge, triangle or tetrahedron than this share of any corner.
inline constexpr double least_share = 0.05;

// First where the crack meets the surface, which stays on the surface; then its inside. In 2D all of the crack is on
// the surface, the plane. `broken` has a number an edge, not 0 for those broken at the end.
template <int d>
void smooth_crack(const CoreComplex<d>& complex, std::span<const std::uint8_t> broken, const Smoothing& smoothing,
                  RestPoints<d>& rest);

}  // namespace knead
