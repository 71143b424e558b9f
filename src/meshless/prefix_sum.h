#pragma once

#include "base/parallel.h"

#include <array>
#include <span>

namespace knead {

// Each entry becomes the sum of those up to it.
template <class T>
void prefix_sum(std::span<T> entries) {
  std::array<T, 64> part{};
  const std::size_t n = entries.size(), grain = std::max<std::size_t>(2048, (n + part.size() - 1) / part.size());
  parallel_chunks(n, grain, [&](std::size_t begin, std::size_t end) {
    T sum = 0;
    for (std::size_t i = begin; i < end; ++i) entries[i] = sum += entries[i];
    part[begin / grain] = sum;
  });
  if (n <= grain) return;
  for (std::size_t c = 1; c < part.size(); ++c) part[c] += part[c - 1];
  parallel_chunks(n, grain, [&](std::size_t begin, std::size_t end) {
    if (begin == 0) return;
    for (std::size_t i = begin; i < end; ++i) entries[i] += part[begin / grain - 1];
  });
}

}  // namespace knead
