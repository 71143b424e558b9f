// What sums and differences lose by rounding, exactly (Knuth 1997, section 4.2.2); of numbers and of packs.
#pragma once

#include "base/math.h"

namespace knead {

// a + b - sum, of the rounded sum.
template <class T>
KNEAD_INLINE T rounding_of_sum(const T& a, const T& b, const T& sum) {
  const T second = sum - a, first = sum - second;
  return (a - first) + (b - second);
}
// a - b - difference, of the rounded difference.
template <class T>
KNEAD_INLINE T rounding_of_difference(const T& a, const T& b, const T& difference) {
  const T second = a - difference, first = difference + second;
  return (a - first) + (second - b);
}

}  // namespace knead
