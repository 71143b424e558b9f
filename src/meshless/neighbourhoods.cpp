// Radii, masses, volumes and bonds (Mueller 2004, section 3.2; Gerszewski 2014, section 4.1).
#include "meshless/solver.h"

namespace knead {

// h from the mean distance to the nearest: 10 of them for mls, 32 for embedded; for composed a number of spacings.
// Volumes are shares of the body's own (Mueller's estimate from densities is half too large at surfaces): by the cube
// of the mean distance, so that coarse and fine regions weigh what they should.
template <class T, int D>
void Meshless<T, D>::size_neighbourhoods(World& world) {
  Columns p(world.particles);
  const std::size_t n = p.x.size();
  const bool uniform = spec_.method == Method::composed;
  const double factor = spec_.meshless.support.value_or(spec_.method == Method::mls ? 3 : 2);
  if (uniform) return std::fill(p.h.begin(), p.h.end(), T(factor * spec_.dx));

  const int nearest = spec_.method == Method::mls ? 10 : 32;
  const std::vector<T> mean =
      mean_distance_to_nearest<T, D>(p.x, std::span<const std::int32_t>(p.body), nearest, spec_.dx);
  for (std::size_t i = 0; i < n; ++i) p.h[i] = T(factor) * mean[i];
}

// The bonds of the shape at rest. Molten matter has none.
template <class T, int D>
void Meshless<T, D>::bond_rest_shape(const Columns& p) {
  const std::size_t n = p.x.size();
  find_neighbours<T, D>(std::span<const Vec<T, D>>(p.X), std::span<const T>(p.h), cells_, lists_,
                        [&](std::size_t i, std::size_t j) { return p.body[i] == p.body[j]; });
  rest_.connect(lists_);
  const auto all = [](std::size_t) { return true; };
  rest_.weigh(all, [&](std::size_t i, std::size_t j, int) {
    const Vec<T, D> q = p.X[j] - p.X[i];
    return std::pair(poly6_shape(dot(q, q) / (p.h[i] * p.h[i])), q);
  });
  spanned_.resize(n), inverse_.resize(n), trace_.resize(n);
  parallel_for(n, 256, [&](std::size_t i) {
    spanned_[i] = inverse_of_moment(rest_.moment(i));
    inverse_[i] = spanned_[i].inverse, trace_[i] = trace(rest_.moment(i));
  });
  if (spec_.meshless.viscosity > 0) laplacian_.connect(rest_);
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
  const Vec<T, D> mean = resized<T, D>(parallel_reduce(x.size(), 8192, Vec<double, D>::zero(), sum, plus) /
                                       double(std::max<std::size_t>(x.size(), 1)));
  const auto farthest = [&](std::size_t begin, std::size_t end) {
    T most = 0;
    for (std::size_t i = begin; i < end; ++i) {
      const Vec<T, D> away = x[i] - then[i] - mean;
      most = std::max(most, dot(away, away));
    }
    return most;
  };
  return parallel_reduce(x.size(), 8192, T(0), farthest, [](T a, T b) { return std::max(a, b); }) > limit * limit;
}

}  // namespace

// Lists are made at the places kept in ".x_list", so that a resumed run has the same ones.
template <class T, int D>
void Meshless<T, D>::find_world_neighbours(World& world) {
  Columns p(world.particles);
  const auto then = world.particles.get<Vec<T, D>>(".x_list");
  const T skin = T(list_skin * spec_.dx);
  const bool stale = moved_beyond<T, D>(p.x, then, skin / 2);
  if (!stale && !world_.empty()) return;
  if (stale) std::copy(p.x.begin(), p.x.end(), then.begin());
  world_.build(then, h_max_ + skin, [&](std::size_t i, std::size_t j) { return fused(p, i, j); });
  slices_.build(world_.lists());
}

// Pairs of particles that may touch and have no bond.
template <class T, int D>
void Meshless<T, D>::find_contacts(World& world) {
  if (!many_bodies_) return;
  Columns p(world.particles);
  const auto then = world.particles.get<Vec<T, D>>(".x_contact");
  const T skin = T(contact_skin * spec_.dx);
  const bool stale = moved_beyond<T, D>(p.x, then, skin / 2);
  if (!stale && !contact_.empty()) return;
  if (stale) std::copy(p.x.begin(), p.x.end(), then.begin());
  contact_.build(then, T(2 * contact_radius_) + skin, [&](std::size_t i, std::size_t j) { return !fused(p, i, j); });
}

template class Meshless<float, 2>;
template class Meshless<float, 3>;
template class Meshless<double, 2>;
template class Meshless<double, 3>;

}  // namespace knead
