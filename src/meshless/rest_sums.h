// The two sums of rest_space.h where every rest vector is a difference of places, g_ij = w_ij (X_j - X_i). With all
// places taken from an origin nearby, and with a map A that is about that of the matter around it,
//
//   x_j = A X_j + u_j,   M_i = A A_i + U_i
//   U_i = S_i - s_i X_i^T - u_i (sum_j g_ij)^T       of S_i = sum_j w_ij u_j X_j^T and s_i = sum_j w_ij u_j
//
//   - sum_j G_j g_ji + sum_j c_j w_ji (x_j - x_i) = b_i - H_i X_i - C_i u_i
//                                                    of b_i = sum_j w_ji (G'_j X_j + c_j u_j), H_i = sum_j w_ji G'_j,
//                                                       C_i = sum_j w_ji c_j and G'_j = G_j + c_j A
//
// c is the stiffness of the stabilizer. What a neighbour shows is sixteen numbers, and a bond no more than its weight:
// four particles side by side share what is loaded. A neighbour that not all of the four have weighs nothing for the
// others.
//
// A parcel is a run of particles with an origin and a map of its own. It is narrow enough for little to cancel, and it
// is only u and G', small where the strain is, of which something does: else floats would lose in it thirty times what
// they lose in the differences of bonds, and that drives vibrations. u is exact but for a share of itself. For that A
// and a first part of X have so few digits that their products are exact.
//
// It keeps what its neighbours show in a row.
#pragma once

#include "base/rounding.h"
#include "meshless/rest_space.h"

namespace knead {

template <class T, int D>
class RestSums {
 public:
  // From the bonds of places X; parcels are no wider than `widest`, as far as there is more than one particle in them,
  // and of one group.
  void build(const RestSpace<T, D>& rest, std::span<const Vec<T, D>> X, std::span<const std::int32_t> group, T widest) {
    parcels_.clear(), members_.clear(), from_.clear(), to_.clear();
    for (std::size_t begin = 0, end = 0; begin < X.size(); begin = end) {
      while (end < std::min(begin + most, X.size()) && group[end] == group[begin]) ++end;
      cut(X, begin, end, widest);
    }
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
    own_places_.resize(X.size()), member_places_.resize(members_.size());
    for (Parcel& parcel : parcels_) {
      choose_corners(rest, X, parcel);
      const Vec<T, D> X0 = X[parcel.origin];
      T farthest = 0;
      const auto measure = [&](std::size_t i) {
        for (int a = 0; a < D; ++a) farthest = std::max(farthest, std::abs(X[i][a] - X0[a]));
      };
      for (std::size_t i = parcel.begin; i < parcel.end; ++i) measure(i);
      for (std::size_t k = parcel.first; k < parcel.last; ++k) measure(static_cast<std::size_t>(members_[k]));
      // The unit of the first part: eleven digits and a sign.
      int power = 0;
      std::frexp(farthest, &power);
      const T unit = std::ldexp(T(1), power - 11);
      for (std::size_t i = parcel.begin; i < parcel.end; ++i) own_places_.rest(i, X[i], X0, unit);
      for (std::size_t k = parcel.first; k < parcel.last; ++k)
        member_places_.rest(k, X[static_cast<std::size_t>(members_[k])], X0, unit);
    }
  }

  // use(first particle, how many, A, their U and sums of w u_ij, of w |u_ij|^2), a pack at a time, of places x + low;
  // low may be empty.
  template <class P, class Use>
  void stretch(const RestSpace<T, D>& rest, std::span<const Vec<T, D>> x, std::span<const Vec<T, D>> low, Use&& use) {
    parallel_for(parcels_.size(), 64, [&](std::size_t which) { find_map(x, parcels_[which]); });
    const auto off_map = [&](const Parcel& parcel, const Vec<P, D>& place, const Vec<P, D>& small,
                             const typename LocalPlaces::template At<P>& at) {
      const Vec<P, D> x0 = spread<P>(x[parcel.origin]);
      Vec<P, D> u;
      for (int r = 0; r < D; ++r) {
        const P away = place[r] - x0[r];
        P mapped(0), left = rounding_of_difference(place[r], x0[r], away);
        if (!low.empty()) left = left + (small[r] - P(low[parcel.origin][r]));
        for (int k = 0; k < D; ++k) {
          mapped = fma(P(parcel.map(r, k)), at.coarse[k], mapped);
          left = fma(P(-parcel.map(r, k)), at.fine[k], left);
        }
        u[r] = (away - mapped) + left;
      }
      return u;
    };
    const auto show = [&](const Parcel& parcel, std::size_t k) {
      const int* index = members_.data() + k;
      const auto at = member_places_.template at<P>(k, P::width);
      Vec<P, D> small{};
      if (!low.empty()) small = load_lanes_at<P>(low.data(), index);
      const Vec<P, D> u = off_map(parcel, load_lanes_at<P>(x.data(), index), small, at), X = at.coarse + at.fine;
      member_places_.move(k, u, P::width);
      Rows<P> rows = none<P>();
      for (int r = 0; r < D; ++r) {
        for (int c = 0; c < D; ++c) rows(r, c) = u[r] * X[c];
        rows(r, D) = u[r];
      }
      rows(3, D) = dot(u, u);
      return rows;
    };
    sum<P>(from_, show, [&](const Parcel& parcel, std::size_t first, int count, const Rows<P>& all) {
      const auto at = own_places_.template at<P>(first, count);
      Vec<P, D> small{};
      if (!low.empty()) small = load_lanes<P>(low.data() + first, count);
      const Vec<P, D> u = off_map(parcel, load_lanes<P>(x.data() + first, count), small, at), X = at.coarse + at.fine;
      own_places_.move(first, u, count);
      const Vec<P, D> g = load_lanes<P>(&rest.sum(first), count);
      const P w = load_scalars<P>(&rest.weight(first), count);
      Stretch<P, D> s;
      P squares = all(3, D);
      for (int r = 0; r < D; ++r) {
        for (int k = 0; k < D; ++k) s.moment(r, k) = all(r, k) - all(r, D) * X[k] - u[r] * g[k];
        s.pull[r] = all(r, D) - u[r] * w;
        squares = squares - u[r] * (all(r, D) + s.pull[r]);
      }
      use(first, count, spread<P>(parcel.map), s, squares);
    });
  }

  // use(first particle, how many, A, - sum_j G_j g_ji + sum_j c_j w_ji (x_j - x_i)), a pack at a time, of the places
  // of the last stretch().
  template <class P, class Use>
  void pull_of_others(std::span<const Mat<T, D>> G, std::span<const T> c, Use&& use) {
    const auto show = [&](const Parcel& parcel, std::size_t k) {
      const int* index = members_.data() + k;
      const auto at = member_places_.template at<P>(k, P::width);
      const P stiffness = load_lanes_at<P>(c.data(), index);
      const Mat<P, D> stress = load_lanes_at<P>(G.data(), index) + spread<P>(parcel.map) * stiffness;
      const Vec<P, D> b = stress * (at.coarse + at.fine) + member_places_.template moved<P>(k, P::width) * stiffness;
      Rows<P> rows = none<P>();
      for (int r = 0; r < D; ++r) {
        for (int j = 0; j < D; ++j) rows(r, j) = stress(r, j);
        rows(r, D) = b[r];
      }
      rows(3, D) = stiffness;
      return rows;
    };
    sum<P>(to_, show, [&](const Parcel& parcel, std::size_t first, int count, const Rows<P>& all) {
      const auto at = own_places_.template at<P>(first, count);
      const Vec<P, D> u = own_places_.template moved<P>(first, count), X = at.coarse + at.fine;
      Vec<P, D> f;
      for (int r = 0; r < D; ++r) {
        f[r] = all(r, D) - u[r] * all(3, D);
        for (int k = 0; k < D; ++k) f[r] = f[r] - all(r, k) * X[k];
      }
      use(first, count, spread<P>(parcel.map), f);
    });
  }

  std::size_t bytes() const {
    return from_.bytes() + to_.bytes() + members_.size() * (sizeof(int) + sizeof(Rows<T>)) + own_places_.bytes() +
           member_places_.bytes();
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
    // The map takes corners of the parcel, as seen from its origin, to where they are.
    std::size_t corner[D]{};
    Mat<T, D> dual = Mat<T, D>::zero(), map = Mat<T, D>::zero();
  };
  // Places as seen from the origin of a parcel, component by component: at rest in two parts, and what they are off the
  // map now.
  class LocalPlaces {
   public:
    template <class P>
    struct At {
      Vec<P, D> coarse, fine;
    };
    void resize(std::size_t n) {
      for (auto* some : {coarse_, fine_, off_})
        for (int a = 0; a < D; ++a) some[a].resize(n);
    }
    void rest(std::size_t k, const Vec<T, D>& X, const Vec<T, D>& X0, T unit) {
      for (int a = 0; a < D; ++a) {
        const T away = X[a] - X0[a];
        coarse_[a][k] = std::nearbyint(away / unit) * unit;
        fine_[a][k] = (away - coarse_[a][k]) + rounding_of_difference(X[a], X0[a], away);
      }
    }
    template <class P>
    KNEAD_INLINE At<P> at(std::size_t k, int count) const {
      return {load<P>(coarse_, k, count), load<P>(fine_, k, count)};
    }
    template <class P>
    KNEAD_INLINE Vec<P, D> moved(std::size_t k, int count) const {
      return load<P>(off_, k, count);
    }
    template <class P>
    KNEAD_INLINE void move(std::size_t k, const Vec<P, D>& u, int count) {
      for (int a = 0; a < D; ++a) store_scalars<P>(u[a], off_[a].data() + k, count);
    }
    std::size_t bytes() const { return 3 * D * off_[0].size() * sizeof(T); }

   private:
    template <class P>
    KNEAD_INLINE static Vec<P, D> load(const std::vector<T>* from, std::size_t k, int count) {
      Vec<P, D> v;
      for (int a = 0; a < D; ++a) v[a] = load_scalars<P>(from[a].data() + k, count);
      return v;
    }
    std::vector<T> coarse_[D], fine_[D], off_[D];
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

  void cut(std::span<const Vec<T, D>> X, std::size_t begin, std::size_t end, T widest) {
    Vec<T, D> low = X[begin], high = low;
    for (std::size_t i = begin; i < end; ++i)
      for (int a = 0; a < D; ++a) low[a] = std::min(low[a], X[i][a]), high[a] = std::max(high[a], X[i][a]);
    std::size_t half = (end - begin) / 2;
    if (half > block) half -= half % block;
    if (half == 0 || length(high - low) <= widest) return parcels_.push_back({begin, end, begin + half});
    cut(X, begin, begin + half, widest), cut(X, begin + half, end, widest);
  }
  // The origin and the corners are particles with bonds: each corner is the farthest from the point, line or plane of
  // those before. Where the rest lie in a plane or on a line there is none for the directions across, of which the map
  // makes nothing.
  void choose_corners(const RestSpace<T, D>& rest, std::span<const Vec<T, D>> X, Parcel& parcel) const {
    const auto bonded = [&](std::size_t i) { return rest.from(i).count > 0; };
    for (std::size_t i = parcel.begin; i < parcel.end && !bonded(parcel.origin); ++i)
      if (bonded(i)) parcel.origin = i;
    Mat<T, D> edges = Mat<T, D>::identity();
    Vec<T, D> axis[D];
    T longest = 0;
    for (int k = 0; k < D; ++k) {
      const auto across = [&](Vec<T, D> v) {
        for (int twice = 0; twice < 2; ++twice)
          for (int j = 0; j < k; ++j) v -= axis[j] * dot(axis[j], v);
        return v;
      };
      T farthest = 0;
      parcel.corner[k] = parcel.origin;
      for (std::size_t i = parcel.begin; i < parcel.end; ++i)
        if (const T d = length(across(X[i] - X[parcel.origin])); bonded(i) && d > farthest)
          farthest = d, parcel.corner[k] = i;
      longest = std::max(longest, farthest);
      if (farthest > T(0.01) * longest) {
        const Vec<T, D> edge = X[parcel.corner[k]] - X[parcel.origin];
        axis[k] = across(edge) / farthest;
        for (int a = 0; a < D; ++a) edges(a, k) = edge[a];
      } else {
        parcel.corner[k] = parcel.origin;
        for (int a = 0; a < D; ++a)
          if (const Vec<T, D> v = across(Mat<T, D>::identity().column(a)); a == 0 || length(v) > length(axis[k]))
            axis[k] = v;
        axis[k] = axis[k] / length(axis[k]);
        for (int a = 0; a < D; ++a) edges(a, k) = axis[k][a];
      }
    }
    parcel.dual = inverse(edges);
  }
  // To nine binary places. Where matter is torn, any map is right, and none is as good as one that blows it up.
  void find_map(std::span<const Vec<T, D>> x, Parcel& parcel) const {
    constexpr T most_stretch = 4, shift = T(3) * T(std::uint64_t{1} << (std::numeric_limits<T>::digits - 11));
    Mat<T, D> edges;
    for (int k = 0; k < D; ++k)
      for (int a = 0; a < D; ++a) edges(a, k) = x[parcel.corner[k]][a] - x[parcel.origin][a];
    parcel.map = edges * parcel.dual;
    bool sound = true;
    for (T& e : parcel.map.e) sound = sound && std::abs(e) < most_stretch, e = (e + shift) - shift;
    if (!sound) parcel.map = Mat<T, D>::zero();
  }

  // show(parcel, member) makes the rows of a pack of members; use(parcel, first particle, how many, sums) takes the
  // sums. What a parcel's members show stays in the cache for its sums; where there are few parcels, threads share
  // them.
  template <class P, class Show, class Use>
  void sum(const Fours& bonds, Show&& show, Use&& use) {
    const auto show_some = [&](const Parcel& parcel, std::size_t first, std::size_t last) {
      for (std::size_t k = first; k < last; k += P::width) store_lanes<P>(show(parcel, k), shown_.data() + k);
    };
    const auto sum_some = [&](const Parcel& parcel, std::size_t first_block, std::size_t last_block) {
      Rows<T> sums[block];
      for (std::size_t begin = first_block; begin < last_block; begin += block) {
        const std::size_t end = std::min(begin + block, last_block);
        for (std::size_t i = begin; i < end; i += abreast)
          bonds.sum(parcel.four + (i - parcel.begin) / abreast, shown_.data() + parcel.first, sums + (i - begin));
        for_packs<P>(begin, end, [&](std::size_t first, int count) {
          use(parcel, first, count, load_lanes<P>(sums + (first - begin), count));
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

  std::vector<Parcel> parcels_;
  std::vector<int> members_;    // of the parcels, one behind the other
  std::vector<Rows<T>> shown_;  // by the members
  LocalPlaces own_places_, member_places_;
  Fours from_, to_;
};

}  // namespace knead
