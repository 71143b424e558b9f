#include "geometry/shape_combined.h"

#include "base/elementary.h"
#include "geometry/rotation.h"
#include "geometry/shape.h"

#include <fmt/format.h>

namespace knead {

namespace {

// Says which of the parts each complaint is about.
std::vector<std::string> check_parts(const std::vector<Shape>& parts, int dim, const char* name) {
  if (parts.empty()) return {fmt::format("of is empty but a {} needs at least one shape", name)};
  std::vector<std::string> wrong;
  for (std::size_t i = 0; i < parts.size(); ++i)
    for (const std::string& w : parts[i].check(dim))
      wrong.push_back(fmt::format("in shape {} of the {} ({}): {}", i + 1, name, parts[i].name(), w));
  return wrong;
}

std::vector<std::string> check_part(const Shape& part, int dim, const char* name) {
  std::vector<std::string> wrong = part.check(dim);
  for (std::string& w : wrong) w = fmt::format("in the shape of the {} ({}): {}", name, part.name(), w);
  return wrong;
}

// The rows of a ShapePart: to tables it is the shape itself.
template <class Owner>
Field part_field(std::string doc) {
  Field f{"of", "", std::move(doc), table_detail::member_type<Shape>(),
          [](void* owner) -> void* { return &*static_cast<Owner*>(owner)->of; }};
  f.required = true;
  return f;
}

double volume_of(const Shape& shape, int dim) {
  const Bounds b = shape.bounds(dim);
  if (b.empty(dim)) return 0;
  return b.finite(dim) ? volume_by_quadrature(shape, b, dim) : Bounds::infinity;
}

}  // namespace

ShapePart::ShapePart() : shape_(std::make_unique<Shape>()) {}
ShapePart::ShapePart(Shape shape) : shape_(std::make_unique<Shape>(std::move(shape))) {}
ShapePart::ShapePart(const ShapePart& other) : shape_(std::make_unique<Shape>(*other.shape_)) {}
ShapePart::ShapePart(ShapePart&& other) noexcept = default;
ShapePart& ShapePart::operator=(ShapePart other) noexcept { return shape_.swap(other.shape_), *this; }
ShapePart::~ShapePart() = default;

double Union::distance(const Vec3d& p) const {
  double d = Bounds::infinity;
  for (const Shape& s : of) d = std::min(d, s.distance(p));
  return d;
}
Bounds Union::bounds(int dim) const {
  Bounds b;
  for (const Shape& s : of) b.add(s.bounds(dim));
  return b;
}
double Union::volume(int dim) const {
  bool apart = true;
  double total = 0;
  for (std::size_t i = 0; i < of.size(); ++i) {
    for (std::size_t j = 0; j < i && apart; ++j) apart = !of[i].bounds(dim).overlaps(of[j].bounds(dim), dim);
    if (!apart) return volume_of(Shape{*this}, dim);
    total += of[i].volume(dim);
  }
  return total;
}
std::vector<std::string> Union::check(int dim) const { return check_parts(of, dim, "union"); }
const Table& Union::table() {
  static const Table t{
      "union", "All points inside at least one of the shapes.", {field<&Union::of>("of", "", "The shapes.").need()}};
  return t;
}

double Difference::distance(const Vec3d& p) const {
  double d = of.empty() ? Bounds::infinity : of[0].distance(p);
  for (std::size_t i = 1; i < of.size(); ++i) d = std::max(d, -of[i].distance(p));
  return d;
}
Bounds Difference::bounds(int dim) const { return of.empty() ? Bounds{} : of[0].bounds(dim); }
double Difference::volume(int dim) const { return of.size() == 1 ? of[0].volume(dim) : volume_of(Shape{*this}, dim); }
std::vector<std::string> Difference::check(int dim) const { return check_parts(of, dim, "difference"); }
const Table& Difference::table() {
  static const Table t{"difference",
                       "The first shape without the others.",
                       {field<&Difference::of>("of", "", "The shapes; the first is kept, the others cut.").need()}};
  return t;
}

double Intersection::distance(const Vec3d& p) const {
  double d = of.empty() ? Bounds::infinity : -Bounds::infinity;
  for (const Shape& s : of) d = std::max(d, s.distance(p));
  return d;
}
Bounds Intersection::bounds(int dim) const {
  Bounds b = of.empty() ? Bounds{} : Bounds::everything();
  for (const Shape& s : of) b = b.common(s.bounds(dim));
  return b;
}
double Intersection::volume(int dim) const { return of.size() == 1 ? of[0].volume(dim) : volume_of(Shape{*this}, dim); }
std::vector<std::string> Intersection::check(int dim) const { return check_parts(of, dim, "intersection"); }
const Table& Intersection::table() {
  static const Table t{"intersection",
                       "All points inside all of the shapes.",
                       {field<&Intersection::of>("of", "", "The shapes.").need()}};
  return t;
}

double Shell::distance(const Vec3d& p) const { return std::abs(of->distance(p) + thickness / 2) - thickness / 2; }
Bounds Shell::bounds(int dim) const { return of->bounds(dim); }
double Shell::volume(int dim) const {
  if (const Sphere* ball = std::get_if<Sphere>(&of->value)) {
    if (ball->radius <= thickness) return ball->volume(dim);
    return ball->volume(dim) - Sphere{ball->center, ball->radius - thickness}.volume(dim);
  }
  return volume_of(Shape{*this}, dim);
}
std::vector<std::string> Shell::check(int dim) const { return check_part(*of, dim, "shell"); }
const Table& Shell::table() {
  static const Table t{
      "shell",
      "The wall of a shape: all points inside it within a given distance of its surface.",
      {part_field<Shell>("The shape."),
       field<&Shell::thickness>("thickness", "m", "The wall's thickness.").above(0, "a wall needs a thickness")},
      {"hollow"}};
  return t;
}

void Transformed::prepare() { rotation = rotation_matrix(rotate); }

double Transformed::distance(const Vec3d& p) const {
  const Mat3d r = rotation ? *rotation : rotation_matrix(rotate);
  return scale * of->distance((transpose(r) * (p - translate)) / scale);
}
Bounds Transformed::bounds(int dim) const {
  const Mat3d r = rotation_matrix(rotate);
  const Bounds b = of->bounds(dim);
  if (b.empty(dim)) return {};
  Bounds result{translate, translate};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      // An entry that is a rounding error of zero must not make a bounded axis unbounded.
      const double a = scale * r(i, j);
      if (std::abs(r(i, j)) < 1e-15) continue;
      result.lo[i] += std::min(a * b.lo[j], a * b.hi[j]);
      result.hi[i] += std::max(a * b.lo[j], a * b.hi[j]);
    }
  return flattened(result, dim);
}
double Transformed::volume(int dim) const { return elementary::power(scale, dim) * of->volume(dim); }
std::vector<std::string> Transformed::check(int dim) const {
  std::vector<std::string> wrong = check_part(*of, dim, "transform");
  if (dim == 2 && (rotate[0] != 0 || rotate[1] != 0)) wrong.push_back("rotate must be about z in 2D: [0, 0, angle]");
  return wrong;
}
const Table& Transformed::table() {
  static const Table t{"transform",
                       "A shape scaled about the origin, then rotated about it, then moved.",
                       {part_field<Transformed>("The shape."),
                        field<&Transformed::scale>("scale", "", "The same along all axes.")
                            .above(0, "a shape needs a size and must not be mirrored"),
                        field<&Transformed::rotate>("rotate", "rad", "Axis times angle; in 2D [0, 0, angle]."),
                        field<&Transformed::translate>("translate", "m", "Displacement.")}};
  return t;
}

}  // namespace knead
