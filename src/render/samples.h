// Well spread random numbers for pixels: tables made once, the same on every machine.
#pragma once

#include "base/vec.h"

#include <cstdint>
#include <vector>

namespace knead {

// A random number from any number, the same for the same input.
std::uint32_t hashed(std::uint32_t x);

// Points of the unit square, well spread in every prefix of a power of two (a (0,2)-sequence, each page scrambled
// after Owen 1995). A pixel's samples need several independent squares: for the place in the pixel, the sun, the sky.
class SampleTable {
 public:
  static constexpr int squares = 3;
  static constexpr int pages = 64;
  explicit SampleTable(int per_pixel);

  // Sample i of a pixel that stands by itself.
  const Vec2f& alone(std::uint32_t pixel_hash, int i, int square) const {
    return own_[((pixel_hash % pages) * length_ + std::size_t(i)) * squares + std::size_t(square)];
  }
  // Sample i of pixel (x, y) where neighbours will be averaged: any 4 x 4 pixels share one well spread set.
  const Vec2f& shared(int x, int y, int i, int square) const {
    static constexpr int order[16] = {0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5};
    return shared_[(std::size_t(i) * 16 + std::size_t(order[(y & 3) * 4 + (x & 3)])) * squares + std::size_t(square)];
  }

 private:
  std::size_t length_;
  std::vector<Vec2f> own_, shared_;
};

}  // namespace knead
