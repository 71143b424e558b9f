// What a place that is found in double precision loses when it is written as floats.
#pragma once

#include "base/vec.h"

namespace knead {

// exact - resized<T, D>(exact). What is volatile is rounded: GCC 12 takes a vector of doubles that becomes one of
// floats and of doubles again for the same (g++ -O2, from x86-64-v2 on).
template <class T, int D, int N>
Vec<T, D> rounding_of_place(const Vec<double, N>& exact) {
  Vec<T, D> lost = Vec<T, D>::zero();
  for (int a = 0; a < (D < N ? D : N); ++a) {
    const volatile T rounded = T(exact[a]);
    lost[a] = T(exact[a] - double(rounded));
  }
  return lost;
}

}  // namespace knead
