#include "meshless/neighbours.h"

namespace knead {

void CellSort::sort(int bits) {
  const std::size_t n = points.size();
  const std::size_t grain = std::max<std::size_t>(1024, (n + 63) / 64), chunks = (n + grain - 1) / grain;
  spare_.resize(n);
  const int passes = (bits + 9) / 10;
  for (int pass = 0; pass < passes; ++pass) {
    const int low = bits * pass / passes, high = bits * (pass + 1) / passes;
    const std::size_t digits = std::size_t(1) << (high - low);
    const auto digit = [&](const KeyedPoint& p) { return static_cast<std::size_t>(p.key >> low) & (digits - 1); };
    places_.assign(chunks * digits, 0);
    parallel_chunks(n, grain, [&](std::size_t begin, std::size_t end) {
      int* counts = places_.data() + begin / grain * digits;
      for (std::size_t i = begin; i < end; ++i) ++counts[digit(points[i])];
    });
    // Where the first point of each digit goes, of each chunk.
    int place = 0;
    for (std::size_t d = 0; d < digits; ++d)
      for (std::size_t c = 0; c < chunks; ++c) place += std::exchange(places_[c * digits + d], place);
    parallel_chunks(n, grain, [&](std::size_t begin, std::size_t end) {
      int* to = places_.data() + begin / grain * digits;
      for (std::size_t i = begin; i < end; ++i) spare_[static_cast<std::size_t>(to[digit(points[i])]++)] = points[i];
    });
    points.swap(spare_);
  }
}

}  // namespace knead
