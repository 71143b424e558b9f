#include "meshless/neighbours.h"

#include <tbb/parallel_sort.h>

namespace knead {

void sort_by_cell(std::span<KeyedPoint> points) {
  tbb::parallel_sort(points.begin(), points.end(), [](const KeyedPoint& a, const KeyedPoint& b) {
    return a.key != b.key ? a.key < b.key : a.point < b.point;
  });
}

}  // namespace knead
