// The particle columns that the material point method reads and writes, looked up once a step.
#pragma once

#include "base/sym.h"
#include "world/world.h"

namespace knead {

template <class T, int D>
struct Columns {
  std::span<Vec<T, D>> x, v;
  std::span<Mat<T, D>> H;     // elastic deformation gradient less the identity: of small strains no digit is lost
  std::span<Mat<T, D>> C;     // affine velocity; empty for PIC and FLIP
  std::span<Sym<T, D>> tau;   // Kirchhoff stress of F
  std::span<T> mass, volume;  // volume at rest
  std::span<T> awake;         // 0 where a mesh bears the stress, else 1; empty where none does

  explicit Columns(Particles& p)
      : x(p.get<Vec<T, D>>("x")),
        v(p.get<Vec<T, D>>("v")),
        H(p.get<Mat<T, D>>(strain_column)),
        C(p.find("C") ? p.get<Mat<T, D>>("C") : std::span<Mat<T, D>>{}),
        tau(p.get<Sym<T, D>>("tau")),
        mass(p.get<T>("mass")),
        volume(p.get<T>("volume")),
        awake(p.find("awake") ? p.get<T>("awake") : std::span<T>{}) {}

  Mat<double, D> F(std::size_t i) const { return cast<double>(H[i]) + Mat<double, D>::identity(); }
  bool sleeps(std::size_t i) const { return !awake.empty() && !(awake[i] > T(0)); }
};

}  // namespace knead
