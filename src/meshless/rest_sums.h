// The two sums of rest_space.h where every rest vector is a difference of places, g_ij = w_ij (X_j - X_i). With all
// places taken from an origin nearby,
//
//   M_i = S_i - s_i X_i^T - x_i (sum_j g_ij)^T       of S_i = sum_j w_ij x_j X_j^T and s_i = sum_j w_ij x_j
//
//   - sum_j G_j g_ji + sum_j c_j w_ji (x_j - x_i) = b_i - H_i X_i - C_i x_i
//                                                    of b_i = sum_j w_ji (G_j X_j + c_j x_j), H_i = sum_j w_ji G_j and
//                                                       C_i = sum_j w_ji c_j; c is the stiffness of the stabilizer
//
// what a neighbour shows is sixteen numbers, and a bond no more than its weight: four particles side by side share what
// is loaded. A neighbour that not all of the four have weighs nothing for the others.
//
// A parcel is a run of particles with an origin of its own, narrow enough for little to cancel. It keeps what its
// neighbours show in a row.
#pragma once

#include "meshless/rest_space.h"

namespace knead {

template <class T, int D>
class RestSums {
 public:
  // From the bonds of places X; parcels are no wider than `widest`, as far as there is more than one particle in them.
  void build(const RestSpace<T, D>& rest, std::span<const Vec<T, D>> X, T widest) {
    X_.assign(X.begin(), X.end());
    parcels_.clear(), members_.clear(), from_.clear(), to_.clear();
    for (std::size_t begin = 0; begin < X.size(); begin += most) cut(begin, std::min(begin + most, X.size()), widest);
    std::vector<int> place(X.size(), -1), known;
    for (Parcel& parcel : parcels_) {
      parcel.first = members_.size(), parcel.four = from_.first.size() - 1;
      const auto join = [&](const Bonds<T, D>& bonds) {
        for (int k = 0; k < bonds.count; ++k)
          if (int& at = place[static_cast<std::size_t>(bonds.other[k])]; at < 0)
            at = 0, members_.push_back(bonds.other[k]);
      };
      for (std::size_t i = parcel.begin; i < parcel.end; ++i) join(rest.from(i)), join(rest.to(i));
      std::sort(members_.begin() + static_cast<std::ptrdiff_t>(parcel.first), members_.end());
      for (std::size_t k = parcel.first; k < members_.size(); ++k)
        place[static_cast<std::size_t>(members_[k])] = static_cast<int>(k - parcel.first);
      known.assign(members_.size() - parcel.first, -1);
      from_.add(parcel, place, known, [&](std::size_t i) { return rest.from(i); });
      to_.add(parcel, place, known, [&](std::size_t i) { return rest.to(i); });
      for (std::size_t k = parcel.first; k < members_.size(); ++k) place[static_cast<std::size_t>(members_[k])] = -1;
      while ((members_.size() - parcel.first) % block != 0) members_.push_back(members_.back());
      parcel.last = members_.size();
    }
    shown_.resize(members_.size());
  }

  // use(first particle, how many, their sums of x_ij g_ij^T and w x_ij, of w |x_ij|^2), a pack at a time.
  template <class P, class Use>
  void stretch(const RestSpace<T, D>& rest, std::span<const Vec<T, D>> x, Use&& use) {
    const auto show = [&](const Places<P>& at, const int*) {
      Rows<P> rows = none<P>();
      for (int r = 0; r < D; ++r) {
        for (int k = 0; k < D; ++k) rows(r, k) = at.x[r] * at.X[k];
        rows(r, D) = at.x[r];
      }
      rows(3, D) = dot(at.x, at.x);
      return rows;
    };
    sum<P>(x, from_, show, [&](const Places<P>& at, std::size_t first, int count, const Rows<P>& all) {
      const Vec<P, D> g = load_lanes<P>(&rest.sum(first), count);
      const P w = load_scalars<P>(&rest.weight(first), count);
      Stretch<P, D> s;
      P squares = all(3, D);
      for (int r = 0; r < D; ++r) {
        for (int k = 0; k < D; ++k) s.moment(r, k) = all(r, k) - all(r, D) * at.X[k] - at.x[r] * g[k];
        s.pull[r] = all(r, D) - at.x[r] * w;
        squares = squares - at.x[r] * (all(r, D) + s.pull[r]);
      }
      use(first, count, s, squares);
    });
  }

  // use(first particle, how many, - sum_j G_j g_ji + sum_j c_j w_ji (x_j - x_i)), a pack at a time.
  template <class P, class Use>
  void pull_of_others(std::span<const Vec<T, D>> x, std::span<const Mat<T, D>> G, std::span<const T> c, Use&& use) {
    const auto show = [&](const Places<P>& at, const int* index) {
      const Mat<P, D> stress = load_lanes_at<P>(G.data(), index);
      const P stiffness = load_lanes_at<P>(c.data(), index);
      const Vec<P, D> b = stress * at.X + at.x * stiffness;
      Rows<P> rows = none<P>();
      for (int r = 0; r < D; ++r) {
        for (int k = 0; k < D; ++k) rows(r, k) = stress(r, k);
        rows(r, D) = b[r];
      }
      rows(3, D) = stiffness;
      return rows;
    };
    sum<P>(x, to_, show, [&](const Places<P>& at, std::size_t first, int count, const Rows<P>& all) {
      Vec<P, D> f;
      for (int r = 0; r < D; ++r) {
        f[r] = all(r, D) - at.x[r] * all(3, D);
        for (int k = 0; k < D; ++k) f[r] = f[r] - all(r, k) * at.X[k];
      }
      use(first, count, f);
    });
  }

  std::size_t bytes() const {
    return from_.bytes() + to_.bytes() + members_.size() * (sizeof(int) + sizeof(Rows<T>)) + X_.size() * sizeof(X_[0]);
  }

 private:
  static constexpr std::size_t abreast = 4;  // particles that share what is loaded
  static constexpr std::size_t block = 16;   // particles whose sums are used at once: whole packs of any width
  static constexpr std::size_t most = 512;   // particles of a parcel

  struct Parcel {
    std::size_t begin, end;           // particles
    std::size_t origin;               // one of them
    std::size_t first = 0, last = 0;  // of its members, whole packs of them
    std::size_t four = 0;             // the first
  };
  // Of a pack, from the origin of its parcel: now and at rest.
  template <class P>
  struct Places {
    Vec<P, D> x, X;
  };
  template <class P>
  static KNEAD_INLINE Rows<P> none() {
    Rows<P> rows;
    std::fill(std::begin(rows.e), std::end(rows.e), P(0));
    return rows;
  }

  // The bonds of fours of particles in one direction: a member of the parcel, and its weight for each of the four.
  struct Fours {
    std::vector<std::size_t> first{0};
    std::vector<int> member;
    std::vector<Vec<T, abreast>> weight;

    void clear() { first.assign(1, 0), member.clear(), weight.clear(); }
    // `place` of a particle among the members; `known` is scratch, -1 for each member before and after.
    template <class BondsOf>
    void add(const Parcel& parcel, const std::vector<int>& place, std::vector<int>& known, BondsOf&& bonds_of) {
      for (std::size_t begin = parcel.begin; begin < parcel.end; begin += abreast) {
        for (std::size_t i = begin; i < std::min(begin + abreast, parcel.end); ++i)
          for (const Bond<T, D> b : bonds_of(i)) {
            const int at = place[static_cast<std::size_t>(b.other)];
            int& entry = known[static_cast<std::size_t>(at)];
            if (entry < 0) {
              entry = static_cast<int>(member.size() - first.back());
              member.push_back(at), weight.push_back(Vec<T, abreast>::zero());
            }
            weight[first.back() + static_cast<std::size_t>(entry)][static_cast<int>(i - begin)] = b.w;
          }
        for (std::size_t k = first.back(); k < member.size(); ++k) known[static_cast<std::size_t>(member[k])] = -1;
        first.push_back(member.size());
      }
    }
    // Not inlined for the reason of sum_over().
    __attribute__((noinline)) void sum(std::size_t four, const Rows<T>* shown, Rows<T>* sums) const {
      RowSum<T> a, b, c, d;
      for (std::size_t k = first[four]; k < first[four + 1]; ++k) {
        const Rows<T>& rows = shown[member[k]];
        const Vec<T, abreast>& w = weight[k];
        a.add(rows, w[0]), b.add(rows, w[1]), c.add(rows, w[2]), d.add(rows, w[3]);
      }
      a.store(sums[0]), b.store(sums[1]), c.store(sums[2]), d.store(sums[3]);
    }
    std::size_t bytes() const { return member.size() * (sizeof(int) + sizeof(weight[0])); }
  };

  void cut(std::size_t begin, std::size_t end, T widest) {
    Vec<T, D> low = X_[begin], high = low;
    for (std::size_t i = begin; i < end; ++i)
      for (int a = 0; a < D; ++a) low[a] = std::min(low[a], X_[i][a]), high[a] = std::max(high[a], X_[i][a]);
    std::size_t half = (end - begin) / 2;
    if (half > block) half -= half % block;
    if (half == 0 || length(high - low) <= widest) return parcels_.push_back({begin, end, begin + half});
    cut(begin, begin + half, widest), cut(begin + half, end, widest);
  }

  // show(places, numbers) makes the rows of a pack of members; use(places, first, how many, sums) takes the sums. What
  // a parcel's members show stays in the cache for its sums; where there are few parcels, threads share them.
  template <class P, class Show, class Use>
  void sum(std::span<const Vec<T, D>> x, const Fours& bonds, Show&& show, Use&& use) {
    const auto show_some = [&](const Parcel& parcel, std::size_t first, std::size_t last) {
      const Vec<P, D> x0 = spread<P>(x[parcel.origin]), X0 = spread<P>(X_[parcel.origin]);
      for (std::size_t k = first; k < last; k += P::width) {
        const int* index = members_.data() + k;
        const Places<P> at{load_lanes_at<P>(x.data(), index) - x0, load_lanes_at<P>(X_.data(), index) - X0};
        store_lanes<P>(show(at, index), shown_.data() + k);
      }
    };
    const auto sum_some = [&](const Parcel& parcel, std::size_t first_block, std::size_t last_block) {
      const Vec<P, D> x0 = spread<P>(x[parcel.origin]), X0 = spread<P>(X_[parcel.origin]);
      Rows<T> sums[block];
      for (std::size_t begin = first_block; begin < last_block; begin += block) {
        const std::size_t end = std::min(begin + block, last_block);
        for (std::size_t i = begin; i < end; i += abreast)
          bonds.sum(parcel.four + (i - parcel.begin) / abreast, shown_.data() + parcel.first, sums + (i - begin));
        for_packs<P>(begin, end, [&](std::size_t first, int count) {
          const Places<P> at{load_lanes<P>(x.data() + first, count) - x0, load_lanes<P>(X_.data() + first, count) - X0};
          use(at, first, count, load_lanes<P>(sums + (first - begin), count));
        });
      }
    };
    constexpr std::size_t many = 64, some_members = 16 * block, some_particles = 2 * block;
    if (parcels_.size() >= many)
      return parallel_for(parcels_.size(), 1, [&](std::size_t which) {
        const Parcel& parcel = parcels_[which];
        show_some(parcel, parcel.first, parcel.last), sum_some(parcel, parcel.begin, parcel.end);
      });
    for_parts(
        some_members, [](const Parcel& p) { return std::pair(p.first, p.last); }, show_some);
    for_parts(
        some_particles, [](const Parcel& p) { return std::pair(p.begin, p.end); }, sum_some);
  }
  // f(parcel, first, last) for parts, no longer than `longest`, of what range_of(parcel) says.
  template <class RangeOf, class F>
  void for_parts(std::size_t longest, RangeOf&& range_of, F&& f) const {
    const auto parts_of = [&](const Parcel& p) {
      return (range_of(p).second - range_of(p).first + longest - 1) / longest;
    };
    std::size_t parts = 0;
    for (const Parcel& parcel : parcels_) parts += parts_of(parcel);
    parallel_for(parts, 1, [&](std::size_t part) {
      const Parcel* parcel = parcels_.data();
      for (; part >= parts_of(*parcel); ++parcel) part -= parts_of(*parcel);
      const auto [first, last] = range_of(*parcel);
      const std::size_t begin = first + part * longest;
      f(*parcel, begin, std::min(begin + longest, last));
    });
  }

  std::vector<Vec<T, D>> X_;
  std::vector<Parcel> parcels_;
  std::vector<int> members_;    // of the parcels, one behind the other
  std::vector<Rows<T>> shown_;  // by the members
  Fours from_, to_;
};

}  // namespace knead
