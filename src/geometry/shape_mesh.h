// A shape given by a file of triangles.
#pragma once

#include "base/table.h"
#include "geometry/bounds.h"

#include <filesystem>
#include <memory>

namespace knead {

class MeshDistance;
class DistanceGrid;

// The inside of a closed triangle mesh; 3D only. It must be loaded before it is asked anything.
struct MeshShape {
  std::string file;
  double scale = 1;
  Vec3d rotate{};  // axis-angle
  Vec3d translate{};

  double distance(const Vec3d& p) const;  // exact; once baked, interpolated
  Vec3d gradient(const Vec3d& p) const;
  Bounds bounds(int dim) const;
  double volume(int dim) const;
  std::vector<std::string> check(int dim) const;
  void flatten() {}

  // Reads and checks the file; what was odd but could be repaired is appended to `warnings`.
  void load(const std::filesystem::path& folder, std::vector<std::string>* warnings);
  // Answers later questions by interpolation on a grid of this cell size near the surface: fast, for colliders. A
  // surface too large for such a grid stays exact, and slower.
  void bake(double cell);
  const MeshDistance* mesh() const { return mesh_.get(); }
  static const Table& table();

 private:
  const MeshDistance& loaded() const;
  std::shared_ptr<const MeshDistance> mesh_;
  std::shared_ptr<const DistanceGrid> grid_;
  double volume_ = 0;
};

}  // namespace knead
