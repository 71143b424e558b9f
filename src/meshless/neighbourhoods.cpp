// Radii, masses, volumes and bonds (Mueller 2004, section 3.2; Gerszewski 2014, section 4.1).
#include "base/elementary.h"
#include "meshless/quadratic_fit.h"
#include "meshless/solver.h"

namespace knead {

// h from the mean distance to the nearest of its group: 10 of them for mls, 32 for embedded; for composed a number of
// spacings.
template <class T, int D>
void Meshless<T, D>::size_neighbourhoods(Columns& p, std::span<const std::int32_t> group,
                                         const std::function<bool(std::size_t)>& wanted) {
  if (spec_.method == Method::composed) {
    std::fill(p.h.begin(), p.h.end(), world_h_);
  } else {
    const int nearest = spec_.method == Method::mls ? 10 : 32;
    const std::vector<T> mean = mean_distance_to_nearest<T, D>(p.x, group, nearest, spec_.dx);
    for (std::size_t i = 0; i < p.x.size(); ++i)
      if (wanted(i)) p.h[i] = T(support()) * mean[i];
  }
}

// Points of a file may lie unevenly: each has a share of its body's volume, and of its mass, as the cube (in 2D the
// square) of the mean distance to its nearest (Mueller 2004, section 3.2). The printed factor makes the mean density of
// the kernel's sum right, which at surfaces it is not: the volumes then add up to 1.7 times that of a block of 7 points
// across. Here they add up to the body. Embedded matter has an estimate of its own.
template <class T, int D>
void Meshless<T, D>::share_volumes(Columns& p) const {
  if (std::find(uneven_.begin(), uneven_.end(), true) == uneven_.end()) return;
  const std::vector<T> mean = mean_distance_to_nearest<T, D>(p.x, p.body, 10, spec_.dx);
  const auto cell = [&](std::size_t i) { return elementary::power(double(mean[i]), D); };
  std::vector<double> volume(uneven_.size()), cells(uneven_.size());
  for (std::size_t i = 0; i < p.x.size(); ++i) {
    const auto b = static_cast<std::size_t>(p.body[i]);
    volume[b] += double(p.volume[i]), cells[b] += cell(i);
  }
  for (std::size_t i = 0; i < p.x.size(); ++i) {
    const auto b = static_cast<std::size_t>(p.body[i]);
    if (!uneven_[b] || !(cells[b] > 0)) continue;
    const T share = T(volume[b] / cells[b] * cell(i));
    p.mass[i] *= share / p.volume[i];
    p.volume[i] = share;
  }
}

// The bonds of the shape at rest. Molten matter has none.
template <class T, int D>
void Meshless<T, D>::bond_rest_shape(const Columns& p) {
  const std::size_t n = p.x.size();
  own_.clear();
  find_neighbours<T, D>(
      std::span<const Vec<T, D>>(p.X), std::span<const T>(p.h), cells_, lists_,
      [&](std::size_t i, std::size_t j) { return p.group[i] == p.group[j] && !p.is_molten(i) && !p.is_molten(j); });
  rest_.connect(lists_);
  lists_ = {};  // rest_ has them now
  const auto all = [](std::size_t) { return true; };
  rest_.weigh(all, [&](std::size_t i) {
    return [&, i](std::size_t j, int) {
      const Vec<T, D> q = p.X[j] - p.X[i];
      return std::pair(poly6_shape(dot(q, q) / (p.h[i] * p.h[i])), q);
    };
  });
  spanned_.resize(n), inverse_.resize(n), trace_.resize(n);
  parallel_for(n, 128, [&](std::size_t i) {
    spanned_[i] = inverse_of_moment(rest_.moment(i));
    inverse_[i] = spanned_[i].inverse, trace_[i] = trace(rest_.moment(i));
  });
  unspanned_ = {};
  for (std::size_t i = 0; i < n; ++i)
    if (spanned_[i].rank < D && !p.is_molten(i)) add_guard(unspanned_, guard_for<D>(rest_.from(i).count));
  all_span_ = std::all_of(spanned_.begin(), spanned_.end(), [](const auto& s) { return s.rank == D; });
  rest_sums_.build(rest_, p.X, p.group, T(6) * smallest(p.h));
  if (quadratic()) bond_quadratically(p);
  if (spec_.meshless.viscosity > 0) laplacian_.connect(rest_);
  if (!can_melt_) return;
  // What is left solid of a melting body, a few particles, bears less stress the poorer its neighbourhood is: its least
  // moment over that of full space, the integral of w x^2. It would be too stiff for the step else.
  constexpr double poorest = 0.25, full = D == 2 ? 0.07854 : 0.05803;
  rest_share_.resize(n);
  parallel_for(n, 128, [&](std::size_t i) {
    const EigenSym<T, D> e = eigen_sym<D>(to_sym(rest_.moment(i)));
    T least = e.values[0];
    for (int k = 1; k < D; ++k) least = std::min(least, e.values[k]);
    const double space = full * elementary::power(double(p.h[i]), D + 2) / elementary::power(spec_.dx, D);
    rest_share_[i] = T(std::clamp(double(least) / (poorest * space), 0.0, 1.0));
  });
}

// The bonds of rest_ with the gradient's c. Where neighbours do not tell a quadratic field it is that of the linear
// fit.
template <class T, int D>
void Meshless<T, D>::bond_quadratically(const Columns& p) {
  const std::size_t n = p.x.size();
  const auto first = [&](std::size_t i) { return rest_.from(i).other - rest_.from(0).other; };
  std::vector<Vec<T, D>> gradient(n == 0 ? 0 : static_cast<std::size_t>(first(n - 1) + rest_.from(n - 1).count));
  parallel_for(n, 64, [&](std::size_t i) {
    const double h = double(p.h[i]);
    const auto away = [&](const Bond<T, D>& b) {
      return (resized<double, D>(p.X[static_cast<std::size_t>(b.other)]) - resized<double, D>(p.X[i])) / h;
    };
    QuadraticFit<D> fit;
    for (const Bond<T, D> b : rest_.from(i)) fit.add(away(b), double(b.w));
    const bool told = spanned_[i].rank == D && fit.solve();
    Vec<T, D>* c = gradient.data() + first(i);
    for (const Bond<T, D> b : rest_.from(i))
      *c++ = told ? resized<T, D>(fit.gradient(away(b)) * (double(b.w) / h)) : inverse_[i] * b.g;
  });
  quadratic_ = rest_;
  quadratic_.weigh([](std::size_t) { return true; },
                   [&](std::size_t i) {
                     return [c = gradient.data() + first(i)](std::size_t, int k) { return std::pair(T(1), c[k]); };
                   });
}

namespace {

// Whether somebody has moved farther than `limit` from where the lists were made. Moving all together does not count.
template <class T, int D>
bool moved_beyond(std::span<const Vec<T, D>> x, std::span<const Vec<T, D>> then, T limit) {
  const auto sum = [&](std::size_t begin, std::size_t end) {
    Vec<double, D> total = Vec<double, D>::zero();
    for (std::size_t i = begin; i < end; ++i) total += resized<double, D>(x[i] - then[i]);
    return total;
  };
  const auto plus = [](Vec<double, D> a, const Vec<double, D>& b) { return a += b; };
  const Vec<T, D> mean = resized<T, D>(parallel_reduce(x.size(), 512, Vec<double, D>::zero(), sum, plus) /
                                       double(std::max<std::size_t>(x.size(), 1)));
  const auto farthest = [&](std::size_t begin, std::size_t end) {
    T most = 0;
    for (std::size_t i = begin; i < end; ++i) {
      const Vec<T, D> away = x[i] - then[i] - mean;
      most = std::max(most, dot(away, away));
    }
    return most;
  };
  return parallel_reduce(x.size(), 512, T(0), farthest, [](T a, T b) { return std::max(a, b); }) > limit * limit;
}

}  // namespace

// Lists are made at the places kept in the column `where`, so that a resumed run has the same ones. Whether they are
// new.
template <class T, int D>
template <class Wanted>
bool Meshless<T, D>::find_near(World& world, WorldSpace<T, D>& lists, const char* where, double reach, double skin,
                               Wanted&& wanted) {
  const auto x = world.particles.get<Vec<T, D>>("x"), then = world.particles.get<Vec<T, D>>(where);
  const bool stale = moved_beyond<T, D>(x, then, T(skin / 2));
  if (!stale && !lists.empty()) return false;
  if (stale) copy_entries<Vec<T, D>>(x, then);
  lists.build(then, T(reach + skin), wanted);
  return true;
}

template <class T, int D>
void Meshless<T, D>::find_world_neighbours(World& world) {
  if (spec_.method != Method::composed && !can_melt_) return;
  const Columns p(world.particles);
  // A tenth of the reach of composed matter: where it is stretched by more, lists miss neighbours of which the distance
  // pulled back is within reach, and then it shows when they were made.
  const double skin = list_skin * spec_.dx * (spec_.method == Method::composed ? support() / 2 : 1);
  const auto found_among = [&](auto&& wanted) {
    return find_near(world, world_, ".x_list", double(world_h_), skin, wanted);
  };
  const bool one_matter = spec_.meshless.fuse || controls_.bodies == 1;
  const bool found =
      one_matter ? found_among(Everyone{}) : found_among([&](std::size_t i, std::size_t j) { return fused(p, i, j); });
  if (found && spec_.method == Method::composed) slices_.build(world_.lists());
}

// Pairs of particles that may touch and have no bond.
template <class T, int D>
void Meshless<T, D>::find_contacts(World& world) {
  if (!touches_) return;
  const Columns p(world.particles);
  find_near(world, contact_, ".x_contact", 2 * contact_radius_, contact_skin * spec_.dx,
            [&](std::size_t i, std::size_t j) { return !together(p, i, j); });
}

// Heat passes between all that is near, of one body or not.
template <class T, int D>
void Meshless<T, D>::find_heat_neighbours(World& world) {
  find_near(world, heat_, ".x_heat", heat_reach * spec_.dx, list_skin * spec_.dx, Everyone{});
}

template class Meshless<float, 2>;
template class Meshless<float, 3>;
template class Meshless<double, 2>;
template class Meshless<double, 3>;

}  // namespace knead
