// What liquid does to solids, for force probes: the gradient of the pressure over the part of each face that a solid
// takes, -h^d sum sigma_f (grad p)_f by Newton's third law.
#include "base/elementary.h"
#include "liquid/solver.h"

namespace knead {

template <class T, int D>
void Liquid<T, D>::measure_forces(double dt) {
  Reactions& reactions = controls_.reactions;
  if (!reactions.measured()) return;
  const double pressure = density_ * h_ * h_ / (dt * dt), area = elementary::power(h_, D - 1);
  // Where solids lie in each other, as a floor and a wall do behind their corner, the force along an axis is that of
  // the one whose surface runs along it: so the floor ends at the wall, and a smooth wall is not pulled up or down.
  const auto share = [&](std::size_t of, const Vec3d& x) {
    Vec3d own{}, sum{};
    controls_.colliders.all().template for_each_within<D>(
        x, 0, [&](std::size_t index, const Boundary&, double, const Vec<double, D>&, const Vec<double, D>& normal) {
          for (int a = 0; a < D; ++a) {
            const double along = 1 - square(normal[a]) + 1e-6;
            sum[a] += along;
            if (index == of) own[a] += along;
          }
        });
    for (int a = 0; a < D; ++a) own[a] = sum[a] > 0 ? own[a] / sum[a] : 1;
    return own;
  };
  reactions.start_stage(blocks_.count());
  parallel_for(blocks_.count(), 1, [&](std::size_t b) {
    const Vec<int, D> first = blocks_.first_cell(b);
    for (const std::size_t k : measured_) {
      const Boundary& boundary = controls_.colliders.boundaries()[k];
      const auto distance = [&](const Vec3d& x) { return boundary.collider.distance(x, controls_.colliders.time()); };
      if (!boundary.on || distance(shares_.middle(first)) > shares_.reach()) continue;
      const OpenBlock<D> open = shares_.sampled(distance, first, boundary.collider.motion.moves(),
                                                [&](const Vec3d& x) { return share(k, x); });
      for (int a = 0; a < D; ++a)
        for_each_mark(liquid_[b] | cells_beside(blocks_, liquid_, b, a, false), [&](int c) {
          const std::size_t at = b * 64 + static_cast<std::size_t>(c);
          const std::int64_t below = beside(b, c, a, false);
          const double step = q_[at] - (below < 0 ? 0 : q_[static_cast<std::size_t>(below)]);
          const Vec<int, D> cell = first + BlockLayout<D>::node_offset(c);
          Vec3d x{};
          for (int i = 0; i < D; ++i) x[i] = (cell[i] + (i == a ? 0.0 : 0.5)) * h_;
          const double taken = 1 - double(open.face[a][c]);
          if (taken > 0) reactions.add(b, k, x, Vec3d::axis(a) * (area * taken * step * pressure * dt));
        });
    }
  });
  reactions.finish_stage();
}

template class Liquid<float, 2>;
template class Liquid<float, 3>;
template class Liquid<double, 2>;
template class Liquid<double, 3>;

}  // namespace knead
