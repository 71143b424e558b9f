// Plasticity as a state of strain, for bodies with a rest shape (O'Brien 2002, in Mueller 2004, section 4.1): the part
// of Green's strain that the body keeps, eps_p, follows where the deviator of the rest exceeds yield_strain,
//
//   d eps_p = beta (|e'| - yield_strain) / |e'| e',   e = eps - eps_p,   beta = 1 - exp(-creep dt)
//
// up to max_strain. It lives in the frame of the rest shape and is no function of stretches: only the method that knows
// that shape, solver.method = "mls", can use it, and does so in meshless/strain_state.h.
//
// Molten, it has no rest shape but the present one and yields at once (Mueller 2004, section 4.2): all that it
// remembers is an elastic strain, whose deviator creeps away at the rate melt_creep; see meshless/melt.cpp.
#pragma once

#include "material/elastic_st_venant_kirchhoff.h"

namespace knead {

struct StrainYield : FlowDefaults {
  std::optional<double> yield_strain;
  std::optional<double> creep;  // 1/s
  double max_strain = 0.4;
  bool melt = false;
  double melt_creep = 20;                         // 1/s
  std::optional<double> melt_young;               // Pa
  double melt_viscosity = 10;                     // Pa s
  bool melt_turns = true;                         // whether the strain of a melt turns with it
  std::optional<double> melting_temperature;      // K, from which on it melts
  std::optional<double> solidifying_temperature;  // K, below which it sets; melting_temperature where not given
  double latent_heat = 0;                         // J/kg, that melting takes and setting gives
  Vec3d fibre{1, 0, 0};
  double fibre_young = 0;  // Pa
  bool literal = false;

  static constexpr int history_size = 0;
  static constexpr std::array<HistoryColumn, 0> history_columns{};
  template <class T>
  using History = HistoryOf<T, history_size>;
  static constexpr bool needs_rest_shape = true;

  template <class Elastic, class T, int D>
  KNEAD_HD void project(const Elastic&, Vec<T, D>&, History<T>&, const FlowStep&) const {}
  bool melts() const { return melt || melting_temperature; }
  double sets_below() const { return solidifying_temperature.value_or(melting_temperature.value_or(0)); }
  std::vector<std::string> problems() const;
  static const Table& table();
};

struct StrainYieldModel {
  static constexpr const char* name = "strain-yield";
  static constexpr const char* doc =
      "Soft solid with a rest shape that takes dents, melts and sets again; for solver.method = \"mls\" (Mueller "
      "2004).";
  static constexpr double density = 1000;
  static constexpr StVenantKirchhoff elastic{{.young = 5e5, .poisson = 0.3}};
  static constexpr StrainYield flow{};
};

}  // namespace knead
