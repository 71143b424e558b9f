// The same explicit step, written as plainly as possible: a dense grid, one loop after the other, no blocks, packs or
// threads, and singular values for the stress of any law. It is the judge of the fast version.
#pragma once

#include "base/svd.h"
#include "grid/bspline.h"

#include <array>
#include <vector>

namespace knead {

template <class T, int D>
struct PlainParticle {
  Vec<T, D> x, v;
  Mat<T, D> C, F;
  T mass, volume;
};

// MLS-MPM with the law's principal Kirchhoff stress, free in a box of `cells` nodes along each axis that starts at the
// origin.
template <int degree, class T, int D, class Law>
void plain_step(std::vector<PlainParticle<T, D>>& particles, const Law& law, T dx, T dt, const Vec<T, D>& gravity,
                int cells) {
  struct PlainNode {
    Vec<T, D> v;
    T m;
  };
  std::size_t count = 1;
  for (int a = 0; a < D; ++a) count *= static_cast<std::size_t>(cells);
  std::vector<PlainNode> grid(count, PlainNode{});
  const auto for_each_node = [&](const Vec<T, D>& x, auto&& f) {
    const Vec<int, D> base = stencil_base<degree>(x, T(1) / dx);
    std::array<BSpline1<degree, T>, D> spline;
    for (int a = 0; a < D; ++a) spline[a] = BSpline1<degree, T>(x[a] / dx - T(base[a]));
    constexpr int width = degree + 1;
    for (int i = 0; i < width; ++i)
      for (int j = 0; j < width; ++j)
        for (int k = 0; k < (D == 3 ? width : 1); ++k) {
          Vec<int, D> node = base;
          node[0] += i, node[1] += j;
          T w = spline[0].w[i] * spline[1].w[j];
          if constexpr (D == 3) node[2] += k, w *= spline[2].w[k];
          std::size_t index = 0;
          Vec<T, D> distance{};
          for (int a = 0; a < D; ++a) {
            index = index * static_cast<std::size_t>(cells) + static_cast<std::size_t>(node[a]);
            distance[a] = T(node[a]) * dx - x[a];
          }
          f(grid[index], w, distance);
        }
  };
  const T inverse_moment = T(1) / (second_moment<T, degree> * dx * dx);
  const auto history = law.template initial_history<T>();
  for (const auto& p : particles) {
    const Svd<T, D> s = svd(p.F);
    const Mat<T, D> tau = s.U * Mat<T, D>::diagonal(law.kirchhoff(s.sigma, history)) * transpose(s.U);
    const Mat<T, D> Q = p.C * p.mass - tau * (dt * p.volume * inverse_moment);
    for_each_node(p.x, [&](PlainNode& node, T w, const Vec<T, D>& r) {
      node.v += (p.v * p.mass + Q * r) * w;
      node.m += w * p.mass;
    });
  }
  for (PlainNode& node : grid)
    if (node.m > T(0)) node.v = node.v / node.m + gravity * dt;
  for (auto& p : particles) {
    p.v = Vec<T, D>::zero();
    p.C = Mat<T, D>::zero();
    for_each_node(p.x, [&](PlainNode& node, T w, const Vec<T, D>& r) {
      p.v += node.v * w;
      p.C += outer(node.v, r) * (w * inverse_moment);
    });
    p.F += (p.C * dt) * p.F;
    p.x += p.v * dt;
  }
}

}  // namespace knead
