#include "geometry/shape.h"

namespace knead {

namespace {

// Calls f with every shape that this one is made of, itself last.
template <class F>
void for_each_part(Shape& shape, F&& f) {
  std::visit(
      [&](auto& s) {
        using S = std::remove_cvref_t<decltype(s)>;
        if constexpr (std::is_same_v<S, Union> || std::is_same_v<S, Difference> || std::is_same_v<S, Intersection>)
          for (Shape& part : s.of) for_each_part(part, f);
        else if constexpr (std::is_same_v<S, Shell> || std::is_same_v<S, Transformed>)
          for_each_part(*s.of, f);
        f(s);
      },
      shape.value);
}

}  // namespace

const OneOf& Shape::alternatives() {
  static const OneOf one = one_of<Shape>("shape", "type", "A region of space.");
  return one;
}

std::string Shape::name() const {
  return std::visit([](const auto& s) { return std::remove_cvref_t<decltype(s)>::table().name; }, value);
}

std::vector<std::string> Shape::check(int dim) const {
  return std::visit([&](const auto& s) { return s.check(dim); }, value);
}

void Shape::prepare(int dim, const std::filesystem::path& folder, std::vector<std::string>* warnings) {
  for_each_part(*this, [&](auto& s) {
    if constexpr (requires { s.flatten(); })
      if (dim == 2) s.flatten();
    if constexpr (requires { s.prepare(); }) s.prepare();
    if constexpr (requires { s.load(folder, warnings); }) s.load(folder, warnings);
  });
}

void Shape::bake(double cell) {
  for_each_part(*this, [&](auto& s) {
    if constexpr (requires { s.bake(cell); }) s.bake(cell);
  });
}

bool Shape::contains_mesh() const {
  bool found = false;
  for_each_part(const_cast<Shape&>(*this),
                [&](auto& s) { found |= std::is_same_v<std::remove_cvref_t<decltype(s)>, MeshShape>; });
  return found;
}

double Shape::distance(const Vec3d& p) const {
  return std::visit([&](const auto& s) { return s.distance(p); }, value);
}

Vec3d Shape::normal(const Vec3d& p, int dim) const {
  return std::visit(
      [&](const auto& s) {
        if constexpr (requires { s.gradient(p); }) {
          return s.gradient(p);
        } else {
          // Central differences; the step balances the error of the difference against that of rounding.
          Vec3d g{};
          for (int i = 0; i < dim; ++i) {
            const double h = 1e-6 * std::max(1.0, std::abs(p[i]));
            Vec3d a = p, b = p;
            a[i] -= h, b[i] += h;
            g[i] = (s.distance(b) - s.distance(a)) / (2 * h);
          }
          // On a centre or a ridge all directions are as good; up is where matter is pushed to no harm.
          return length(g) > 1e-6 ? normalized(g) : Vec3d::axis(1);
        }
      },
      value);
}

Bounds Shape::bounds(int dim) const {
  return std::visit([&](const auto& s) { return s.bounds(dim); }, value);
}

double Shape::volume(int dim) const {
  return std::visit([&](const auto& s) { return s.volume(dim); }, value);
}

}  // namespace knead
