// No plastic flow: the deformation gradient is all elastic. Also states what a flow rule must offer.
#pragma once

#include "base/math.h"
#include "base/table.h"

#include <array>

namespace knead {

// A number that a flow rule remembers for each particle: a column of the particles.
struct HistoryColumn {
  const char* name;
  const char* unit;  // SI symbol, empty for a pure number
  double initial;
  const char* doc;
  bool sum = false;  // the rule only adds to it and never asks for it: it is not loaded where nothing is added
  bool lost_strength = false;  // the share of a strength that is lost; bodies may start with some
};

// A particle's history; one unused entry where there is none, since arrays have at least one.
template <class T, int N>
using HistoryOf = Vec<T, (N == 0 ? 1 : N)>;

// For rules whose flow takes up volume: the logarithm of it, gathered return by return. Matter that came apart further
// than most_plastic_volume is alone, and its velocity gradient says nothing about volume any more.
inline constexpr HistoryColumn plastic_volume_column{
    "ln_J_p", "", 0.0, "Logarithm of the volume change that plastic flow has taken up.", true};
inline constexpr double most_plastic_volume = 20;
template <class T>
KNEAD_INLINE T plastic_volume_of(const T& ln_J_p) {
  return clamp(exp(ln_J_p), T(1 / most_plastic_volume), T(most_plastic_volume));
}

// What a flow rule may ask about the step: rates need dt, a fracture energy needs the size of a cell.
struct FlowStep {
  double dt = 0;  // s; 0 where no time passes
  double dx = 1;  // m
};

// What a flow rule offers besides `project`, for rules that do not stiffen, swell or resist rates. One that does states
// its own.
struct FlowDefaults {
  // Whether no return can raise the elastic energy, whatever the trial.
  static constexpr bool always_dissipates = true;
  // Whether a return may change the strain; a rule without only remembers.
  static constexpr bool moves_strain = true;
  // Whether a return goes only as far as the time of the step lets it: a second one goes on.
  static constexpr bool at_a_rate = false;
  // Whether the stress has a viscous part, 2 viscosity() J sym(grad v).
  static constexpr bool viscous = false;
  double viscosity() const { return 0; }  // Pa s

  // The factor by which hardening multiplies energy and stress.
  template <class T, class History>
  KNEAD_HD T stiffening(const History&) const {
    return T(1);
  }
  // The part of the volume change that flow has taken up: volume = rest volume * det F * this.
  template <class T, class History>
  KNEAD_HD T plastic_volume(const History&) const {
    return T(1);
  }
};

// A flow rule moves the trial singular values back to what the material can bear, and may change the history and the
// stiffness.
struct NoFlow : FlowDefaults {
  static constexpr int history_size = 0;
  static constexpr std::array<HistoryColumn, 0> history_columns{};
  template <class T>
  using History = HistoryOf<T, history_size>;
  // From the trial singular values to the elastic ones.
  template <class Elastic, class T, int D>
  KNEAD_HD void project(const Elastic&, Vec<T, D>&, History<T>&, const FlowStep&) const {}

  static const Table& table();
};

}  // namespace knead
