// What comes and what goes: sources that fill their jet, drains, and open sides.
#include "base/elementary.h"
#include "liquid/opening.h"
#include "liquid/solver.h"
#include "sample/random.h"

#include <numeric>

namespace knead {

namespace {

// Two directions across a jet, the second 0 in 2D; along the axes of the grid where the jet is, so that it meets the
// lattice of other liquid.
std::pair<Vec3d, Vec3d> directions_across(const Vec3d& normal, int dimension) {
  if (dimension == 2) return {{-normal[1], normal[0], 0}, {}};
  int least = 0;
  for (int a = 1; a < dimension; ++a)
    if (std::abs(normal[a]) < std::abs(normal[least])) least = a;
  const Vec3d across = normalized(cross(normal, Vec3d::axis(least)));
  return {across, cross(normal, across)};
}

}  // namespace

std::vector<Vec3d> opening(const Source& source, double spacing, int dimension) {
  const Bounds box = source.shape.bounds(dimension);
  Vec3d middle = box.center();
  if (dimension == 2) middle[2] = 0;
  const auto [across, other] = directions_across(normalized(source.velocity), dimension);
  double radius = 0;
  for (int a = 0; a < dimension; ++a) radius = elementary::hypot(radius, box.size()[a] / 2);
  const int n = static_cast<int>(std::ceil(radius / spacing)) + 1;
  // On the lattice (k + 1/2) spacing of the whole scene.
  const auto first = [&](const Vec3d& axis) {
    const double at = dot(middle, axis) / spacing;
    return (std::floor(at) + 0.5 - at) * spacing;
  };
  std::vector<Vec3d> points;
  const double start = first(across), other_start = dimension == 2 ? 0 : first(other);
  for (int i = -n; i <= n; ++i)
    for (int j = dimension == 2 ? 0 : -n; j <= (dimension == 2 ? 0 : n); ++j) {
      const Vec3d x = middle + across * (start + i * spacing) + other * (other_start + j * spacing);
      if (source.shape.distance(x) < 0) points.push_back(x);
    }
  return points;
}

double stop_of(const Source& source, std::size_t points, double spacing, int dimension) {
  const double stop = source.stop.value_or(std::numeric_limits<double>::infinity());
  if (!source.volume) return stop;
  const double area = double(points) * elementary::power(spacing, dimension - 1);
  return std::min(stop, source.start + *source.volume / (area * length(source.velocity) * source.flux));
}

std::int64_t rows_by(double time, const Source& source, double stop, double spacing) {
  const double pitch = spacing / source.flux;
  return static_cast<std::int64_t>(
      std::floor((std::clamp(time, source.start, stop) - source.start) * length(source.velocity) / pitch + 0.5));
}

template <class T, int D>
bool Liquid<T, D>::leaves(const Vec<T, D>& x) const {
  if (scene_.scene.domain)
    for (int a = 0; a < D; ++a) {
      const Domain& d = *scene_.scene.domain;
      if ((x[a] < T(d.min[a]) && d.is_open(a, false)) || (x[a] > T(d.max[a]) && d.is_open(a, true))) return true;
    }
  for (const Drain& drain : scene_.drains)
    if (controls_.colliders.time() >= drain.start && drain.shape.distance(resized<double, 3>(x)) <= 0) return true;
  return false;
}

template <class T, int D>
const std::vector<Vec3d>& Liquid<T, D>::opening_of(std::size_t s) {
  std::vector<Vec3d>& points = openings_[s];
  if (points.empty()) points = opening(scene_.sources[s], h_ / n_, D);
  if (points.empty())
    fail(Exit::bad_input,
         "source '{}' has an opening too small for particles {:.3g} m apart; make it larger or "
         "solver.dx smaller",
         scene_.sources[s].name, h_ / n_);
  return points;
}

template <class T, int D>
double Liquid<T, D>::stop_of(std::size_t s) {
  return knead::stop_of(scene_.sources[s], opening_of(s).size(), h_ / n_, D);
}

// What sources bring while a step lasts, as the flux through faces has it: in the mean over a cell along the jet. From
// a jet in air this is what goes on, and cancels; under water pressure makes room for it.
template <class T, int D>
void Liquid<T, D>::foresee_sources(double time, double dt) {
  coming_.assign(fill_.size(), T(0));
  for (std::size_t s = 0; s < scene_.sources.size(); ++s) {
    const Source& source = scene_.sources[s];
    const double lasts = std::min(time + dt, stop_of(s)) - std::max(time, source.start);
    if (!(lasts > 0)) continue;
    const Vec3d normal = normalized(source.velocity);
    // What is more than fills the jet, for study, comes unforeseen.
    const double share =
        lasts * length(source.velocity) * std::min(1.0, source.flux) / h_ / elementary::power(double(n_), D - 1);
    for (const Vec3d& x : opening_of(s))
      for (int along = 0; along < D; ++along) {
        // Splines of two pieces, and of three along one axis; three cells around the point hold them.
        Vec<int, D> first{};
        double weight[D][3];
        for (int a = 0; a < D; ++a) {
          first[a] = static_cast<int>(std::floor(x[a] / h_)) - 1;
          for (int k = 0; k < 3; ++k) {
            const double r = std::abs(x[a] / h_ - (first[a] + k + 0.5));
            const double wide = r < 0.5 ? 0.75 - r * r : r < 1.5 ? 0.5 * (1.5 - r) * (1.5 - r) : 0;
            weight[a][k] = a == along ? wide : std::max(0.0, 1 - r);
          }
        }
        for (int k = 0; k < BlockSet<D>::around; ++k) {
          const Vec<int, D> away = BlockSet<D>::offset(k);
          Vec<int, D> cell = first;
          double w = share * normal[along] * normal[along];
          for (int a = 0; a < D; ++a) cell[a] += away[a] + 1, w *= weight[a][away[a] + 1];
          const int block = blocks_.find(block_key(BlockLayout<D>::block_of(cell)));
          if (block >= 0)
            coming_[static_cast<std::size_t>(block) * 64 +
                    static_cast<std::size_t>(BlockLayout<D>::node_index(cell))] += T(w);
        }
      }
  }
}

// Rows of particles leave the opening as the jet carries them along: row k once the jet has gone (k + 1/2) spacings. So
// the mass that comes is rho U A whatever the steps, and nothing need be remembered.
template <class T, int D>
void Liquid<T, D>::emit(World& world, double dt) {
  const double spacing = h_ / n_, now = world.clock.time, before = now - dt;
  for (std::size_t s = 0; s < scene_.sources.size(); ++s) {
    const Source& source = scene_.sources[s];
    const double speed = length(source.velocity), pitch = spacing / source.flux;
    opening_of(s);
    const double stop = stop_of(s);
    const std::int64_t last = rows_by(now, source, stop, spacing);
    for (std::int64_t row = rows_by(before, source, stop, spacing); row < last; ++row)
      add_row(world, s, row, (now - source.start) * speed - (double(row) + 0.5) * pitch);
  }
}

template <class T, int D>
void Liquid<T, D>::add_row(World& world, std::size_t s, std::int64_t row, double ahead) {
  const Source& source = scene_.sources[s];
  const Vec3d normal = normalized(source.velocity);
  const double spacing = h_ / n_, mass = density_ * elementary::power(spacing, D);
  Particles& particles = world.particles;
  // Where liquid is already in the way the particle finds no room.
  std::vector<Vec3d> places;
  RandomAt random(static_cast<std::uint64_t>(scene_.scene.seed), static_cast<std::uint64_t>(row) * 1000 + s);
  const Bounds box = source.shape.bounds(D);
  const auto [across, other] = directions_across(normal, D);
  for (const Vec3d& point : openings_[s]) {
    Vec3d x = point + normal * ahead;
    if (source.seeding == Seeding::jittered) {
      // In the middle half of its place of the lattice: nothing evens it out later.
      const double along = random.unit() - 0.5, sideways = random.unit() - 0.5, upwards = random.unit() - 0.5;
      x += (normal * along + across * sideways + other * upwards) * (0.5 * spacing);
    }
    if (source.seeding == Seeding::random) {
      // Anywhere in the opening, and in the row.
      for (int turn = 0; turn < 100; ++turn) {
        Vec3d y{};
        for (int a = 0; a < D; ++a) y[a] = box.lo[a] + random.unit() * (box.hi[a] - box.lo[a]);
        y -= normal * dot(normal, y - box.center());
        if (source.shape.distance(y) >= 0) continue;
        x = y + normal * (ahead + (random.unit() - 0.5) * spacing);
        break;
      }
    }
    if (is_full(resized<T, D>(x)))
      world.tally.liquid.mass_kept_out += mass;
    else
      places.push_back(x);
  }
  const std::size_t old = particles.count(), n = old + places.size();
  particles.resize(n);
  for (Column& c : particles.columns()) std::memset(c.data.data() + old * c.stride(), 0, places.size() * c.stride());
  const auto x = particles.get<Vec<T, D>>("x"), v = particles.get<Vec<T, D>>("v");
  const auto m = particles.get<T>("mass"), volume = particles.get<T>("volume"), density = particles.get<T>("density");
  const auto id = particles.get<std::int32_t>("id"), body = particles.get<std::int32_t>("body");
  for (std::size_t k = 0; k < places.size(); ++k) {
    const std::size_t i = old + k;
    x[i] = resized<T, D>(places[k]), v[i] = resized<T, D>(source.velocity);
    m[i] = T(mass), volume[i] = T(elementary::power(spacing, D)), density[i] = T(density_);
    id[i] = static_cast<std::int32_t>(world.next_id++);
    body[i] = static_cast<std::int32_t>(scene_.bodies.size() + s);
  }
  world.batches.back().end = static_cast<std::int64_t>(n);
  world.tally.liquid.mass_in += mass * double(places.size());
  if (!places.empty()) world.tally.max_speed = std::max(world.tally.max_speed, length(source.velocity));
}

// Whether the cell there has no room for what comes: it is overfull, and not with what came before from the same
// source.
template <class T, int D>
bool Liquid<T, D>::is_full(const Vec<T, D>& x) const {
  Vec<int, D> cell{};
  for (int a = 0; a < D; ++a) cell[a] = static_cast<int>(std::floor(double(x[a]) / h_));
  const int block = blocks_.find(block_key(BlockLayout<D>::block_of(cell)));
  if (block < 0) return false;
  const std::size_t c =
      static_cast<std::size_t>(block) * 64 + static_cast<std::size_t>(BlockLayout<D>::node_index(cell));
  return fill_[c] > T(1.5) * std::max(room_[c], T(0.1));
}

// Those that left are closed up, in order.
template <class T, int D>
void Liquid<T, D>::remove_gone(World& world) {
  Particles& particles = world.particles;
  const auto mass = particles.get<T>("mass");
  std::size_t n = 0;
  kept_.clear();
  for (std::size_t i = 0; i < particles.count(); ++i) {
    if (gone_[i])
      world.tally.liquid.mass_out += double(mass[i]);
    else
      kept_.push_back(static_cast<int>(i)), ++n;
  }
  for (Column& column : particles.columns()) {
    const std::size_t stride = column.stride();
    std::byte* data = column.data.data();
    for (std::size_t i = 0; i < n; ++i)
      if (const auto from = static_cast<std::size_t>(kept_[i]); from != i)
        std::memcpy(data + i * stride, data + from * stride, stride);
  }
  particles.resize(n);
  world.batches.back().end = static_cast<std::int64_t>(n);
}

template class Liquid<float, 2>;
template class Liquid<float, 3>;
template class Liquid<double, 2>;
template class Liquid<double, 3>;

}  // namespace knead
