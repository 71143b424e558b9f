#include "render/samples.h"

#include <algorithm>
#include <bit>

namespace knead {

std::uint32_t hashed(std::uint32_t x) {
  x = (x ^ (x >> 16)) * 0x7feb352du;
  x = (x ^ (x >> 15)) * 0x846ca68bu;
  return x ^ (x >> 16);
}

namespace {

// The two coordinates of point i before scrambling, as 32-bit fractions: the bits of i reversed, and Sobol's second
// dimension.
std::uint32_t first_coordinate(std::uint32_t i) {
  std::uint32_t result = 0;
  for (int b = 0; b < 32; ++b) result |= ((i >> b) & 1u) << (31 - b);
  return result;
}
std::uint32_t second_coordinate(std::uint32_t i) {
  std::uint32_t result = 0;
  for (std::uint32_t v = 1u << 31; i; i >>= 1, v ^= v >> 1)
    if (i & 1) result ^= v;
  return result;
}

// Flips each bit by a coin that depends on the bits above it.
std::uint32_t scrambled(std::uint32_t x, std::uint32_t seed) {
  std::uint32_t result = x;
  for (int b = 31; b >= 0; --b) {
    const std::uint32_t above = b == 31 ? 0 : x >> (b + 1);
    if (hashed(seed ^ hashed(above + 0x9e3779b9u * std::uint32_t(b + 1))) & 1) result ^= 1u << b;
  }
  return result;
}

Vec2f point(std::uint32_t i, std::uint32_t seed) {
  const std::uint32_t x = scrambled(first_coordinate(i), hashed(seed)),
                      y = scrambled(second_coordinate(i), hashed(seed + 0x51ed27u));
  return {float(x >> 8) * 0x1p-24f, float(y >> 8) * 0x1p-24f};
}

void append_page(std::vector<Vec2f>& to, std::size_t length, std::uint32_t seed) {
  // The order of the points is shuffled in each square by itself, in nested halves: prefixes stay well spread and
  // the squares do not know of each other.
  const int bits = std::countr_zero(length);
  for (std::uint32_t i = 0; i < length; ++i)
    for (std::uint32_t square = 0; square < SampleTable::squares; ++square) {
      const std::uint32_t s = hashed(seed * 977u + square + 1);
      const std::uint32_t shuffled = bits == 0 ? 0 : scrambled(i << (32 - bits), s) >> (32 - bits);
      to.push_back(point(shuffled, s + 77));
    }
}

}  // namespace

SampleTable::SampleTable(int per_pixel) : length_(std::bit_ceil(std::size_t(std::max(1, per_pixel)))) {
  for (int page = 0; page < pages; ++page) append_page(own_, length_, std::uint32_t(page + 1));
  append_page(shared_, 16 * length_, 4711);
}

}  // namespace knead
