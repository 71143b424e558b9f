#include "scene/method.h"

#include "base/error.h"

#include <array>
#include <vector>

namespace knead {

namespace {

constexpr MethodTraits methods[] = {
    {.method = Method::mpm,
     .name = "mpm",
     .doc = "The material point method: particles and a grid, explicit and implicit steps, 2D and 3D.",
     .grid = Grid::nodes,
     .one_velocity_field = true,
     .any_law = true,
     .implicit = true,
     .semi_implicit = true,
     .transfers = true,
     .cells = true,
     .start_strain = true,
     .losses = true},
    {.method = Method::mls,
     .name = "mls",
     .doc = "Solids with a rest shape, by moving least squares, without a grid (Mueller 2004); explicit and implicit "
            "steps.",
     .parameters = "solver.meshless",
     .bonds = true,
     .rest_positions = true,
     .particles_per_side = 1,
     .rest_shape_laws = true,
     .implicit = true,
     .heat = true,
     .self_contact = true,
     .stabilizer = true,
     .quadratic_basis = true},
    {.method = Method::embedded,
     .name = "embedded",
     .doc = "Solids whose rest shape follows plastic flow, without a grid (Ward 2012).",
     .parameters = "solver.meshless",
     .bonds = true,
     .rest_positions = true,
     .embedding = true,
     .particles_per_side = 1,
     .heat = true,
     .self_contact = true,
     .stabilizer = true},
    {.method = Method::composed,
     .name = "composed",
     .doc = "Flowing matter that remembers only its elastic strain, without a grid (Gerszewski 2014, chapter 4).",
     .parameters = "solver.meshless",
     .bonds = true,
     .particles_per_side = 1,
     .heat = true,
     .elastic_forces = true},
    {.method = Method::liquid,
     .name = "liquid",
     .doc =
         "Splashing liquids: pressure that never pulls, on a staggered grid (Gerszewski 2014, chapter 3); 2D and 3D.",
     .parameters = "solver.liquid",
     .grid = Grid::cells,
     .deformation = false,
     .particles_per_side = 3,
     .sampling = Sampling::jittered,
     .memory_share = 1.0 / 3,
     .grips = false,
     .inflow = true},
};

constexpr auto names = [] {
  std::array<const char*, std::size(methods)> all{};
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = methods[i].name;
  return all;
}();
static_assert([] {
  for (std::size_t i = 0; i < std::size(methods); ++i)
    if (methods[i].method != static_cast<Method>(i)) return false;
  return true;
}());

}  // namespace

std::span<const char* const> enum_names(Method) { return names; }

const MethodTraits& traits_of(Method method) { return methods[static_cast<std::size_t>(method)]; }
std::span<const MethodTraits> all_methods() { return methods; }

std::string methods_with(bool MethodTraits::*has, const char* last) {
  std::vector<std::string> quoted;
  for (const MethodTraits& m : methods)
    if (m.*has) quoted.push_back(fmt::format("\"{}\"", m.name));
  std::string text;
  for (std::size_t i = 0; i < quoted.size(); ++i)
    text += (i == 0 ? "" : i + 1 < quoted.size() ? ", " : last) + quoted[i];
  return text;
}

}  // namespace knead
