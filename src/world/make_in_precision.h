// A method in the dimension and precision that a scene asks for.
#pragma once

#include "scene/scene.h"
#include "world/solver.h"

#include <memory>

namespace knead {

template <template <class, int> class Method>
std::unique_ptr<Solver> make_in_precision(const Scene& scene) {
  const bool wide = scene.solver.precision == Precision::f64;
  if (scene.scene.dimension == 2) {
    if (wide) return std::make_unique<Method<double, 2>>(scene);
    return std::make_unique<Method<float, 2>>(scene);
  }
  if (wide) return std::make_unique<Method<double, 3>>(scene);
  return std::make_unique<Method<float, 3>>(scene);
}

}  // namespace knead
