// Bonds of bodies that remember a shape: for each particle its neighbours in a rest space, with g = w q, the weighted
// rest vector. Two sums over bonds are all that elasticity needs:
//
//   M_i = sum_j x_ij g_ij^T                        which times A_i^-1 is the deformation gradient
//   f_i = G_i sum_j g_ij - sum_j G_j g_ji          with G_i = V_i T_i A_i^-1 : the force -dU/dx of the energies
//                                                  V_i psi(F_i)   (Mueller 2004, Eqs. 16 to 19; Ward 2012, Eq. 3.24)
//
// The second sum is over the particles that have i as a neighbour. Both are read only, so that threads need no care.
#pragma once

#include "base/mat.h"
#include "meshless/neighbours.h"

namespace knead {

template <class T, int D>
struct Bond {
  Vec<T, D> g;  // m, of the bond's first particle
  T w;
  int other;
};

template <class T, int D>
class RestSpace {
 public:
  // From bonds(i, add), which calls add(j, weight, rest vector q_ij) for each neighbour j of i in the order of j.
  template <class Bonds>
  void build(std::size_t n, const Lists& lists, Bonds&& weight_and_vector) {
    first_ = lists.first;
    out_.resize(lists.other.size());
    moment_.resize(n), sum_.resize(n), weight_.resize(n);
    parallel_for(n, 256, [&](std::size_t i) {
      Mat<T, D> A = Mat<T, D>::zero();
      Vec<T, D> s = Vec<T, D>::zero();
      T total = 0;
      for (std::int64_t k = first_[i]; k < first_[i + 1]; ++k) {
        const int j = lists.other[static_cast<std::size_t>(k)];
        const auto [w, q] = weight_and_vector(i, static_cast<std::size_t>(j), static_cast<std::size_t>(k));
        out_[static_cast<std::size_t>(k)] = {q * w, w, j};
        A += outer(q * w, q);
        s += q * w;
        total += w;
      }
      moment_[i] = A, sum_[i] = s, weight_[i] = total;
    });
    turn_round();
  }
  std::size_t count() const { return moment_.size(); }
  std::span<const Bond<T, D>> from(std::size_t i) const { return part(out_, first_, i); }
  // The bonds of others to i: `other` is whose, and g theirs.
  std::span<const Bond<T, D>> to(std::size_t i) const { return part(in_, first_in_, i); }
  const Mat<T, D>& moment(std::size_t i) const { return moment_[i]; }  // sum w q q^T
  const Vec<T, D>& sum(std::size_t i) const { return sum_[i]; }        // sum w q
  T weight(std::size_t i) const { return weight_[i]; }                 // sum w
  std::size_t bytes() const { return (out_.size() + in_.size()) * sizeof(Bond<T, D>); }

 private:
  static std::span<const Bond<T, D>> part(const std::vector<Bond<T, D>>& bonds, const std::vector<std::int64_t>& first,
                                          std::size_t i) {
    return {bonds.data() + first[i], static_cast<std::size_t>(first[i + 1] - first[i])};
  }
  void turn_round() {
    const std::size_t n = moment_.size();
    first_in_.assign(n + 1, 0);
    for (const Bond<T, D>& b : out_) ++first_in_[static_cast<std::size_t>(b.other) + 1];
    for (std::size_t i = 0; i < n; ++i) first_in_[i + 1] += first_in_[i];
    in_.resize(out_.size());
    place_.assign(first_in_.begin(), first_in_.end() - 1);
    for (std::size_t i = 0; i < n; ++i)
      for (const Bond<T, D>& b : from(i))
        in_[static_cast<std::size_t>(place_[static_cast<std::size_t>(b.other)]++)] = {b.g, b.w, static_cast<int>(i)};
  }

  std::vector<std::int64_t> first_{0}, first_in_{0}, place_;
  std::vector<Bond<T, D>> out_, in_;
  std::vector<Mat<T, D>> moment_;
  std::vector<Vec<T, D>> sum_;
  std::vector<T> weight_;
};

// sum_j x_ij g_ij^T
template <class T, int D>
Mat<T, D> stretched_moment(std::span<const Bond<T, D>> bonds, std::span<const Vec<T, D>> x, std::size_t i) {
  Mat<T, D> M = Mat<T, D>::zero();
  const Vec<T, D> here = x[i];
  for (const Bond<T, D>& b : bonds) {
    const Vec<T, D> away = x[static_cast<std::size_t>(b.other)] - here;
    for (int r = 0; r < D; ++r)
      for (int c = 0; c < D; ++c) M(r, c) = fma(away[r], b.g[c], M(r, c));
  }
  return M;
}

}  // namespace knead
