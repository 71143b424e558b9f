// A signed distance sampled once and then interpolated: coarse far from the surface, fine near it.
#pragma once

#include "geometry/bounds.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace knead {

// Blocks of 8^3 cells that the surface comes near to hold their own nodes, all others interpolate between the corners
// of the block. Trilinear. Outside the sampled box the distance to the box is added.
class DistanceGrid {
 public:
  // `distance` must be 1-Lipschitz and safe to call from several threads. The cell size is raised where the box would
  // need more than about 10^7 fine nodes.
  DistanceGrid(const std::function<double(const Vec3d&)>& distance, const Bounds& box, double cell);

  double operator()(const Vec3d& p) const;
  double cell() const { return cell_; }

 private:
  static constexpr int side = 8;
  std::size_t block(const Vec3i& b) const {
    return (static_cast<std::size_t>(b[2]) * size_[1] + b[1]) * size_[0] + b[0];
  }
  std::size_t node(const Vec3i& b) const {
    return (static_cast<std::size_t>(b[2]) * (size_[1] + 1) + b[1]) * (size_[0] + 1) + b[0];
  }

  Bounds box_;
  double cell_;
  Vec3i size_{};                    // blocks along the axes
  std::vector<float> coarse_;       // corners of the blocks
  std::vector<std::int32_t> fine_;  // where a block's nodes start, in blocks; -1 without
  std::vector<float> nodes_;        // (side + 1)^3 a fine block
};

}  // namespace knead
