#include "mpm/reference.h"

#include <algorithm>
#include <cmath>

namespace knead {
namespace {

// The rotation of F = R S, by Newton's iteration R <- (R + R^-T) / 2 (Higham 1986).
template <int D>
Mat<float, D> rotation_of(const Mat<float, D>& F) {
  Mat<float, D> R = F;
  for (int i = 0; i < 20; ++i) {
    const Mat<float, D> next = (R + cofactor(R) * (1 / determinant(R))) * 0.5f;
    const float change = norm2(next - R);
    R = next;
    if (change < 1e-10f) break;
  }
  return R;
}

// f(node, weight, cells from the particle to the node) for the nodes around a place.
template <int D, class F>
inline void for_each_node(ReferenceScene<D>& scene, const Vec<float, D>& x, F&& f) {
  const float inverse_dx = 1 / scene.dx;
  int base[D];
  float away[D], w[D][3];
  for (int a = 0; a < D; ++a) {
    base[a] = static_cast<int>(x[a] * inverse_dx - 0.5f);
    away[a] = x[a] * inverse_dx - float(base[a]);
    w[a][0] = 0.5f * (1.5f - away[a]) * (1.5f - away[a]);
    w[a][1] = 0.75f - (away[a] - 1) * (away[a] - 1);
    w[a][2] = 0.5f * (away[a] - 0.5f) * (away[a] - 0.5f);
  }
  const auto cells = static_cast<std::size_t>(scene.cells);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const std::size_t row = static_cast<std::size_t>(base[0] + i) * cells + static_cast<std::size_t>(base[1] + j);
      if constexpr (D == 2) {
        f(scene.grid[row], w[0][i] * w[1][j], Vec<float, 2>{float(i) - away[0], float(j) - away[1]});
      } else {
        for (int k = 0; k < 3; ++k)
          f(scene.grid[row * cells + static_cast<std::size_t>(base[2] + k)], w[0][i] * w[1][j] * w[2][k],
            Vec<float, 3>{float(i) - away[0], float(j) - away[1], float(k) - away[2]});
      }
    }
}

}  // namespace

template <int D>
void reference_step(ReferenceScene<D>& scene) {
  const float inverse_dx = 1 / scene.dx;
  std::fill(scene.grid.begin(), scene.grid.end(), ReferenceNode<D>{});
  // Particles to grid.
  for (const ReferenceParticle<D>& p : scene.particles) {
    const float J = determinant(p.F);
    Mat<float, D> tau = (p.F - rotation_of(p.F)) * transpose(p.F) * (2 * scene.mu);
    for (int a = 0; a < D; ++a) tau(a, a) += scene.lambda * (J - 1) * J;
    const Mat<float, D> Q = p.C * (scene.mass * scene.dx) - tau * (4 * scene.dt * scene.volume * inverse_dx);
    const Vec<float, D> momentum = p.v * scene.mass;
    for_each_node(scene, p.x, [&](ReferenceNode<D>& node, float w, const Vec<float, D>& r) {
      node.v += (momentum + Q * r) * w;
      node.m += w * scene.mass;
    });
  }
  // Grid.
  for (ReferenceNode<D>& node : scene.grid)
    if (node.m > 0) node.v = node.v / node.m + scene.gravity * scene.dt;
  // Grid to particles.
  for (ReferenceParticle<D>& p : scene.particles) {
    Vec<float, D> v = Vec<float, D>::zero();
    Mat<float, D> C = Mat<float, D>::zero();
    for_each_node(scene, p.x, [&](const ReferenceNode<D>& node, float w, const Vec<float, D>& r) {
      const Vec<float, D> weighted = node.v * w;
      v += weighted;
      C += outer(weighted, r);
    });
    p.v = v;
    p.C = C * (4 * inverse_dx);
    p.F += (p.C * scene.dt) * p.F;
    p.x += v * scene.dt;
  }
}

template void reference_step(ReferenceScene<2>&);
template void reference_step(ReferenceScene<3>&);

}  // namespace knead
