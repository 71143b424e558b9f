// A flow that is given instead of solved for (solver.liquid.flow).
#include "liquid/solver.h"

namespace knead {

namespace {

Vec3d flow_at(const Formula& flow, const Vec3d& x, double time) {
  return flow.at(std::array<double, 4>{x[0], x[1], x[2], time});
}

}  // namespace

// Particles have the velocity of the flow from the start: by it the first step is chosen.
template <class T, int D>
void Liquid<T, D>::start_in_flow(World& world) const {
  const auto x = world.particles.get<Vec<T, D>>("x"), v = world.particles.get<Vec<T, D>>("v");
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Vec3d at = resized<double, 3>(x[i]), u = flow_at(spec_.liquid.flow, at, world.clock.time);
    if (!std::isfinite(dot(u, u)))
      fail(Exit::bad_input, "{}: solver.liquid.flow is not a finite number at ({:.6g}, {:.6g}, {:.6g}) m, t = {} s",
           spec_.liquid.flow.place, at[0], at[1], at[2], world.clock.time);
    v[i] = resized<T, D>(u);
  }
}

// On all faces around the particles. Only those that a particle sees now must be finite numbers.
template <class T, int D>
std::optional<Problem> Liquid<T, D>::set_flow(double time) {
  const Formula& flow = spec_.liquid.flow;
  const auto middle = [&](std::size_t b, int c, int a) {
    const Vec<int, D> cell = blocks_.first_cell(b) + BlockLayout<D>::node_offset(c);
    Vec3d x{};
    for (int k = 0; k < D; ++k) x[k] = (cell[k] + (k == a ? 0.0 : 0.5)) * h_;
    return x;
  };
  parallel_for(blocks_.count(), 1, [&](std::size_t b) {
    for (int a = 0; a < D; ++a)
      for (int c = 0; c < 64; ++c)
        u_[a][b * 64 + static_cast<std::size_t>(c)] = T(flow_at(flow, middle(b, c, a), time)[a]);
  });
  std::fill(shown_pressure_.begin(), shown_pressure_.end(), T(0));
  std::optional<Problem> lost;
  for (std::size_t b = 0; b < blocks_.count(); ++b)
    for (int a = 0; a < D; ++a)
      for_each_mark(known_[a][b], [&](int c) {
        if (!lost && !std::isfinite(u_[a][b * 64 + static_cast<std::size_t>(c)]))
          lost = Problem{.what = "solver.liquid.flow is not a finite number",
                         .position = middle(b, c, a),
                         .remedy = "correct the expression at " + flow.place + ", or end the scene before"};
      });
  return lost;
}

template class Liquid<float, 2>;
template class Liquid<float, 3>;
template class Liquid<double, 2>;
template class Liquid<double, 3>;

}  // namespace knead
