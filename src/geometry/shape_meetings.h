// Where the surfaces of the parts of a union, difference or intersection meet.
#pragma once

#include "geometry/shape_features.h"

namespace knead {

// The edges and corners of `whole` that come of two or three of its parts, and that no part has by itself; `signs` says
// of each part whether whole's normal on its surface is its own (1) or turned (-1). Edges come in pieces of up to
// `spacing`, which may overlap; their ends lie on the edge to 1e-8 of a spacing. Surfaces that touch along an area, or
// meet at less than 20 degrees, have no edge. Nothing is found in a shape without bounds.
Features meetings_of(const std::vector<Shape>& parts, const std::vector<int>& signs, const Shape& whole, int dim,
                     double spacing);

}  // namespace knead
