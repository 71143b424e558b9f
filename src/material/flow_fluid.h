// A liquid remembers its volume and no shape: the deformation gradient becomes J^(1/d) I. The volume is kept within
// [0.6, 1.1] of rest: beyond, a point is crushed by the step or a drop on its own. Viscous stress is
// 2 eta J sym(grad v).
#pragma once

#include "material/elastic_fluid.h"

namespace knead {

struct FluidFlow : FlowDefaults {
  double eta = 0;  // Pa s

  static constexpr double least_J = WeaklyCompressible::smallest_J, most_J = 1.1;
  static constexpr int history_size = 0;
  static constexpr std::array<HistoryColumn, 0> history_columns{};
  template <class T>
  using History = HistoryOf<T, history_size>;
  static constexpr bool viscous = true;
  // Stress and return are functions of J = det F alone.
  static constexpr bool volume_only = true;
  double viscosity() const { return eta; }

  template <class T>
  KNEAD_HD static T held_volume(const T& J) {
    return clamp(J, T(least_J), T(most_J));
  }
  // J^(1/D) of a held volume; the cube root by two steps of Halley's iteration, which triple the digits.
  template <int D, class T>
  KNEAD_HD static T edge(const T& J) {
    if constexpr (D == 2) return sqrt(J);
    T s = (T(2) + J) * T(1.0 / 3);
    for (int i = 0; i < 2; ++i) {
      const T cube = s * s * s;
      s = s * (cube + T(2) * J) / (T(2) * cube + J);
    }
    return s;
  }

  template <class T, int D>
  KNEAD_HD void project(const WeaklyCompressible&, Vec<T, D>& sigma, History<T>&, const FlowStep&) const {
    sigma = Vec<T, D>::filled(edge<D>(held_volume(product(sigma))));
  }
  static const Table& table();
};

struct FluidModel {
  static constexpr const char* name = "fluid";
  static constexpr const char* aliases[] = {"liquid"};
  static constexpr const char* doc =
      "A liquid that is a little compressible, thin as water or thick as honey: pressure from volume, and viscosity.";
  static constexpr double density = 1000;
  static constexpr WeaklyCompressible elastic{};
  static constexpr FluidFlow flow{};
};

}  // namespace knead
