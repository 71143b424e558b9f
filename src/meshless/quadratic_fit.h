// A least-squares fit of a field about a particle by polynomials of second degree. With q = X_j - X_i over the radius,
// p(q) = (x, y, x^2, x y, y^2) and weights w, the field's gradient at the particle is sum_j c_ij (f_j - f_i) with
//
//   c_ij = w (M^-1 p(q_ij)) of the first D rows,  M = sum_j w p p^T
//
// which is exact for quadratic fields wherever the neighbours lie, at surfaces too (Lancaster and Salkauskas 1981; a
// linear fit tells the gradient at the middle of the neighbourhood there).
#pragma once

#include "base/vec.h"

#include <array>
#include <cmath>

namespace knead {

template <int D>
class QuadraticFit {
 public:
  static constexpr int size = D + D * (D + 1) / 2;
  using Terms = std::array<double, static_cast<std::size_t>(size)>;

  void add(const Vec<double, D>& q, double w) {
    const Terms p = terms(q);
    for (int r = 0; r < size; ++r)
      for (int c = 0; c <= r; ++c) M_[at(r)][at(c)] += w * p[at(r)] * p[at(c)];
  }
  // Whether the neighbours tell a quadratic field; M = L L^T. Where they lie on few lines a term is nearly a sum of
  // others, and little is left of it.
  bool solve() {
    constexpr double least = 1e-3;
    for (int r = 0; r < size; ++r) {
      const double whole = M_[at(r)][at(r)];
      for (int c = 0; c <= r; ++c) {
        double left = M_[at(r)][at(c)];
        for (int k = 0; k < c; ++k) left -= M_[at(r)][at(k)] * M_[at(c)][at(k)];
        if (c < r)
          M_[at(r)][at(c)] = left / M_[at(c)][at(c)];
        else if (!(left > least * whole))
          return false;
        else
          M_[at(r)][at(r)] = std::sqrt(left);
      }
    }
    return true;
  }
  // c of a neighbour, for a unit weight and q over the radius.
  Vec<double, D> gradient(const Vec<double, D>& q) const {
    Terms z = terms(q);
    for (int r = 0; r < size; ++r) {
      for (int k = 0; k < r; ++k) z[at(r)] -= M_[at(r)][at(k)] * z[at(k)];
      z[at(r)] /= M_[at(r)][at(r)];
    }
    for (int r = size - 1; r >= 0; --r) {
      for (int k = r + 1; k < size; ++k) z[at(r)] -= M_[at(k)][at(r)] * z[at(k)];
      z[at(r)] /= M_[at(r)][at(r)];
    }
    Vec<double, D> c;
    for (int a = 0; a < D; ++a) c[a] = z[at(a)];
    return c;
  }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  static Terms terms(const Vec<double, D>& q) {
    Terms p{};
    int k = D;
    for (int a = 0; a < D; ++a) {
      p[at(a)] = q[a];
      for (int b = a; b < D; ++b) p[at(k++)] = q[a] * q[b];
    }
    return p;
  }
  std::array<Terms, static_cast<std::size_t>(size)> M_{};
};

}  // namespace knead
