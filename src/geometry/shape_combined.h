// Shapes made of other shapes: union, difference, intersection, shell, and a shape moved, turned and scaled.
#pragma once

#include "base/mat.h"
#include "base/table.h"
#include "geometry/bounds.h"

#include <memory>

namespace knead {

struct Shape;

// One shape on the heap, copied with its owner: lets a shape contain a shape.
class ShapePart {
 public:
  ShapePart();
  ShapePart(Shape shape);
  ShapePart(const ShapePart& other);
  ShapePart(ShapePart&& other) noexcept;
  ShapePart& operator=(ShapePart other) noexcept;
  ~ShapePart();
  Shape& operator*() { return *shape_; }
  const Shape& operator*() const { return *shape_; }
  Shape* operator->() { return shape_.get(); }
  const Shape* operator->() const { return shape_.get(); }

 private:
  std::unique_ptr<Shape> shape_;
};

// The distances of the first three have the right sign and are never larger than the true ones: those of a union are
// exact outside, those of an intersection of exact shapes are exact where one face is nearest.

struct Union {
  std::vector<Shape> of;

  double distance(const Vec3d& p) const;
  Bounds bounds(int dim) const;
  double volume(int dim) const;  // a sum where the parts' bounds are apart, else by quadrature
  std::vector<std::string> check(int dim) const;
  static const Table& table();
};

// The first shape without the others.
struct Difference {
  std::vector<Shape> of;

  double distance(const Vec3d& p) const;
  Bounds bounds(int dim) const;
  double volume(int dim) const;  // by quadrature
  std::vector<std::string> check(int dim) const;
  static const Table& table();
};

struct Intersection {
  std::vector<Shape> of;

  double distance(const Vec3d& p) const;
  Bounds bounds(int dim) const;
  double volume(int dim) const;  // by quadrature
  std::vector<std::string> check(int dim) const;
  static const Table& table();
};

// A wall: what of a shape lies within `thickness` of its surface, measured inwards; the outside stays as it was.
struct Shell {
  ShapePart of;
  double thickness = 0.05;

  // A lower bound; exact but within the wall at edges and corners, where the shape's own distance is exact.
  double distance(const Vec3d& p) const;
  Bounds bounds(int dim) const;
  double volume(int dim) const;  // exact for a ball, else by quadrature
  std::vector<std::string> check(int dim) const;
  static const Table& table();
};

// x = rotation (scale * y) + translate, for the points y of a shape.
struct Transformed {
  ShapePart of;
  double scale = 1;
  Vec3d rotate{};  // axis-angle
  Vec3d translate{};
  std::optional<Mat3d> rotation{};  // the matrix of `rotate`, once prepare() has made it

  double distance(const Vec3d& p) const;  // as exact as the shape's own
  Bounds bounds(int dim) const;
  double volume(int dim) const;
  std::vector<std::string> check(int dim) const;
  void flatten() { translate[2] = 0; }
  void prepare();
  static const Table& table();
};

}  // namespace knead
