// Random numbers that depend on a seed and a place alone, so that threads and their order do not matter.
#pragma once

#include <cstdint>

namespace knead {

// A stream of numbers for one place (a cell, a particle) of one seed (SplitMix64: Steele, Lea and Flood 2014).
class RandomAt {
 public:
  RandomAt(std::uint64_t seed, std::uint64_t place) : state_(mix(seed + step) ^ mix(~place)) {}

  std::uint64_t bits() { return mix(state_ += step); }
  double unit() { return static_cast<double>(bits() >> 11) * 0x1p-53; }  // in [0, 1)
  int below(int n) { return static_cast<int>(unit() * n); }              // 0 to n - 1

 private:
  static constexpr std::uint64_t step = 0x9e3779b97f4a7c15;
  static std::uint64_t mix(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  std::uint64_t state_;
};

}  // namespace knead
