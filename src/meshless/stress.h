#pragma once

#include "world/world.h"

namespace knead {

// What the stress of some particles said.
struct MeshlessReport {
  double dissipated = 0;  // J
  double pressed = 0;     // J, given to the pressure of melts where it begins at a lower density than before
  double fastest = 0;     // m/s, elastic wave
  Guarded guarded{};
  void add(const MeshlessReport& r) {
    dissipated += r.dissipated, pressed += r.pressed;
    fastest = std::max(fastest, r.fastest);
    guarded.add(r.guarded);
  }
};

}  // namespace knead
