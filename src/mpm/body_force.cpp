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
  if (controls_.body_force.is_zero()) return {};
  const auto x = world.particles.get<Vec<T, D>>("x"), start = world.particles.get<Vec<T, D>>("X");
  const auto v = world.particles.get<Vec<T, D>>("v");
  unkicked_.assign(v.begin(), v.end()), kick_.resize(v.size());
  kick_partial_.assign((x.size() + grain - 1) / grain, -1);
  parallel_chunks(x.size(), grain, [&](std::size_t begin, std::size_t end) {
    std::int64_t& bad = kick_partial_[begin / grain];
    for (std::size_t i = begin; i < end; ++i) {
      const Vec3d a = body_force_at(controls_.body_force, x[i], start[i], v[i], world.clock.time, dt);
      if (!std::isfinite(dot(a, a)) && bad < 0) bad = static_cast<std::int64_t>(i);
      v[i] += resized<T, D>(a * dt);
      kick_[i] = v[i] - unkicked_[i];
    }
  });
  for (const std::int64_t bad : kick_partial_)
    if (bad >= 0)
      return refuse(
                 world,
                 {"scene.body_force is not a finite number", bad, resized<double, 3>(x[static_cast<std::size_t>(bad)]),
                  fmt::format("correct the expression at {}, or end the scene before", controls_.body_force.place)})
          .problem;
  return {};
}

// The work of the kick, at the mean of the velocities before the step and after it: what stress and colliders hold
// moves no further, and takes no work. Columns may have been put in another order since.
template <class T, int D>
void Mpm<T, D>::book_body_work(World& world, const Columns<T, D>& p, bool reordered) {
  if (controls_.body_force.is_zero()) return;
  work_partial_.assign((p.x.size() + grain - 1) / grain, 0);
  parallel_chunks(p.x.size(), grain, [&](std::size_t begin, std::size_t end) {
    double sum = 0;
    for (std::size_t i = begin; i < end; ++i) {
      const std::size_t was = reordered ? static_cast<std::size_t>(permutation_[i]) : i;
      const Vec<double, D> v = resized<double, D>(unkicked_[was]) + resized<double, D>(p.v[i]);
      sum += 0.5 * double(p.mass[i]) * dot(resized<double, D>(kick_[was]), v);
    }
    work_partial_[begin / grain] = sum;
  });
  for (const double work : work_partial_) world.tally.body_work += work;
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
template void Mpm<float, 2>::book_body_work(World&, const Columns<float, 2>&, bool);
template StepResult Mpm<float, 2>::refuse(World&, const Problem&);
template std::optional<Problem> Mpm<float, 3>::kick_with_body_force(World&, double);
template void Mpm<float, 3>::book_body_work(World&, const Columns<float, 3>&, bool);
template StepResult Mpm<float, 3>::refuse(World&, const Problem&);
template std::optional<Problem> Mpm<double, 2>::kick_with_body_force(World&, double);
template void Mpm<double, 2>::book_body_work(World&, const Columns<double, 2>&, bool);
template StepResult Mpm<double, 2>::refuse(World&, const Problem&);
template std::optional<Problem> Mpm<double, 3>::kick_with_body_force(World&, double);
template void Mpm<double, 3>::book_body_work(World&, const Columns<double, 3>&, bool);
template StepResult Mpm<double, 3>::refuse(World&, const Problem&);

}  // namespace knead
