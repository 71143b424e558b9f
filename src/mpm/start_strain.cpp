// The strain that bodies start with: that of a displacement, or one under which their law makes a given stress.
#include "base/eigen_sym.h"
#include "base/elementary.h"
#include "base/rounding_of_place.h"
#include "mpm/solver.h"

namespace knead {

namespace {

// The principal stretches at which a law has the principal stresses of Cauchy `wanted`, by Newton's method in the
// logarithms of the stretches; nothing where there are none. Liquids know the volume alone.
template <int D, class Law>
std::optional<Vec<double, D>> stretches_under(const Law& law, const Vec<double, D>& wanted) {
  const auto history = law.template initial_history<double>();
  const double c = law.template wave_speed<double>(history), stiffness = law.density * c * c;
  constexpr double accuracy = 1e-12, difference = 1e-6, longest = 0.3;
  constexpr int most_iterations = 50, unknowns = Law::volume_only ? 1 : D;
  const auto spread = [](const Vec<double, unknowns>& logs) {
    Vec<double, D> stretches{};
    for (int i = 0; i < D; ++i) stretches[i] = elementary::exp(logs[unknowns == 1 ? 0 : i]);
    return stretches;
  };
  const auto off = [&](const Vec<double, unknowns>& logs) {
    const Vec<double, D> stretches = spread(logs);
    return law.kirchhoff(stretches, history) * (1 / product(stretches)) - wanted;
  };
  Vec<double, unknowns> logs{};
  for (int k = 0; k < most_iterations; ++k) {
    const Vec<double, D> now = off(logs);
    if (length(now) <= accuracy * stiffness) return spread(logs);
    Vec<double, unknowns> step{};
    if constexpr (unknowns == 1) {
      const Vec<double, 1> little{difference};
      step[0] = -now[0] * 2 * difference / (off(logs + little)[0] - off(logs - little)[0]);
    } else {
      Mat<double, D> slopes{};
      for (int j = 0; j < D; ++j) {
        Vec<double, D> above = logs, below = logs;
        above[j] += difference, below[j] -= difference;
        const Vec<double, D> slope = (off(above) - off(below)) * (0.5 / difference);
        for (int i = 0; i < D; ++i) slopes(i, j) = slope[i];
      }
      step = inverse(slopes) * now * -1.0;
    }
    const double size = length(step);
    if (!std::isfinite(size)) return {};
    logs += step * std::min(1.0, longest / std::max(size, longest));
  }
  return {};
}

template <int D>
Sym<double, D> stress_at(const InitialStress& stress, const Vec3d& start) {
  const std::array at{start[0], start[1], start[2]};
  const Vec3d normal = stress.normal.at(at), shear = stress.shear.at(at);
  Sym<double, D> s{};
  for (int a = 0; a < D; ++a) s[a] = normal[a];
  for (int k = D; k < Sym<double, D>::size; ++k) s[k] = shear[k - D];
  return s;
}

std::string place_text(const Vec3d& x) { return fmt::format("({:.6g}, {:.6g}, {:.6g}) m", x[0], x[1], x[2]); }

}  // namespace

template <class T, int D>
void Mpm<T, D>::strain_bodies(World& world) {
  if (strained_.empty()) return;
  Columns<T, D> p(world.particles);
  const auto body = world.particles.get<std::int32_t>("body");
  for (const Batch& batch : world.batches)
    for (auto i = static_cast<std::size_t>(batch.begin); i < static_cast<std::size_t>(batch.end); ++i) {
      const Body& b = strained_[static_cast<std::size_t>(body[i])];
      const Vec3d start = resized<double, 3>(p.x[i]);
      if (!b.displacement.is_zero()) {
        const std::array at{start[0], start[1], start[2]};
        const Vec3d way = b.displacement.at(at);
        for (int c = 0; c < D; ++c) {
          const Vec3d slope = b.displacement.slope(at, c);
          for (int r = 0; r < D; ++r) p.H[i](r, c) = T(slope[r]);
        }
        if (!std::isfinite(dot(way, way) + norm2(p.F(i))) || !(determinant(p.F(i)) > 0))
          fail(Exit::bad_input, "{}: the displacement of body '{}' inverts matter, or is not a finite number, at {}",
               b.displacement.place, b.name, place_text(start));
        p.x[i] = resized<T, D>(start + way);
        if (!p.x_low.empty()) p.x_low[i] = rounding_of_place<T, D>(start + way);
      }
      if (b.stress) {
        const EigenSym<double, D> e = eigen_sym<D>(stress_at<D>(*b.stress, start));
        const auto stretches = visit(controls_.materials[static_cast<std::size_t>(batch.material)],
                                     [&]<class Law>(const Law& law) -> std::optional<Vec<double, D>> {
                                       if constexpr (Law::needs_rest_shape)
                                         return {};
                                       else
                                         return stretches_under<D>(law, e.values);
                                     });
        if (!stretches)
          fail(Exit::bad_input, "{}: no strain of the material of body '{}' gives the stress at {}",
               b.stress->normal.place, b.name, place_text(start));
        Vec<double, D> growth = *stretches;
        for (int a = 0; a < D; ++a) growth[a] -= 1;
        p.H[i] = cast<T>(to_matrix<D>(rotated_diagonal(e.Q, growth)));
      }
    }
}

// Flow and fracture would take of the stress what the material does not bear.
template <class T, int D>
void Mpm<T, D>::check_borne(const World& world) const {
  if (strained_.empty()) return;
  constexpr double tolerance = 1e-3;
  const auto body = world.particles.get<std::int32_t>("body");
  const auto tau = world.particles.get<Sym<T, D>>("tau");
  const auto x = world.particles.get<Vec<T, D>>("x");
  for (std::size_t i = 0; i < tau.size(); ++i) {
    const Body& b = strained_[static_cast<std::size_t>(body[i])];
    if (!b.stress) continue;
    const Vec3d start = resized<double, 3>(x[i]);
    const Sym<double, D> wanted = stress_at<D>(*b.stress, start);
    const double J = determinant(deformation_of<T, D>(world.particles, i));
    double missing = 0, size = 0;
    for (int k = 0; k < Sym<double, D>::size; ++k) {
      missing = std::max(missing, std::abs(double(tau[i][k]) - J * wanted[k]));
      size = std::max(size, std::abs(J * wanted[k]));
    }
    if (missing > tolerance * size +
                      1e-6 * double(densities_[static_cast<std::size_t>(body[i])]) * square(world.tally.max_wave_speed))
      fail(Exit::bad_input,
           "{}: the material of body '{}' cannot bear the stress at {}: {:.3g} Pa of {:.3g} Pa are lost at once",
           b.stress->normal.place, b.name, place_text(start), missing, size);
  }
}

template void Mpm<float, 2>::strain_bodies(World&);
template void Mpm<float, 3>::strain_bodies(World&);
template void Mpm<double, 2>::strain_bodies(World&);
template void Mpm<double, 3>::strain_bodies(World&);
template void Mpm<float, 2>::check_borne(const World&) const;
template void Mpm<float, 3>::check_borne(const World&) const;
template void Mpm<double, 2>::check_borne(const World&) const;
template void Mpm<double, 3>::check_borne(const World&) const;

}  // namespace knead
