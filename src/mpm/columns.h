// The particle columns that the material point method reads and writes, looked up once a step.
#pragma once

#include "base/sym.h"
#include "world/world.h"

namespace knead {

template <class T, int D>
struct Columns {
  std::span<Vec<T, D>> x, v;
  std::span<Vec<T, D>> x_low;  // m, by which places are beyond what x can say; empty where that is not kept
  std::span<Mat<T, D>> H;      // elastic deformation gradient less the identity: of small strains no digit is lost
  std::span<Mat<T, D>> C;      // affine velocity; empty for PIC and FLIP
  std::span<Sym<T, D>> tau;    // Kirchhoff stress of F
  std::span<T> mass, volume;   // volume at rest
  std::span<T> awake;          // 0 where a mesh bears the stress, else 1; empty where none does

  explicit Columns(Particles& p)
      : x(p.get<Vec<T, D>>("x")),
        v(p.get<Vec<T, D>>("v")),
        x_low(p.find(low_column) ? p.get<Vec<T, D>>(low_column) : std::span<Vec<T, D>>{}),
        H(p.get<Mat<T, D>>(strain_column)),
        C(p.find("C") ? p.get<Mat<T, D>>("C") : std::span<Mat<T, D>>{}),
        tau(p.get<Sym<T, D>>("tau")),
        mass(p.get<T>("mass")),
        volume(p.get<T>("volume")),
        awake(p.find("awake") ? p.get<T>("awake") : std::span<T>{}) {}

  Mat<double, D> F(std::size_t i) const { return cast<double>(H[i]) + Mat<double, D>::identity(); }
  bool sleeps(std::size_t i) const { return !awake.empty() && !(awake[i] > T(0)); }
};

// Where particles are, to the last digit that is kept.
template <class T, int D>
struct Places {
  std::span<const Vec<T, D>> x, x_low;

  explicit Places(const Particles& p)
      : x(p.get<Vec<T, D>>("x")),
        x_low(p.find(low_column) ? p.get<Vec<T, D>>(low_column) : std::span<const Vec<T, D>>{}) {}

  Vec<double, D> operator[](std::size_t i) const {
    const Vec<double, D> at = resized<double, D>(x[i]);
    return x_low.empty() ? at : at + resized<double, D>(x_low[i]);
  }
};

}  // namespace knead
