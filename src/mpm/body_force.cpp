// Body forces besides gravity: v += dt a(x, X, v, t) before the particles are brought to the grid. The transfers are
// linear in v, so that each of them sees the force as it would see a change of velocity (Wang 2020, Eq. 3.13).
// Symplectic Euler bears dt < 2/sqrt|da/dx|, and the drag of a step should not turn velocities round: max_dt keeps to
// half of the one and to 1/|da/dv|.
#include "mpm/solver.h"
#include "scene/force_variables.h"

namespace knead {

namespace {

constexpr std::size_t grain = 1024;

}  // namespace

// The velocities before are kept, for a step that is refused.
template <class T, int D>
std::optional<Problem> Mpm<T, D>::kick_with_body_force(World& world, double dt) {
  kick_work_ = 0;
  if (controls_.body_force.is_zero()) return {};
  const auto x = world.particles.get<Vec<T, D>>("x"), start = world.particles.get<Vec<T, D>>("X");
  const auto v = world.particles.get<Vec<T, D>>("v");
  const auto mass = world.particles.get<T>("mass");
  unkicked_.assign(v.begin(), v.end());
  kick_partial_.assign((x.size() + grain - 1) / grain, KickReport{});
  parallel_chunks(x.size(), grain, [&](std::size_t begin, std::size_t end) {
    KickReport report;
    for (std::size_t i = begin; i < end; ++i) {
      const Vec3d a = body_force_at(controls_.body_force, x[i], start[i], v[i], world.clock.time, dt);
      if (!std::isfinite(dot(a, a)) && report.bad < 0) report.bad = static_cast<std::int64_t>(i);
      const Vec3d before = resized<double, 3>(v[i]);
      v[i] += resized<T, D>(a * dt);
      report.work += 0.5 * double(mass[i]) * dot(resized<double, 3>(v[i]) - before, resized<double, 3>(v[i]) + before);
    }
    kick_partial_[begin / grain] = report;
  });
  for (const KickReport& r : kick_partial_) kick_work_ += r.work;
  for (const KickReport& r : kick_partial_)
    if (r.bad >= 0)
      return refuse(world,
                    {"scene.body_force is not a finite number", r.bad,
                     resized<double, 3>(x[static_cast<std::size_t>(r.bad)]),
                     fmt::format("correct the expression at {}, or end the scene before", controls_.body_force.place)})
          .problem;
  return {};
}

// The step is not to be: velocities are again what they were before body forces.
template <class T, int D>
StepResult Mpm<T, D>::refuse(World& world, const Problem& problem) {
  if (mesh_.any()) mesh_.take_back(world);
  if (!controls_.body_force.is_zero()) {
    const auto v = world.particles.get<Vec<T, D>>("v");
    std::copy(unkicked_.begin(), unkicked_.end(), v.begin());
  }
  return {problem};
}

template std::optional<Problem> Mpm<float, 2>::kick_with_body_force(World&, double);
template StepResult Mpm<float, 2>::refuse(World&, const Problem&);
template std::optional<Problem> Mpm<float, 3>::kick_with_body_force(World&, double);
template StepResult Mpm<float, 3>::refuse(World&, const Problem&);
template std::optional<Problem> Mpm<double, 2>::kick_with_body_force(World&, double);
template StepResult Mpm<double, 2>::refuse(World&, const Problem&);
template std::optional<Problem> Mpm<double, 3>::kick_with_body_force(World&, double);
template StepResult Mpm<double, 3>::refuse(World&, const Problem&);

}  // namespace knead
