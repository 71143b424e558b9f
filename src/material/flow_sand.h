// Sand: shear is borne in proportion to pressure, and no tension at all (Drucker-Prager on Hencky elasticity).
//
//   |dev tau| + alpha tr tau <= k                                                   Klar 2016, Drucker-Prager
//   alpha from the friction angle phi, see `Match`; k = alpha d c cot(phi) from the cohesion c
//   phi = friction_angle + (h1 q - h3) exp(-h2 q)                                   Klar 2016, hardening
//
// The return keeps the volume: deliberately not associated, since an associated cone swells without end. Where sand
// comes apart, the volume it gains is kept in v_c and must be given back before pressure returns (Tampubolon 2017); wet
// sand that came apart has no cohesion until then. Departure: q gathers the strain that this step took, without v_c, so
// that matter that flies apart does not harden with the number of steps.
#pragma once

#include "base/elementary.h"
#include "material/log_strain.h"

namespace knead {

// Where the cone |dev tau| = -alpha tr tau meets Mohr and Coulomb's law, (tau_1 - tau_3) = -sin(phi) (tau_1 + tau_3).
//   triaxial                       at triaxial compression: alpha = sqrt(2/3) 2 sin(phi) / (3 - sin(phi)), 2D and 3D
//   plane_strain, mohr_coulomb_2d  in flow within a plane: alpha = sin(phi) / sqrt(2) in 2D, sqrt(2) sin(phi) / 3 in 3D
//   automatic                      in 2D in its plane, in 3D triaxial
enum class Match { automatic, triaxial, plane_strain, mohr_coulomb_2d };
std::span<const char* const> enum_names(Match);

struct SandFlow : LogStrainFlow<SandFlow> {
  double friction_angle = 0.52359877559829887308;  // rad, 30 degrees
  double h1 = 0, h2 = 0, h3 = 0;                   // rad, -, rad
  double cohesion = 0;                             // Pa
  Match match = Match::automatic;

  static constexpr bool is_radial = true;
  static constexpr int history_size = 2;
  static constexpr std::array<HistoryColumn, 2> history_columns{
      {{"v_c", "", 0.0, "Logarithm of the volume gained by coming apart, given back before pressure returns."},
       {"q", "", 0.0, "Plastic strain gathered, the norm of its increments."}}};
  template <class T>
  using History = HistoryOf<T, history_size>;

  // alpha / sin(phi).
  template <class T>
  KNEAD_HD T cone_factor(const T& sine, int dimension) const {
    const bool triaxial = match == Match::triaxial || (match == Match::automatic && dimension == 3);
    if (triaxial) return T(2 * uniaxial_strain_share) / (T(3) - sine);
    return T(dimension == 2 ? 0.70710678118654752440 : 0.47140452079103168293);
  }

  // sin(phi) after the plastic strain q. The hardened angle is kept below a right one.
  template <class T>
  KNEAD_HD T sine_of_friction(const T& q) const {
    if (h1 == 0 && h3 == 0) return T(elementary::sin(friction_angle));
    constexpr double steepest = 1.55;
    const T phi = T(friction_angle) + (T(h1) * q - T(h3)) * exp(T(-h2) * q), x = clamp(phi, T(0), T(steepest));
    // Taylor's series, to 1e-13 at the steepest angle.
    const T square_x = x * x;
    T s = T(1);
    for (int k = 18; k >= 2; k -= 2) s = T(1) - s * square_x * T(1.0 / (k * (k + 1)));
    return x * s;
  }

  template <class T, int D>
  KNEAD_HD void return_strain(const Hencky& elastic, Vec<T, D>& strain, History<T>& history, const FlowStep&) const {
    const double bulk = D * elastic.lambda() + 2 * elastic.mu();  // tr tau / tr eps
    const T sine = sine_of_friction(history[1]), factor = cone_factor(sine, D);
    const Vec<T, D> trial = strain;
    for (int i = 0; i < D; ++i) strain[i] = strain[i] + history[0] * T(1.0 / D);
    const T volume = sum(strain);
    // Apart: beyond the tip of the cone, or not yet together again.
    T k = T(0), tip = T(0);
    if (cohesion > 0) {
      k = factor * T(D * cohesion) * sqrt(T(1) - sine * sine);
      const T alpha = max(factor * sine, T(1e-12));
      tip = select(history[0] > T(0), T(0), k / (alpha * T(bulk)));
    }
    const auto apart = volume >= tip;
    // On the cone.
    const StrainDeviator<T, D> d = deviator(strain);
    const T over = d.norm + (factor * sine * T(bulk) * volume - k) * T(1 / (2 * elastic.mu()));
    shorten_deviator(strain, d, max(over, T(0)));
    T square_change = T(0);
    for (int i = 0; i < D; ++i) {
      strain[i] = select(apart, T(0), strain[i]);
      square_change = square_change + square(trial[i] - strain[i]);
    }
    history[0] = select(apart, volume, T(0));
    history[1] = history[1] + sqrt(square_change);
  }

  template <class T>
  KNEAD_HD T plastic_volume(const History<T>& history) const {
    return exp(history[0]);
  }
  static const Table& table();
};

struct SandModel {
  static constexpr const char* name = "sand";
  static constexpr const char* aliases[] = {"drucker-prager"};
  static constexpr const char* doc =
      "Sand, soil, grain (Drucker-Prager): piles up at its friction angle, flows when it is steeper, bears no pull; "
      "with cohesion wet sand.";
  static constexpr double density = 2200;
  static constexpr Hencky elastic{{.young = 3.537e5, .poisson = 0.3}};
  static constexpr SandFlow flow{};
};

}  // namespace knead
