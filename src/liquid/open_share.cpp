#include "liquid/open_share.h"

#include "base/elementary.h"
#include "liquid/staggered.h"

namespace knead {

template <int D>
OpenBlock<D> OpenShares<D>::all_open() {
  OpenBlock<D> open;
  for (auto& axis : open.face) std::fill_n(axis, 64, 1.0f);
  std::fill_n(open.cell, 64, 1.0);
  return open;
}

template <int D>
OpenBlock<D> OpenShares<D>::sampled(const Solids& solids, const Vec<int, D>& first_cell, bool smooth) const {
  const Solids::Near near = solids.near(middle(first_cell), reach());
  if (near.empty()) return open_;
  return sampled([&](const Vec3d& x) { return near.distance(x); }, first_cell, smooth);
}

template <int D>
OpenBlock<D> OpenShares<D>::sampled(const OfPoint& distance_of, const Vec<int, D>& first_cell, bool smooth,
                                    const ShareOfPoint& share_of) const {
  using Layout = BlockLayout<D>;
  constexpr int side = Layout::side + 2;  // cells whose samples reach the block: one more on either side
  const double cell_radius = 0.5 * h_ * std::sqrt(double(D));
  double cell[64] = {}, face[D][64] = {};
  // What a solid sample at y, in cells from the block's first corner, takes from the nodes around it.
  const double share = 1 / elementary::power(double(n_), D);
  const auto add = [&](const Vec<double, D>& y, double solid, const Vec3d& of_axis) {
    for (int set = 0; set <= D; ++set) {
      int base[D];
      double weight[D][2];
      for (int a = 0; a < D; ++a) {
        const double at = a == set ? y[a] : y[a] - 0.5;
        base[a] = static_cast<int>(std::floor(at));
        weight[a][1] = at - base[a], weight[a][0] = 1 - weight[a][1];
      }
      for (int corner = 0; corner < 1 << D; ++corner) {
        Vec<int, D> node{};
        double w = share * solid * (set < D ? of_axis[set] : 1);
        bool inside = true;
        for (int a = 0; a < D; ++a) {
          const int up = corner >> a & 1;
          node[a] = base[a] + up;
          w *= weight[a][up];
          inside = inside && node[a] >= 0 && node[a] < Layout::side;
        }
        if (inside) (set == D ? cell : face[set])[Layout::node_index(node)] += w;
      }
    }
  };
  for (int c = 0, cells = D == 2 ? side * side : side * side * side; c < cells; ++c) {
    Vec<int, D> at{};
    for (int a = D - 1, rest = c; a >= 0; --a, rest /= side) at[a] = rest % side - 1;
    Vec3d center{};
    for (int a = 0; a < D; ++a) center[a] = (first_cell[a] + at[a] + 0.5) * h_;
    const double distance = distance_of(center);
    if (distance > cell_radius + (smooth ? h_ / n_ : 0)) continue;
    for (int k = 0, points = D == 2 ? n_ * n_ : n_ * n_ * n_; k < points; ++k) {
      Vec<double, D> y{};
      Vec3d x{};
      for (int a = 0, rest = k; a < D; ++a, rest /= n_) {
        y[a] = at[a] + (rest % n_ + 0.5) / n_;
        x[a] = (first_cell[a] + y[a]) * h_;
      }
      const bool deep = distance < -cell_radius - (smooth ? h_ / n_ : 0);
      double solid = deep ? 1 : distance_of(x) < 0 ? 1 : 0;
      if (smooth && !deep) solid = std::clamp(0.5 - distance_of(x) * n_ / h_, 0.0, 1.0);
      if (solid > 0) add(y, solid, share_of ? share_of(x) : Vec3d::filled(1));
    }
  }
  // Rounding of the sums must not leave a trace of room in solids.
  const auto open = [](double solid) { return 1 - solid < 1e-9 ? 0.0 : solid < 1e-9 ? 1.0 : 1 - solid; };
  OpenBlock<D> result;
  for (int c = 0; c < 64; ++c) {
    result.cell[c] = open(cell[c]);
    for (int a = 0; a < D; ++a) result.face[a][c] = static_cast<float>(open(face[a][c]));
  }
  return result;
}

template <int D>
void OpenShares<D>::keep(BlockKey key, const OpenBlock<D>& block) {
  const bool open = std::all_of(block.cell, block.cell + 64, [](double v) { return v == 1; }) &&
                    std::all_of(&block.face[0][0], &block.face[0][0] + 64 * D, [](float v) { return v == 1; });
  if (!open) pool_.push_back(block);
  kept_[key] = open ? -1 : static_cast<int>(pool_.size()) - 1;
}

template class OpenShares<2>;
template class OpenShares<3>;

}  // namespace knead
