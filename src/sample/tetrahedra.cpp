#include "sample/tetrahedra.h"

#include "base/error.h"
#include "sample/delaunay.h"
#include "sample/fit_features.h"
#include "sample/stuffing.h"

namespace knead {

template <int d>
SimplexMesh<d> simplices_of(const Shape& shape, double edge, Meshing how, std::uint64_t seed) {
  if (!(edge > 0)) fail(Exit::bad_input, "the edges of a mesh must be longer than 0, not {:g} m", edge);
  if (how == Meshing::delaunay) return delaunay_filled<d>(shape, edge, seed);
  SimplexMesh<d> mesh = stuffed<d>(shape, edge);
  fit_features(mesh, shape, edge);
  return mesh;
}

template SimplexMesh<2> simplices_of<2>(const Shape&, double, Meshing, std::uint64_t);
template SimplexMesh<3> simplices_of<3>(const Shape&, double, Meshing, std::uint64_t);

}  // namespace knead
