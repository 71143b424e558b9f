#include "output/components.h"

#include "scene/quantities.h"

#include <charconv>

namespace knead {

namespace {

enum class Rank { scalar, vector, matrix, symmetric, other };

Rank rank_of(int components, int dimension) {
  if (components == 1) return Rank::scalar;
  if (components == dimension) return Rank::vector;
  if (components == dimension * dimension) return Rank::matrix;
  if (components == dimension * (dimension + 1) / 2) return Rank::symmetric;
  return Rank::other;
}

// Rows and columns of the components of a symmetric tensor: xx yy xy in 2D, xx yy zz xy xz yz in 3D.
std::vector<std::pair<int, int>> symmetric_places(int dimension) {
  std::vector<std::pair<int, int>> places;
  for (int i = 0; i < dimension; ++i) places.emplace_back(i, i);
  for (int i = 0; i < dimension; ++i)
    for (int j = i + 1; j < dimension; ++j) places.emplace_back(i, j);
  return places;
}

constexpr int zero = -1, one = -2;

// For each component of the padded entry, the component it is taken from, or zero or one.
std::vector<int> padded_sources(const Column& column, int dimension) {
  const int components = column.components;
  std::vector<int> sources;
  switch (rank_of(components, dimension)) {
    case Rank::scalar:
      return {0};
    case Rank::vector:
      for (int i = 0; i < 3; ++i) sources.push_back(i < dimension ? i : zero);
      return sources;
    case Rank::matrix:
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) sources.push_back(i < dimension && j < dimension ? i * dimension + j : zero);
      // Plane strain: a deformation gradient leaves the third direction as it is.
      if (dimension < 3 && column.name[0] == 'F') sources.back() = one;
      return sources;
    case Rank::symmetric: {
      sources.assign(9, zero);
      int c = 0;
      for (const auto& [i, j] : symmetric_places(dimension)) {
        const int above = 3 * i + j, below = 3 * j + i;
        sources[static_cast<std::size_t>(above)] = sources[static_cast<std::size_t>(below)] = c++;
      }
      return sources;
    }
    case Rank::other:
      for (int i = 0; i < components; ++i) sources.push_back(i);
  }
  return sources;
}

void put_one(std::byte* to, Scalar scalar) {
  auto put = [to](auto value) { std::memcpy(to, &value, sizeof value); };
  switch (scalar) {
    case Scalar::f32:
      return put(1.0f);
    case Scalar::f64:
      return put(1.0);
    case Scalar::i32:
      return put(std::int32_t(1));
  }
}

}  // namespace

std::vector<std::string> component_names(const Column& column, int dimension) {
  return component_names(column.name, column.components, dimension);
}

Column padded_to_3d(const Column& column, int dimension) {
  const std::vector<int> sources = padded_sources(column, dimension);
  Column result{column.name, column.scalar, static_cast<int>(sources.size()), column.unit, {}};
  const std::size_t size = size_of(column.scalar), count = column.count();
  result.data.resize(count * result.stride());
  const std::byte* from = column.data.data();
  std::byte* to = result.data.data();
  for (std::size_t i = 0; i < count; ++i, from += column.stride())
    for (int source : sources) {
      if (source >= 0)
        std::memcpy(to, from + static_cast<std::size_t>(source) * size, size);
      else if (source == one)
        put_one(to, column.scalar);
      else
        std::memset(to, 0, size);
      to += size;
    }
  return result;
}

void append_number(std::string& text, const Column& column, std::size_t entry, int component) {
  const std::byte* p =
      column.data.data() + entry * column.stride() + static_cast<std::size_t>(component) * size_of(column.scalar);
  char digits[32];
  auto append = [&]<class T>(T value) {
    std::memcpy(&value, p, sizeof value);
    text.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
  };
  switch (column.scalar) {
    case Scalar::f32:
      return append(float{});
    case Scalar::f64:
      return append(double{});
    case Scalar::i32:
      return append(std::int32_t{});
  }
}

}  // namespace knead
