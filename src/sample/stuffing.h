// Isosurface stuffing (Labelle and Shewchuk 2007): a lattice of well-shaped cells is cut along a shape's surface.
//
// In 3D the lattice is body-centred cubic. Its points too close to the surface move onto it, after which the cells that
// the surface crosses are replaced by stencils: for a smooth surface all dihedral angles lie between 10.7 and 164.8
// degrees. In 2D the same is done to a lattice of equilateral triangles. Sharp edges and corners come out chamfered;
// fit_features() makes them sharp.
#pragma once

#include "geometry/shape.h"
#include "geometry/simplex_mesh.h"

namespace knead {

// Of a prepared shape, with edges of about the length `edge`. Where the shape has sharp edges, the lattice is stretched
// a little to end at its bounds, so that boxes along the axes come out exactly. Fails where the shape is unbounded, too
// small to hold a cell, or would need too many.
template <int d>
SimplexMesh<d> stuffed(const Shape& shape, double edge);

}  // namespace knead
