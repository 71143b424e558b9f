#include "world/sound.h"

#include "base/parallel.h"
#include "world/sound_links.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <utility>

namespace knead {

namespace {

constexpr std::size_t grain = 1 << 16;
constexpr std::size_t none = SIZE_MAX;

// The first of the reals for which bad(real) holds. Chunks are searched whole, so that the loop has no early end and
// runs as fast as memory; only one with a fault is searched once more.
template <class T, class Bad>
std::size_t first_bad(std::span<const T> values, Bad bad) {
  return parallel_reduce(
      values.size(), grain, none,
      [&](std::size_t begin, std::size_t end) {
        bool any = false;
        for (std::size_t i = begin; i < end; ++i) any |= bad(values[i]);
        if (!any) return none;
        return static_cast<std::size_t>(std::find_if(values.begin() + static_cast<std::ptrdiff_t>(begin),
                                                     values.begin() + static_cast<std::ptrdiff_t>(end), bad) -
                                        values.begin());
      },
      [](std::size_t a, std::size_t b) { return std::min(a, b); });
}

// All numbers of a column, whatever its entries are.
template <class T>
std::span<const T> numbers_of(const Column& column) {
  return {reinterpret_cast<const T*>(column.data.data()), column.data.size() / sizeof(T)};
}

// By its bits: the exponents of infinities and of what is not a number are all ones.
constexpr auto not_finite = [](auto value) {
  if constexpr (sizeof(value) == 4)
    return (~std::bit_cast<std::uint32_t>(value) & 0x7F80'0000u) == 0;
  else
    return (~std::bit_cast<std::uint64_t>(value) & 0x7FF0'0000'0000'0000u) == 0;
};
constexpr auto negative = [](auto value) { return value < 0; };
constexpr auto not_positive = [](auto value) { return value <= 0; };

template <class Bad>
std::size_t first_bad_entry(const Column& column, Bad bad) {
  const std::size_t at = column.scalar == Scalar::f32   ? first_bad(numbers_of<float>(column), bad)
                         : column.scalar == Scalar::f64 ? first_bad(numbers_of<double>(column), bad)
                                                        : none;
  return at == none ? none : at / static_cast<std::size_t>(column.components);
}

// Each is there once, and none is negative. Ids of files ascend; those of a world in memory do not.
bool ids_are_sound(std::span<const std::int32_t> id) {
  const auto ascending = [](std::span<const std::int32_t> ids) {
    return std::adjacent_find(ids.begin(), ids.end(), std::greater_equal<>()) == ids.end() &&
           (ids.empty() || ids.front() >= 0);
  };
  if (ascending(id)) return true;
  std::vector<std::int32_t> sorted(id.begin(), id.end());
  std::sort(sorted.begin(), sorted.end());
  return ascending(sorted);
}

// What a column is, for those who do not know those that only checkpoints have.
std::string words_of(const std::string& column) {
  constexpr std::pair<const char*, const char*> hidden[] = {
      {strain_column, "elastic deformation"},
      {".F_low", "rounding remainder of 'F'"},
      {low_column, "rounding remainder of the position"},
      {".a", "acceleration"},
      {".body_a", "body force per mass"},
      {".x_before", "position before the step"},
      {".first_volume", "initial volume"},
      {".volume_factor", "change of volume"},
      {".height", "height of the melt's body"},
      {".held_density", "density at which the pressure begins"},
      {".held_slope", "stiffness of the stabilizer"},
      {".held_strain", "strain of the stabilizer"},
      {".skipped", "count of steps without a deformation"},
  };
  for (const auto& [name, words] : hidden)
    if (column == name) return fmt::format("the {}", words);
  return column.starts_with('.') ? "what is carried from step to step" : fmt::format("the column '{}'", column);
}

std::string fault_in(const Particles& particles, const char* entry, bool moving) {
  const Column* id = particles.find("id");
  if (id && (id->scalar != Scalar::i32 || id->components != 1)) return "the column 'id' is not a whole number";
  if (id && !ids_are_sound(id->as<std::int32_t>())) return "the column 'id' has a repeated or negative number";
  const auto name = [&](std::size_t i) { return id ? id->as<std::int32_t>()[i] : static_cast<std::int64_t>(i); };
  for (const Column& column : particles.columns()) {
    if (const std::size_t i = first_bad_entry(column, not_finite); i != none)
      return fmt::format("{} of {} {} is not a finite number", words_of(column.name), entry, name(i));
    if (column.name == "mass" || column.name == "volume")
      if (const std::size_t i = moving ? first_bad_entry(column, not_positive) : first_bad_entry(column, negative);
          i != none)
        return fmt::format("the column '{}' of {} {} is {}", column.name, entry, name(i),
                           column.value(i) < 0 ? "negative" : "0");
  }
  return "";
}

}  // namespace

std::string fault_of(const Particles& particles) { return fault_in(particles, "particle", false); }

std::string fault_of(const World& world) {
  std::string fault = fault_in(world.particles, "particle", true);
  if (fault.empty()) fault = fault_in(world.mesh.cells, "cell", true);
  if (fault.empty()) fault = fault_in(world.mesh.edges, "edge", true);
  if (fault.empty()) fault = fault_of_links(world);
  return fault;
}

}  // namespace knead
