// The pressure of a weakly compressible liquid, a function of the volume alone:
//
//   p = K (J^-gamma - 1),  gamma = 7                                    Becker 2007, after Tait
//   psi = K ((J^(1 - gamma) - 1) / (gamma - 1) + J - 1),  p = -dpsi/dJ
//
// The bulk modulus at rest is gamma K = rho c^2. Below J = 0.6 the pressure grows no further.
#pragma once

#include "material/elastic.h"
#include "material/flow_none.h"

#include <optional>

namespace knead {

struct WeaklyCompressible {
  std::optional<double> bulk_modulus;  // Pa, at rest
  std::optional<double> sound_speed;   // m/s
  double rest_density = 1000;          // kg/m^3, that of the material, for the sound speed

  static constexpr double gamma = 7, smallest_J = 0.6;
  static constexpr double usual_sound_speed = 30;  // m/s

  double bulk() const {
    const double c = sound_speed.value_or(usual_sound_speed);
    return bulk_modulus.value_or(rest_density * c * c);
  }
  double K() const { return bulk() / gamma; }
  // Lame's moduli at rest, as other laws have them.
  double mu() const { return 0; }
  double lambda() const { return bulk(); }
  double p_wave_modulus() const { return bulk(); }

  // As (1 - J)^2 (6r + 5r^2 + 4r^3 + 3r^4 + 2r^5 + r^6) / 6 with r = 1/J, which does not cancel near rest.
  template <class T>
  KNEAD_HD T energy_of_volume(const T& J) const {
    const T held = max(J, T(smallest_J)), r = T(1) / held;
    T series = T(1);
    for (int k = 2; k <= 6; ++k) series = series * r + T(k);
    return T(K() / 6) * square(T(1) - held) * series * r - pressure(J) * (J - held);
  }
  template <class T>
  KNEAD_HD T pressure(const T& J) const {
    const T r = T(1) / max(J, T(smallest_J)), r2 = r * r;
    return T(K()) * (r2 * r2 * r2 * r - T(1));
  }
  // d2psi/dJ2.
  template <class T>
  KNEAD_HD T volume_stiffness(const T& J) const {
    const T r = T(1) / max(J, T(smallest_J)), r2 = r * r, r4 = r2 * r2;
    return select(J < T(smallest_J), T(0), T(bulk()) * r4 * r4);
  }

  template <class T, int D>
  KNEAD_HD T energy(const Vec<T, D>& sigma) const {
    return energy_of_volume(product(sigma));
  }
  template <class T, int D>
  KNEAD_HD Vec<T, D> kirchhoff(const Vec<T, D>& sigma) const {
    const T J = product(sigma);
    return Vec<T, D>::filled(-(pressure(J) * J));
  }
  template <class T, int D>
  KNEAD_HD Mat<T, D> hessian(const Vec<T, D>& sigma) const {
    const T J = product(sigma), stiffness = volume_stiffness(J), p = pressure(J);
    const Vec<T, D> others = products_of_others(sigma);
    Mat<T, D> H{};
    for (int i = 0; i < D; ++i)
      for (int j = 0; j < D; ++j) {
        H(i, j) = stiffness * others[i] * others[j];
        if (i != j) H(i, j) = H(i, j) - p * product_without(sigma, i, j);
      }
    return H;
  }
  template <class T, int D>
  KNEAD_HD PairSlopes<T, D> pair_slopes(const Vec<T, D>& sigma) const {
    const T p = pressure(product(sigma));
    PairSlopes<T, D> s{};
    for (int i = 0, pair = 0; i < D; ++i)
      for (int j = i + 1; j < D; ++j, ++pair) {
        s.minus[pair] = p * product_without(sigma, i, j);
        s.plus[pair] = -s.minus[pair];
      }
    return s;
  }

  std::vector<std::string> problems() const;
  static const Table& table();
};

}  // namespace knead
