#include "world/reorder.h"

#include "base/parallel.h"

#include <algorithm>

namespace knead {

namespace {

// to[i] = from[permutation[i]], entries of `stride` bytes; the common sizes as copies that the compiler knows.
void permute_entries(const std::byte* from, std::byte* to, std::size_t stride, std::span<const int> permutation) {
  const auto copy = [&](auto size) {
    parallel_chunks(permutation.size(), 4096, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i)
        std::memcpy(to + i * size, from + static_cast<std::size_t>(permutation[i]) * size, size);
    });
  };
  switch (stride) {
    case 4:
      return copy(std::integral_constant<std::size_t, 4>{});
    case 12:
      return copy(std::integral_constant<std::size_t, 12>{});
    case 24:
      return copy(std::integral_constant<std::size_t, 24>{});
    case 36:
      return copy(std::integral_constant<std::size_t, 36>{});
    default:
      return copy(stride);
  }
}

// Whether all entries are the same, so that any order of them is.
bool is_uniform(const Column& column) {
  const std::size_t stride = column.stride(), size = column.data.size();
  return size <= stride || std::memcmp(column.data.data(), column.data.data() + stride, size - stride) == 0;
}

}  // namespace

void reorder(Particles& particles, std::span<const int> permutation, SpareColumns& spare,
             std::span<const std::string_view> but) {
  for (Column& column : particles.columns()) {
    if (std::find(but.begin(), but.end(), column.name) != but.end() || is_uniform(column)) continue;
    Bytes& other = spare[column.stride()];
    other.resize(permutation.size() * column.stride());
    permute_entries(column.data.data(), other.data(), column.stride(), permutation);
    std::swap(column.data, other);
  }
}

}  // namespace knead
