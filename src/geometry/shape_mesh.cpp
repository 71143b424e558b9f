#include "geometry/shape_mesh.h"

#include "base/error.h"
#include "geometry/distance_grid.h"
#include "geometry/mesh_distance.h"
#include "geometry/rotation.h"
#include "geometry/shape.h"

namespace knead {

const MeshDistance& MeshShape::loaded() const {
  if (!mesh_) fail(Exit::unexpected, "mesh '{}' is used before it was loaded", file);
  return *mesh_;
}

double MeshShape::distance(const Vec3d& p) const { return grid_ ? (*grid_)(p) : loaded()(p); }

Vec3d MeshShape::gradient(const Vec3d& p) const {
  const Vec3d g = grid_ ? grid_->gradient(p) : loaded().gradient(p);
  return length(g) > 1e-6 ? normalized(g) : Vec3d::axis(1);
}

Bounds MeshShape::bounds(int) const { return loaded().bounds(); }

double MeshShape::volume(int) const { return loaded(), volume_; }

std::vector<std::string> MeshShape::check(int dim) const {
  if (dim == 2) return {"a mesh exists in 3D only; in 2D use a \"polygon\""};
  if (file.empty()) return {"file is empty but must name an OBJ, PLY, STL, glTF or GLB file"};
  return {};
}

void MeshShape::load(const std::filesystem::path& folder, std::vector<std::string>* warnings) {
  MeshReport report;
  TriangleMesh mesh = read_mesh(folder / file, &report);
  const Mat3d r = rotation_matrix(rotate);
  for (Vec3d& x : mesh.vertices) x = r * (scale * x) + translate;
  if (warnings) warnings->insert(warnings->end(), report.warnings.begin(), report.warnings.end());
  mesh_ = std::make_shared<const MeshDistance>(std::move(mesh), report);
  grid_.reset();
  // The divergence theorem counts twice what lies in two parts of a surface that crosses itself; quadrature does not.
  volume_ = mesh_->simple() ? mesh_->volume() : volume_by_quadrature(Shape{*this}, mesh_->bounds(), 3);
}

void MeshShape::bake(double cell) {
  grid_ = DistanceGrid::make([&](const Vec3d& p) { return loaded()(p); }, loaded().bounds(), cell);
}

const Table& MeshShape::table() {
  static const Table t{
      "mesh",
      "The inside of a closed triangle mesh; 3D only.",
      {field<&MeshShape::file>("file", "",
                               "An OBJ, PLY, STL, glTF or GLB file; a relative path starts at the scene file.")
           .need(),
       field<&MeshShape::scale>("scale", "", "Metres per unit of the file.")
           .above(0, "a shape needs a size and must not be mirrored"),
       field<&MeshShape::rotate>("rotate", "rad", "Axis times angle, about the origin, after scaling."),
       field<&MeshShape::translate>("translate", "m", "Displacement, after scaling and rotating.")}};
  return t;
}

}  // namespace knead
