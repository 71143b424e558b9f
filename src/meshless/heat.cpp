// Heat passed on between particles and from colliders. Temperatures are in double precision whatever the rest is: a
// step changes them by less than a float can tell.
#include "base/elementary.h"
#include "meshless/solver.h"

namespace knead {

// The kernel of the exchange is a smooth function g of the distance with sum V g x^2 = 1 on the lattice, so that
// sum 2 V_j g (T_j - T_i) is the Laplacian of T (Cleary and Monaghan 1999, with a calibrated kernel).
template <class T, int D>
void Meshless<T, D>::measure_heat(const World& world) {
  const double a = spec_.dx, h = heat_reach * a;
  const int reach = static_cast<int>(heat_reach) + 1;
  double moment = 0, sum = 0;
  for (int i = -reach; i <= reach; ++i)
    for (int j = -reach; j <= reach; ++j)
      for (int k = D == 3 ? -reach : 0; k <= (D == 3 ? reach : 0); ++k) {
        if (i == 0 && j == 0 && k == 0) continue;
        const double g = square(std::max(1 - (i * i + j * j + k * k) * square(a / h), 0.0)) * elementary::power(a, D);
        moment += g * square(i * a), sum += g;
      }
  heat_factor_ = 1 / moment;
  const std::size_t n = world.particles.count();
  conductivity_.resize(n), capacity_.resize(n), warmed_.resize(n);
  heat_rate_ = 0;
  for (const Batch& batch : world.batches) {
    const Material& m = controls_.materials[static_cast<std::size_t>(batch.material)];
    const double conductivity = heat_of(m).conductivity.value_or(0), capacity = heat_of(m).capacity;
    std::fill(conductivity_.begin() + batch.begin, conductivity_.begin() + batch.end, conductivity);
    std::fill(capacity_.begin() + batch.begin, capacity_.begin() + batch.end, capacity);
    heat_rate_ = std::max(heat_rate_, 2 * heat_factor_ * sum * conductivity / (lightest(world, batch) * capacity));
  }
  const auto boundaries = controls_.colliders.boundaries();
  warm_colliders_ = std::any_of(boundaries.begin(), boundaries.end(),
                                [](const Boundary& b) { return b.collider.temperature.has_value(); });
}

// Fourier's law between pairs, with the harmonic mean of their conductivities (Cleary and Monaghan 1999): what one
// gains the other loses, and nothing passes a surface.
template <class T, int D>
void Meshless<T, D>::pass_heat(World& world, Columns& p, double dt) {
  find_heat_neighbours(world);
  const double reach = square(heat_reach * spec_.dx), factor = 4 * heat_factor_ * dt;
  parallel_for(p.x.size(), 128, [&](std::size_t i) {
    double gained = 0;
    for (const int other : heat_.list(i)) {
      const auto j = static_cast<std::size_t>(other);
      const double both = conductivity_[i] + conductivity_[j];
      const Vec<double, D> away = resized<double, D>(p.x[j]) - resized<double, D>(p.x[i]);
      const double left = 1 - dot(away, away) / reach;
      if (left <= 0 || both == 0) continue;
      gained += (conductivity_[i] * conductivity_[j] / both) * (double(p.volume[i]) * double(p.volume[j])) *
                (left * left) * (p.temperature[j] - p.temperature[i]);
    }
    warmed_[i] = p.temperature[i] + factor * gained / (double(p.mass[i]) * capacity_[i]);
  });
  if (warm_colliders_) world.tally.heat_in += heat_from_colliders(p, dt);
  copy_entries<double>(warmed_, p.temperature);
  if (!p.latent.empty()) spend_latent_heat(world, p), settle_phases(world);
}

// Newton's law at the surface of particles nearer to a collider than their distance, each with the face of a cell; from
// there to the middle, whose temperature it is, heat is conducted over half a spacing. All of a step starts from the
// same temperatures, so that a steady flow of heat is exact. The heat that they take, J.
template <class T, int D>
double Meshless<T, D>::heat_from_colliders(const Columns& p, double dt) {
  const ColliderSet::Some boundaries = controls_.colliders.all();
  const double face = elementary::power(spec_.dx, D - 1);
  const auto some = [&](std::size_t begin, std::size_t end) {
    double taken = 0;
    for (std::size_t i = begin; i < end; ++i)
      boundaries.template for_each_within<D>(
          resized<double, 3>(p.x[i]), spec_.dx,
          [&](std::size_t, const Boundary& other, double, const Vec<double, D>&, const Vec<double, D>&) {
            if (!other.collider.temperature) return;
            const double capacity = double(p.mass[i]) * capacity_[i];
            const double exchange = other.collider.heat_exchange.value_or(0), inwards = 2 * conductivity_[i] / spec_.dx;
            if (exchange == 0 || inwards == 0) return;
            const double share = exchange * inwards / (exchange + inwards) * face * dt / capacity;
            const double change = (*other.collider.temperature - p.temperature[i]) * std::min(share, 1.0);
            warmed_[i] += change, taken += capacity * change;
          });
    return taken;
  };
  return parallel_reduce(p.x.size(), 256, 0.0, some, [](double a, double b) { return a + b; });
}

// A solid at its melting temperature takes up latent heat before it melts, a melt at its setting temperature gives it
// back before it sets: heat and latent heat together stay as they are.
template <class T, int D>
void Meshless<T, D>::spend_latent_heat(const World& world, Columns& p) {
  for (const Batch& batch : world.batches) {
    const auto* law = std::get_if<StrainYieldLaw>(&controls_.materials[static_cast<std::size_t>(batch.material)].value);
    if (!law || !law->flow.melting_temperature) continue;
    const double whole = law->flow.latent_heat;
    parallel_for(static_cast<std::size_t>(batch.end - batch.begin), 1024, [&](std::size_t k) {
      const std::size_t i = static_cast<std::size_t>(batch.begin) + k;
      const double turn = p.is_molten(i) ? law->flow.sets_below() : *law->flow.melting_temperature;
      const double wanted = p.latent[i] + capacity_[i] * (p.temperature[i] - turn);
      const double taken = std::clamp(wanted, 0.0, whole) - p.latent[i];
      p.latent[i] += taken, p.temperature[i] -= taken / capacity_[i];
    });
  }
}

// What is above its melting temperature at the start has molten before.
template <class T, int D>
void Meshless<T, D>::fill_latent_heat(const World& world, Columns& p) {
  for (const Batch& batch : world.batches) {
    const auto* law = std::get_if<StrainYieldLaw>(&controls_.materials[static_cast<std::size_t>(batch.material)].value);
    if (!law || !law->flow.melting_temperature) continue;
    for (auto i = static_cast<std::size_t>(batch.begin); i < static_cast<std::size_t>(batch.end); ++i)
      if (p.temperature[i] >= *law->flow.melting_temperature) p.latent[i] = law->flow.latent_heat;
  }
}

template class Meshless<float, 2>;
template class Meshless<float, 3>;
template class Meshless<double, 2>;
template class Meshless<double, 3>;

}  // namespace knead
