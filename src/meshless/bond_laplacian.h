// The weighted graph Laplacian of all pairs of particles that are bonded either way: (L v)_i = sum_j c_ij (v_i - v_j)
// with c_ij = c_ji. Viscosity and the embedding are such systems (Ward 2012, sections 3.5 and 3.6).
#pragma once

#include "meshless/rest_space.h"

namespace knead {

template <class T, int D>
class BondLaplacian {
 public:
  // Lists of a rest space must be in the order of numbers.
  void connect(const RestSpace<T, D>& rest) {
    const std::size_t n = rest.count();
    first_.resize(n + 1), first_[0] = 0;
    parallel_for(n, 128, [&](std::size_t i) {
      std::int64_t count = 0;
      for_each_bonded(rest, i, [&](int, T, T) { ++count; });
      first_[i + 1] = count;
    });
    prefix_sum(std::span(first_));
    const auto all = static_cast<std::size_t>(first_[n]);
    other_.resize(all), share_.resize(all), c_.resize(all), diagonal_.resize(n);
    parallel_for(n, 128, [&](std::size_t i) {
      auto k = static_cast<std::size_t>(first_[i]);
      for_each_bonded(rest, i, [&](int j, T share, T) { other_[k] = j, share_[k] = share, ++k; });
    });
  }
  // c is the sum of the weights of both bonds.
  void take_weights(const RestSpace<T, D>& rest) {
    parallel_for(count(), 128, [&](std::size_t i) {
      auto k = static_cast<std::size_t>(first_[i]);
      for_each_bonded(rest, i, [&](int, T, T weight) { c_[k++] = weight; });
      sum_up(i);
    });
  }
  // c(i, numbers of others, shares) for packs of pairs, which must not depend on who of a pair is i: share is
  // 1/2 where only one of them is bonded to the other, and 1 else.
  template <class F>
  void measure(F&& c) {
    using P = Pack<T>;
    parallel_for(count(), 64, [&](std::size_t i) {
      for_packs<P>(static_cast<std::size_t>(first_[i]), static_cast<std::size_t>(first_[i + 1]),
                   [&](std::size_t k, int some) {
                     // Behind the last stands the last again.
                     int others[P::width];
                     for (int lane = 0; lane < P::width; ++lane)
                       others[lane] = other_[k + static_cast<std::size_t>(std::min(lane, some - 1))];
                     store_scalars<P>(c(i, others, load_scalars<P>(share_.data() + k, some)), c_.data() + k, some);
                   });
      sum_up(i);
    });
  }
  std::size_t count() const { return diagonal_.size(); }
  T diagonal(std::size_t i) const { return diagonal_[i]; }
  // sum_j c_ij (v_j - v_i), which is -(L v)_i
  Vec<T, D> pull(std::size_t i, std::span<const Vec<T, D>> v) const {
    using P = Pack<T, 4>;
    const auto begin = static_cast<std::size_t>(first_[i]), end = static_cast<std::size_t>(first_[i + 1]);
    const P here = load_four(v[i]);
    const auto there = [&](std::size_t k) { return load_four(v[static_cast<std::size_t>(other_[k])]); };
    P even(0), odd(0);
    std::size_t k = begin;
    for (; k + 1 < end; k += 2) {
      even = fma(there(k) - here, P(c_[k]), even);
      odd = fma(there(k + 1) - here, P(c_[k + 1]), odd);
    }
    if (k < end) even = fma(there(k) - here, P(c_[k]), even);
    const P sum = even + odd;
    Vec<T, D> f;
    for (int a = 0; a < D; ++a) f[a] = sum[a];
    return f;
  }
  std::size_t bytes() const { return c_.size() * (2 * sizeof(T) + sizeof(int)); }

 private:
  void sum_up(std::size_t i) {
    T sum = 0;
    for (auto k = static_cast<std::size_t>(first_[i]); k < static_cast<std::size_t>(first_[i + 1]); ++k) sum += c_[k];
    diagonal_[i] = sum;
  }
  // f(j, share, sum of weights) in the order of j, of bonds from and to i.
  template <class F>
  static void for_each_bonded(const RestSpace<T, D>& rest, std::size_t i, F&& f) {
    const Bonds<T, D> from = rest.from(i), to = rest.to(i);
    for (int a = 0, b = 0; a < from.count || b < to.count;) {
      const int j = a < from.count ? from.other[a] : std::numeric_limits<int>::max();
      const int k = b < to.count ? to.other[b] : std::numeric_limits<int>::max();
      const T w = (j <= k ? from.g_and_w[a][D] : T(0)) + (k <= j ? to.g_and_w[b][D] : T(0));
      f(std::min(j, k), j == k ? T(1) : T(0.5), w);
      a += j <= k, b += k <= j;
    }
  }
  std::vector<std::int64_t> first_{0};
  std::vector<int> other_;
  std::vector<T> share_, c_, diagonal_;
};

}  // namespace knead
