// Fracture by a phase field (Bourdin, Francfort and Marigo 2000; the model AT2 of Ambrosio and Tortorelli 1990). A
// field d from 0, whole, to 1, broken, smears cracks over the length l; with it matter has the energy
//
//   (1 - d)^2 psi+(F) + psi-(F) + G_c (d^2 / (2 l) + l/2 |grad d|^2)
//
// so that a crack costs G_c for each unit of its area, and a bar under even tension bears at most 9/16 sqrt(E G_c / (3
// l)). The field is solved for on the grid (mpm/phase_field.h), driven by the largest tensile energy H that matter has
// held (Miehe, Hofacker and Welschinger 2010): what is broken stays broken. No strain becomes plastic.
#pragma once

#include "material/elastic_hencky_split.h"
#include "material/log_strain.h"

namespace knead {

struct PhaseFieldFlow : LogStrainFlow<PhaseFieldFlow> {
  static constexpr bool moves_strain = false;
  double fracture_energy = 10;  // G_c, J/m^2
  double crack_length = 0.04;   // l, m

  // The grid tells the field, and the stress follows it when it is next found: so what that takes is known.
  static constexpr int history_size = 3;
  static constexpr std::array<HistoryColumn, 3> history_columns{
      {{"damage", "", 0.0, "How broken it is: (1 - damage)^2 of the stiffness against tension is left."},
       {"tensile_energy", "J/m^3", 0.0, "Largest energy of tension that it has held; drives cracks."},
       {"crack_field", "", 0.0, "The damage that it has from the next step on."}}};
  template <class T>
  using History = HistoryOf<T, history_size>;

  template <class T, int D>
  KNEAD_HD void return_strain(const Hencky& elastic, Vec<T, D>& strain, History<T>& history, const FlowStep&) const {
    history[1] = max(tensile_energy(elastic, strain), history[1]);
    history[0] = history[2];
  }
  // The energy that goes with a change of damage, J/m^3.
  template <class T, int D>
  KNEAD_HD T given_up(const Hencky& elastic, const Vec<T, D>& strain, const History<T>& before,
                      const History<T>& after) const {
    return (stiffening<T>(before) - stiffening<T>(after)) * tensile_energy(elastic, strain);
  }
  // Of tension.
  template <class T, class History>
  KNEAD_HD T stiffening(const History& history) const {
    return square(T(1) - history[0]);
  }
  static const Table& table();
};

struct PhaseFieldModel {
  static constexpr const char* name = "phase-field";
  static constexpr const char* doc =
      "Brittle matter whose cracks are a smooth field on the grid: they start, run, turn and branch where that takes "
      "the least energy. mpm only.";
  static constexpr double density = 1000;
  static constexpr SplitHencky elastic{{{.young = 1e6, .poisson = 0.3}}};
  static constexpr PhaseFieldFlow flow{};
};

}  // namespace knead
