// What the tests of laws share: the list as test types, random deformations, energy and stress of a deformation
// gradient.
#pragma once

#include "base/dual.h"
#include "material/list.h"
#include "material/update_point.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace knead {

template <class Variant>
struct TestTypes;
template <class... Law>
struct TestTypes<std::variant<Law...>> {
  using Type = ::testing::Types<Law...>;
};
using LawTypes = TestTypes<Materials>::Type;

// Tests are named after the material.
struct LawName {
  template <class Law>
  static std::string GetName(int) {
    std::string name(Law::name);
    for (char& c : name)
      if (c == '-') c = '_';
    return name;
  }
};

class Random {
 public:
  double uniform(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine_); }
  template <int D>
  Vec<double, D> stretches(double low, double high) {
    Vec<double, D> s{};
    for (double& x : s.e) x = uniform(low, high);
    return s;
  }
  template <int D>
  Mat<double, D> rotation() {
    Mat<double, D> m{};
    for (double& x : m.e) x = std::normal_distribution<double>()(engine_);
    return svd(m).U;
  }
  template <int D>
  Mat<double, D> deformation(double low, double high) {
    return rotation<D>() * Mat<double, D>::diagonal(stretches<D>(low, high)) * rotation<D>();
  }

 private:
  std::mt19937_64 engine_{11};
};

template <class Law>
using HistoryD = typename Law::template History<double>;

// The energy per unit rest volume and the Kirchhoff stress of F taken as elastic, without flow.
template <class Law, int D>
double elastic_energy(const Law& law, const Mat<double, D>& F, const HistoryD<Law>& history) {
  return law.energy(svd(F).sigma, history);
}
template <class Law, int D>
Mat<double, D> elastic_stress(const Law& law, const Mat<double, D>& F, const HistoryD<Law>& history) {
  const Svd<double, D> d = svd(F);
  return to_matrix<D>(rotated_diagonal(d.U, law.kirchhoff(d.sigma, history)));
}

template <int D>
double largest(const Mat<double, D>& m) {
  double r = 0;
  for (double x : m.e) r = std::isfinite(x) ? std::max(r, std::abs(x)) : 1e300;
  return r;
}

}  // namespace knead
