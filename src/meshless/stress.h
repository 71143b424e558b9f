#pragma once

#include "world/world.h"

namespace knead {

// What the stress of some particles said.
struct MeshlessReport {
  double dissipated = 0;   // J
  double fastest = 0;      // m/s, elastic wave
  double square_flow = 0;  // m^3, sum of |F_p - I|^2 of the step times volume
  Guarded guarded{};
  void add(const MeshlessReport& r) {
    dissipated += r.dissipated;
    fastest = std::max(fastest, r.fastest), square_flow += r.square_flow;
    guarded.add(r.guarded);
  }
};

}  // namespace knead
