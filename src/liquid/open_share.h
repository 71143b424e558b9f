// How much of each cell and face is open, seen through the same kernel as the liquid, so that a cell that liquid can
// reach always has room for it (Gerszewski 2014, section 3.2, Eq. 3.13): one less the rasterised solid, which is
// sampled on the lattice that liquid is seeded on.
#pragma once

#include "grid/block_set.h"
#include "liquid/solids.h"

#include <functional>
#include <unordered_map>

namespace knead {

template <int D>
struct OpenBlock {
  float face[D][64];
  double cell[64];
};

// What does not move is sampled once for each block that liquid comes to.
template <int D>
class OpenShares {
 public:
  OpenShares(double h, int points_a_cell) : h_(h), n_(points_a_cell) {}

  // The shares of a block as the solids stand. Where they are at rest a sample is solid or not, as liquid is there or
  // not; where they move (`smooth`) it is so in part while a surface passes, so that the room goes as the solid comes.
  OpenBlock<D> sampled(const Solids&, const Vec<int, D>& first_cell, bool smooth) const;
  // The same of one solid alone, of which each point counts by `share` on the faces of each axis; all of it where there
  // is none.
  using OfPoint = std::function<double(const Vec3d&)>;
  using ShareOfPoint = std::function<Vec3d(const Vec3d&)>;
  OpenBlock<D> sampled(const OfPoint& distance, const Vec<int, D>& first_cell, bool smooth,
                       const ShareOfPoint& share = {}) const;
  // Farther than this from the middle of a block a solid takes nothing of it, m.
  double reach() const { return 0.5 * h_ * (BlockLayout<D>::side + 2) * std::sqrt(double(D)) + h_ / n_; }
  Vec3d middle(const Vec<int, D>& first_cell) const {
    Vec3d x{};
    for (int a = 0; a < D; ++a) x[a] = (first_cell[a] + 0.5 * BlockLayout<D>::side) * h_;
    return x;
  }
  // Kept from call to call.
  const OpenBlock<D>* find(BlockKey key) const {
    const auto at = kept_.find(key);
    return at == kept_.end() ? nullptr : at->second < 0 ? &open_ : &pool_[static_cast<std::size_t>(at->second)];
  }
  void keep(BlockKey key, const OpenBlock<D>& block);
  void clear() { kept_.clear(), pool_.clear(); }
  std::size_t bytes() const { return pool_.size() * sizeof(OpenBlock<D>) + kept_.size() * 24; }

 private:
  static OpenBlock<D> all_open();
  double h_;  // m
  int n_;     // along an axis
  OpenBlock<D> open_ = all_open();
  std::unordered_map<BlockKey, int> kept_;  // place in the pool; -1 where all is open
  std::vector<OpenBlock<D>> pool_;
};

}  // namespace knead
