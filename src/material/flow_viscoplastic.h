// Paste, clay, dough: rests like a solid below its yield stress and creeps like a thick liquid above it (Herschel and
// Bulkley 1926; Bingham for exponent 1), on Hencky elasticity. In shear, with g the rate of plastic shear,
//
//   stress = yield_stress + viscosity g^exponent
//
// which in norms of tensors is |dev tau| = sqrt(2) (yield_stress + viscosity (sqrt(2) |d eps_p| / dt)^exponent), solved
// at the end of the step (Perzyna 1966; implicit as in Simo 1998, chapter 2). A long step ends on von Mises' surface,
// a step of no length stays elastic.
#pragma once

#include "material/log_strain.h"

namespace knead {

struct ViscoplasticFlow : LogStrainFlow<ViscoplasticFlow> {
  double yield_stress = 100;  // Pa, in shear
  double consistency = 10;    // Pa s^exponent
  double exponent = 1;

  static constexpr bool is_radial = true;
  static constexpr bool at_a_rate = true;
  static constexpr int history_size = 1;
  static constexpr std::array<HistoryColumn, 1> history_columns{
      {{"plastic_strain", "", 0.0, "Plastic strain gathered, as the axial strain of a bar that is pulled alike."}}};
  template <class T>
  using History = HistoryOf<T, history_size>;

  // The share z of the full return to the yield surface that a step makes. With `over` the stress beyond yield,
  // z + b z^n = 1,  b = sqrt(2) viscosity (sqrt(2) over / (2 mu dt))^n / over.
  template <class T>
  KNEAD_HD T share_of_return(const T& over, double mu, double dt) const {
    constexpr double root2 = 1.41421356237309504880;
    if (consistency == 0) return T(1);
    if (dt <= 0) return T(0);
    if (exponent == 1) return T(mu * dt / (mu * dt + consistency));
    // The unknown is z or z^n, whichever makes the equation y^p + b' y^r = 1 with p, r >= 1, which is convex: Newton's
    // iteration comes down to the root from the right and never passes it.
    constexpr double largest_b = 1e30;  // no flow to speak of, and a finite float
    const T rate = max(over, T(std::numeric_limits<Real<T>>::min())) * T(root2 / (2 * mu * dt));
    const T b = min(power(rate, exponent - 1) * T(consistency / (mu * dt)), T(largest_b));
    const bool thinning = exponent < 1;
    const double p = thinning ? 1 / exponent : 1, r = thinning ? 1 : exponent;
    // Each term alone is at most 1.
    T y = min(T(1), thinning ? T(1) / b : power(b, -1 / exponent));
    for (int i = 0; i < newton_steps<T>; ++i) {
      const T power_less = power(y, (thinning ? p : r) - 1), curved = power_less * y;
      const T f = thinning ? curved + b * y - T(1) : y + b * curved - T(1);
      const T slope = thinning ? T(p) * power_less + b : T(1) + T(r) * b * power_less;
      y = max(y - f / slope, T(0));
    }
    return thinning ? power(y, p) : y;
  }

  template <class T, int D>
  KNEAD_HD void return_strain(const Hencky& elastic, Vec<T, D>& strain, History<T>& history,
                              const FlowStep& step) const {
    const double mu = elastic.mu();
    const StrainDeviator<T, D> d = deviator(strain);
    const T over = T(2 * mu) * d.norm - T(1.41421356237309504880 * yield_stress);
    const auto flows = over > T(0);
    if (!any(flows)) return;
    const T amount = select(flows, share_of_return(over, mu, step.dt) * over * T(1 / (2 * mu)), T(0));
    shorten_deviator(strain, d, amount);
    history[0] = history[0] + T(uniaxial_strain_share) * amount;
  }

  static const Table& table();

 private:
  // From at most twice the root, to rounding.
  template <class T>
  static constexpr int newton_steps = sizeof(Real<T>) == 4 ? 5 : 7;

  template <class T>
  KNEAD_HD static T power(const T& a, double exponent) {
    return exp(T(exponent) * log(a));
  }
};

struct ViscoplasticModel {
  static constexpr const char* name = "viscoplastic";
  static constexpr const char* aliases[] = {"herschel-bulkley", "bingham"};
  static constexpr const char* doc =
      "Paste, clay, dough, cream (Bingham, Herschel-Bulkley): keeps its shape under small loads, flows as a thick "
      "liquid "
      "under larger ones.";
  static constexpr double density = 1000;
  static constexpr Hencky elastic{{.young = 1e4, .poisson = 0.4}};
  static constexpr ViscoplasticFlow flow{};
};

}  // namespace knead
