#include "scene/shape_words.h"

#include "geometry/rotation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace knead {

namespace {

template <class Box>
std::string set_corners(const ShapeWords& words, Box& box) {
  if (!words.min || !words.max)
    return fmt::format("{} is missing; a box has min and max, or center and size", words.min ? "max" : "min");
  for (int i = 0; i < 3; ++i)
    if ((*words.max)[i] < (*words.min)[i] || (i < 2 && (*words.max)[i] == (*words.min)[i]))
      return fmt::format("max must be above min along {}: a box needs a volume", "xyz"[i]);
  box.center = (*words.min + *words.max) * 0.5, box.size = *words.max - *words.min;
  return "";
}

// The middle of a shape's bounds, 0 along axes without an end; a plane's own point. Meshes, whose bounds are not known
// before they are loaded, turn about the origin, as they do by themselves.
Vec3d middle_of(const Shape& shape, int dimension) {
  if (const auto* plane = std::get_if<Plane>(&shape.value)) return plane->point;
  if (shape.contains_mesh()) return {};
  const Bounds b = shape.bounds(dimension);
  Vec3d middle{};
  for (int k = 0; k < dimension; ++k)
    if (std::isfinite(b.lo[k]) && std::isfinite(b.hi[k])) middle[k] = 0.5 * (b.lo[k] + b.hi[k]);
  return middle;
}

}  // namespace

const Table& ShapeWords::table() {
  static const Table t{
      "placing",
      "What any shape may have besides its own keys.",
      {field<&ShapeWords::min>("min", "m", "Its lowest corner; with `max` in place of `center` and `size`."),
       field<&ShapeWords::max>("max", "m", "Its highest corner; with `min`."),
       field<&ShapeWords::rotate>(
           "rotate", "rad",
           "Axis times angle; in 2D [0, 0, angle]. The fixed point is the centre of the shape's bounding "
           "box, for a plane its `point`, for shapes with a mesh in them the origin."),
       field<&ShapeWords::translate>("translate", "m", "Displacement, after rotating.")}};
  return t;
}

std::vector<const Field*> further_fields(const Table& shape) {
  const bool box = &shape == &Box::table() || &shape == &RoundedBox::table();
  std::vector<const Field*> fields;
  for (const Field& f : ShapeWords::table().fields) {
    const auto same = [&](const Field& own) { return own.name == f.name; };
    const bool of_box = f.name == "min" || f.name == "max";
    if ((box || !of_box) && std::none_of(shape.fields.begin(), shape.fields.end(), same)) fields.push_back(&f);
  }
  return fields;
}

std::string apply(const ShapeWords& words, int dimension, Shape& shape) {
  if (words.min || words.max) {
    auto* rounded = std::get_if<RoundedBox>(&shape.value);
    std::string problem = rounded ? set_corners(words, *rounded) : set_corners(words, std::get<Box>(shape.value));
    if (!problem.empty()) return problem;
  }
  if (!words.rotate && !words.translate) return "";
  const Vec3d turn = words.rotate.value_or(Vec3d{}), middle = middle_of(shape, dimension);
  const Vec3d move = middle + words.translate.value_or(Vec3d{}) - rotation_matrix(turn) * middle;
  shape = Shape{Transformed{Shape(shape), 1, turn, move, {}}};
  return "";
}

}  // namespace knead
