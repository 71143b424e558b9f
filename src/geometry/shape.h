// A shape: one of a closed list of value types, each with a signed distance, bounds and a volume.
//
// Shapes are one 3D family. In 2D a shape is its slice z = 0, without end along z: a sphere is a disc, a box a
// rectangle. Volumes in 2D are areas (times a thickness of 1 m).
#pragma once

#include "geometry/shape_box.h"
#include "geometry/shape_combined.h"
#include "geometry/shape_cylinder.h"
#include "geometry/shape_ground.h"
#include "geometry/shape_mesh.h"
#include "geometry/shape_polygon.h"
#include "geometry/shape_round.h"

#include <variant>

namespace knead {

struct Shape {
  std::variant<Box, RoundedBox, Sphere, Ellipsoid, Cylinder, Capsule, Cone, Torus, Plane, Heightfield, Polygon, Star,
               Union, Difference, Intersection, Shell, Transformed, MeshShape>
      value;

  static const OneOf& alternatives();
  std::string name() const;  // "sphere"

  // What is wrong with it in this dimension, a sentence each; empty when all is well.
  std::vector<std::string> check(int dim) const;
  // To be called once, after check() found nothing: reads the meshes (relative paths start at `folder`), drops what
  // does not matter in 2D and keeps what is costly to compute twice. Fails with a message for the user.
  void prepare(int dim, const std::filesystem::path& folder, std::vector<std::string>* warnings = nullptr);
  // Has meshes answer by interpolation on grids of this cell size near their surface.
  void bake(double cell);

  // Negative inside. Of the right sign and never farther than the surface; each type says where it is exact.
  double distance(const Vec3d& p) const;
  // The outward unit normal of the surface nearest to p: the gradient of the distance.
  Vec3d normal(const Vec3d& p, int dim) const;
  Bounds bounds(int dim) const;
  double volume(int dim) const;  // infinite for unbounded shapes
  bool contains_mesh() const;
};

// The volume inside a 1-Lipschitz signed distance of the right sign, by adaptive quadrature to a relative 1e-4 or so:
// boxes that the surface misses count in whole; those that it crosses are halved `depth` times and then cut by a plane.
// Deterministic. `box` must be finite.
double volume_by_quadrature(const Shape& shape, const Bounds& box, int dim);

}  // namespace knead
