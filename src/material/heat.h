// What a material does with heat (Carslaw and Jaeger 1959): Fourier's law, a constant heat capacity, and, where it
// melts, the temperatures at which it does and sets again, with the heat that this takes. Only methods without a grid
// conduct.
#pragma once

#include "base/table.h"

namespace knead {

struct Heat {
  std::optional<double> conductivity;  // W/(m K); must be given where a scene has temperatures
  double capacity = 1000;              // J/(kg K)
  static const Table& table();
};

}  // namespace knead
