// Bonds of bodies that remember a shape: for each particle its neighbours in a rest space, with g = w q, the weighted
// rest vector. Two sums over bonds are all that elasticity needs:
//
//   M_i = sum_j x_ij g_ij^T                        which times A_i^-1 is the deformation gradient
//   f_i = G_i sum_j g_ij - sum_j G_j g_ji          with G_i = V_i T_i A_i^-1 : the force -dU/dx of the energies
//                                                  V_i psi(F_i)   (Mueller 2004, Eqs. 16 to 19; Ward 2012, Eq. 3.24)
//
// The second sum is over the particles that have i as a neighbour. Both are read only, so that threads need no care.
//
// A bond is four scalars, g and w. Both sums are of the same kind and take two instructions a bond: what a particle
// shows are four rows of four, each times those of the bond.
#pragma once

#include "base/mat.h"
#include "meshless/neighbours.h"
#include "meshless/packs.h"
#include "meshless/prefix_sum.h"

namespace knead {

template <class T, int D>
struct Bond {
  Vec<T, D> g;  // m, of the bond's first particle
  T w;
  int other;
};

// Some bonds, one behind the other.
template <class T, int D>
struct Bonds {
  const Vec<T, 4>* g_and_w;
  const int* other;
  int count;

  struct Iterator {
    const Vec<T, 4>* g_and_w;
    const int* other;
    Bond<T, D> operator*() const { return {resized<T, D>(*g_and_w), (*g_and_w)[D], *other}; }
    Iterator& operator++() { return ++g_and_w, ++other, *this; }
    bool operator!=(const Iterator& o) const { return other != o.other; }
  };
  Iterator begin() const { return {g_and_w, other}; }
  Iterator end() const { return {g_and_w + count, other + count}; }
};

template <class T, int D>
class RestSpace {
 public:
  // Who is bonded to whom: j is in the list of i, in any order. The lists are taken, and others left in their place.
  void connect(Lists& lists) {
    const std::size_t n = lists.count();
    first_.swap(lists.first), other_.swap(lists.other);
    out_.resize(other_.size()), in_.resize(other_.size()), other_in_.resize(other_.size()), slot_.resize(other_.size());
    moment_.resize(n), sum_.resize(n), weight_.resize(n);
    first_in_.resize(n + 1), first_in_[0] = 0;
    // Parts of the particles count their bonds to each, so that every part knows where its own go.
    const std::size_t parts = std::clamp<std::size_t>(n / 512, 1, 16), part = n / parts + 1;
    place_.resize(parts * n);
    const auto for_each_bond = [&](std::size_t begin, std::size_t end, auto&& f) {
      for (std::size_t i = begin; i < end; ++i)
        for (auto k = static_cast<std::size_t>(first_[i]); k < static_cast<std::size_t>(first_[i + 1]); ++k)
          f(i, k, static_cast<std::size_t>(other_[k]));
    };
    parallel_chunks(n, part, [&](std::size_t begin, std::size_t end) {
      int* count = place_.data() + begin / part * n;
      std::fill_n(count, n, 0);
      for_each_bond(begin, end, [&](std::size_t, std::size_t, std::size_t j) { ++count[j]; });
    });
    parallel_for(n, 1024, [&](std::size_t j) {
      int sum = 0;
      for (std::size_t c = 0; c * part < n; ++c) sum += std::exchange(place_[c * n + j], sum);
      first_in_[j + 1] = sum;
    });
    prefix_sum(std::span(first_in_));
    parallel_chunks(n, part, [&](std::size_t begin, std::size_t end) {
      int* place = place_.data() + begin / part * n;
      for_each_bond(begin, end, [&](std::size_t i, std::size_t k, std::size_t j) {
        const std::int64_t at = first_in_[j] + place[j]++;
        other_in_[static_cast<std::size_t>(at)] = static_cast<int>(i), slot_[k] = at;
      });
    });
  }
  // Gives each bond of the particles for which wanted(i) holds the weight and the rest vector q_ij of
  // bonds_of(i)(j, which of its bonds).
  template <class Wanted, class F>
  void weigh(Wanted&& wanted, F&& bonds_of) {
    parallel_for(count(), 64, [&](std::size_t i) {
      if (!wanted(i)) return;
      Mat<T, D> A = Mat<T, D>::zero();
      Vec<T, D> s = Vec<T, D>::zero();
      T total = 0;
      const auto weight_and_vector = bonds_of(i);
      for (auto k = static_cast<std::size_t>(first_[i]); k < static_cast<std::size_t>(first_[i + 1]); ++k) {
        const auto [w, q] = weight_and_vector(static_cast<std::size_t>(other_[k]),
                                              static_cast<int>(k - static_cast<std::size_t>(first_[i])));
        out_[k] = resized<T, 4>(q * w);
        out_[k][D] = w;
        in_[static_cast<std::size_t>(slot_[k])] = out_[k];
        A += outer(q * w, q);
        s += q * w;
        total += w;
      }
      moment_[i] = A, sum_[i] = s, weight_[i] = total;
    });
  }
  std::size_t count() const { return moment_.size(); }
  Bonds<T, D> from(std::size_t i) const { return part(out_, other_, first_, i); }
  // The bonds of others to i: `other` is whose, and g theirs.
  Bonds<T, D> to(std::size_t i) const { return part(in_, other_in_, first_in_, i); }
  const Mat<T, D>& moment(std::size_t i) const { return moment_[i]; }  // sum w q q^T
  const Vec<T, D>& sum(std::size_t i) const { return sum_[i]; }        // sum w q
  const T& weight(std::size_t i) const { return weight_[i]; }          // sum w
  std::size_t bytes() const { return out_.size() * (2 * sizeof(Vec<T, 4>) + 2 * sizeof(int) + sizeof(std::int64_t)); }

 private:
  static Bonds<T, D> part(const std::vector<Vec<T, 4>>& bonds, const std::vector<int>& other,
                          const std::vector<std::int64_t>& first, std::size_t i) {
    return {bonds.data() + first[i], other.data() + first[i], static_cast<int>(first[i + 1] - first[i])};
  }

  std::vector<std::int64_t> first_{0}, first_in_{0}, slot_;
  std::vector<int> other_, other_in_, place_;
  std::vector<Vec<T, 4>> out_, in_;
  std::vector<Mat<T, D>> moment_;
  std::vector<Vec<T, D>> sum_;
  std::vector<T> weight_;
};

// D scalars, and zeros.
template <class T, int D>
KNEAD_INLINE Pack<T, 4> load_four(const Vec<T, D>& v) {
  using P = Pack<T, 4>;
#if defined(__AVX512VL__)
  if constexpr (sizeof(T) == 4)
    return std::bit_cast<typename P::Simd>(_mm_maskz_loadu_ps((1 << D) - 1, v.e));
  else
    return std::bit_cast<typename P::Simd>(_mm256_maskz_loadu_pd((1 << D) - 1, v.e));
#elif defined(__AVX2__)
  if constexpr (sizeof(T) == 4)
    return std::bit_cast<typename P::Simd>(
        _mm_maskload_ps(v.e, _mm_setr_epi32(-1, -1, D > 2 ? -1 : 0, D > 3 ? -1 : 0)));
  else
    return std::bit_cast<typename P::Simd>(
        _mm256_maskload_pd(v.e, _mm256_setr_epi64x(-1, -1, D > 2 ? -1 : 0, D > 3 ? -1 : 0)));
#else
  P four(0);
  for (int k = 0; k < D; ++k) four.set(k, v[k]);
  return four;
#endif
}

// Four rows of four scalars: what a particle shows over its bonds, each row times the four of the bond.
template <class T>
struct alignas(std::min<std::size_t>(16 * sizeof(T), 128)) Rows {
  T e[16];
  KNEAD_INLINE T& operator()(int r, int k) { return e[4 * r + k]; }
  KNEAD_INLINE const T& operator()(int r, int k) const { return e[4 * r + k]; }
};
template <class T>
struct pack_detail::Entry<Rows<T>> {
  static constexpr int size = 16;
  using Scalar = T;
  template <class P>
  using With = Rows<P>;
};

// A sum of them: a single register of floats where there is one, several narrower ones elsewhere.
template <class T>
struct RowSum {
  using P = Pack<T, std::min(16, std::max(native_width<T>, 4))>;
  static constexpr int parts = 16 / P::width;
  P part[parts];
  KNEAD_INLINE RowSum() {
    for (P& p : part) p = P(0);
  }
  KNEAD_INLINE void add(const Rows<T>& rows, const Vec<T, 4>& four) {
    const P repeated = repeat(four);
    for (int i = 0; i < parts; ++i) part[i] = fma(P::load(rows.e + i * P::width), repeated, part[i]);
  }
  KNEAD_INLINE void add(const Rows<T>& rows, const T& weight) {
    for (int i = 0; i < parts; ++i) part[i] = fma(P::load(rows.e + i * P::width), P(weight), part[i]);
  }
  // a b^T
  KNEAD_INLINE void add_product(const Pack<T, 4>& a, const Vec<T, 4>& b) {
    const P repeated = repeat(b);
    for (int i = 0; i < parts; ++i) part[i] = fma(rows_of(a, i), repeated, part[i]);
  }
  KNEAD_INLINE void store(Rows<T>& sum) const {
    for (int i = 0; i < parts; ++i) part[i].store(sum.e + i * P::width);
  }
  friend KNEAD_INLINE RowSum operator+(const RowSum& a, const RowSum& b) {
    RowSum sum;
    for (int i = 0; i < parts; ++i) sum.part[i] = a.part[i] + b.part[i];
    return sum;
  }

 private:
  // Part i of the rows of which all entries are those of a.
  KNEAD_INLINE static P rows_of(const Pack<T, 4>& a, int i) {
#if defined(__AVX512F__)
    if constexpr (P::width == 16)
      return std::bit_cast<typename P::Simd>(
          _mm512_maskz_permutexvar_ps(0xffff, _mm512_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3),
                                      _mm512_zextps128_ps512(std::bit_cast<__m128>(a.v))));
#endif
#if defined(__AVX2__)
    if constexpr (P::width == 8 && sizeof(T) == 4)
      return std::bit_cast<typename P::Simd>(_mm256_permutevar8x32_ps(
          _mm256_zextps128_ps256(std::bit_cast<__m128>(a.v)),
          _mm256_setr_epi32(2 * i, 2 * i, 2 * i, 2 * i, 2 * i + 1, 2 * i + 1, 2 * i + 1, 2 * i + 1)));
#endif
    if constexpr (P::width == 4) return P(a[i]);
    T all[P::width];
    for (int lane = 0; lane < P::width; ++lane) all[lane] = a[(i * P::width + lane) / 4];
    return P::load(all);
  }
  KNEAD_INLINE static P repeat(const Vec<T, 4>& four) {
#if defined(__AVX512F__)
    if constexpr (P::width == 16)
      return std::bit_cast<typename P::Simd>(_mm512_maskz_broadcast_f32x4(0xffff, _mm_loadu_ps(four.e)));
    else if constexpr (P::width == 8 && sizeof(T) == 8)
      return std::bit_cast<typename P::Simd>(_mm512_maskz_broadcast_f64x4(0xff, _mm256_loadu_pd(four.e)));
#endif
#if defined(__AVX__)
    if constexpr (P::width == 8 && sizeof(T) == 4)
      return std::bit_cast<typename P::Simd>(_mm256_set_m128(_mm_loadu_ps(four.e), _mm_loadu_ps(four.e)));
#endif
    if constexpr (P::width == 4) return P::load(four.e);
    T all[P::width];
    for (int lane = 0; lane < P::width; ++lane) all[lane] = four[lane % 4];
    return P::load(all);
  }
};
// Never inlined: GCC 12 then reads the sum from its registers, and for doubles in 2D the wrong lanes of them.
template <class T, int D>
__attribute__((noinline)) Rows<T> sum_over(const Bonds<T, D>& bonds, std::span<const Rows<T>> shown) {
  const auto from = [&](int k) -> const Rows<T>& { return shown[static_cast<std::size_t>(bonds.other[k])]; };
  // Four sums at a time: the next bond need not wait for the last.
  RowSum<T> a, b, c, d;
  int k = 0;
  for (; k + 3 < bonds.count; k += 4) {
    a.add(from(k), bonds.g_and_w[k]), b.add(from(k + 1), bonds.g_and_w[k + 1]);
    c.add(from(k + 2), bonds.g_and_w[k + 2]), d.add(from(k + 3), bonds.g_and_w[k + 3]);
  }
  for (; k < bonds.count; ++k) a.add(from(k), bonds.g_and_w[k]);
  Rows<T> sum;
  ((a + b) + (c + d)).store(sum);
  return sum;
}
// The same where row 3 is a place and a stiffness c: in place of it come the sums of c w (x_j - x_i).
template <class T, int D>
__attribute__((noinline)) Rows<T> sum_with_pull(const Bonds<T, D>& bonds, std::span<const Rows<T>> shown,
                                                std::size_t i) {
  using P = Pack<T, 4>;
  P here = P::load(shown[i].e + 12), even(0), odd(0);
  here.set(3, T(0));
  RowSum<T> a, b;
  const auto add = [&](RowSum<T>& to, P& pull, int k) {
    const Rows<T>& rows = shown[static_cast<std::size_t>(bonds.other[k])];
    const Vec<T, 4>& four = bonds.g_and_w[k];
    to.add(rows, four);
    pull = fma(P::load(rows.e + 12) - here, P(rows(3, 3) * four[D]), pull);
  };
  int k = 0;
  for (; k + 1 < bonds.count; k += 2) add(a, even, k), add(b, odd, k + 1);
  if (k < bonds.count) add(a, even, k);
  Rows<T> sum;
  (a + b).store(sum);
  (even + odd).store(sum.e + 12);
  return sum;
}
// Those over bonds_of(i), a lane for each particle i of a pack.
template <class P, class BondsOf>
KNEAD_INLINE Rows<P> sums_over(BondsOf&& bonds_of, std::span<const Rows<typename P::Scalar>> shown, std::size_t first,
                               int count) {
  Rows<typename P::Scalar> sum[P::width]{};
  for (int lane = 0; lane < count; ++lane)
    sum[lane] = sum_over(bonds_of(first + static_cast<std::size_t>(lane)), shown);
  return load_lanes<P>(sum, count);
}

// A place in two parts, the second of which is what rounding has taken from the first.
template <class T>
struct alignas(8 * sizeof(T)) ShownPlace {
  Vec<T, 4> x, low;
};
template <class T, int D>
void show_places(std::span<const Vec<T, D>> x, std::span<const Vec<T, D>> low, std::vector<ShownPlace<T>>& shown) {
  shown.resize(x.size());
  parallel_for(x.size(), 512, [&](std::size_t i) {
    shown[i] = {resized<T, 4>(x[i]), low.empty() ? Vec<T, 4>::zero() : resized<T, 4>(low[i])};
  });
}
// sum_j x_ij (g_ij, w)^T of the places shown. Each bond takes its own difference: from an origin far away floats lose
// as much as it is far. Not inlined for the reason of sum_over().
template <class T, int D>
__attribute__((noinline)) Rows<T> sum_of_differences(const Bonds<T, D>& bonds, std::span<const ShownPlace<T>> shown,
                                                     std::size_t i) {
  using P = Pack<T, 4>;
  const P x = P::load(shown[i].x.e), low = P::load(shown[i].low.e);
  const auto add = [&](RowSum<T>& to, int k) {
    const ShownPlace<T>& there = shown[static_cast<std::size_t>(bonds.other[k])];
    to.add_product((P::load(there.x.e) - x) + (P::load(there.low.e) - low), bonds.g_and_w[k]);
  };
  RowSum<T> a, b, c, d;
  int k = 0;
  for (; k + 3 < bonds.count; k += 4) add(a, k), add(b, k + 1), add(c, k + 2), add(d, k + 3);
  for (; k < bonds.count; ++k) add(a, k);
  Rows<T> sum;
  ((a + b) + (c + d)).store(sum);
  return sum;
}
// sum_j x_ij g_ij^T and sum_j w x_ij.
template <class T, int D>
struct Stretch {
  Mat<T, D> moment;
  Vec<T, D> pull;
};
template <class T, int D>
KNEAD_INLINE Stretch<T, D> stretch_of(const RestSpace<T, D>& rest, std::span<const ShownPlace<T>> shown,
                                      std::size_t i) {
  const Rows<T> sum = sum_of_differences(rest.from(i), shown, i);
  Stretch<T, D> s;
  for (int r = 0; r < D; ++r) {
    for (int c = 0; c < D; ++c) s.moment(r, c) = sum(r, c);
    s.pull[r] = sum(r, D);
  }
  return s;
}

}  // namespace knead
