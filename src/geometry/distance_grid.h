// A signed distance sampled once and then interpolated: coarse far from the surface, fine near it.
#pragma once

#include "geometry/bounds.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace knead {

// Blocks of 8^3 cells that the surface comes near to hold their own nodes, all others interpolate between the corners
// of the block. Trilinear.
class DistanceGrid {
 public:
  // Nothing where the surface is so large for its cells that the nodes would take more than about 200 MB.
  // `distance` must be 1-Lipschitz and safe to call from several threads, and `box` must hold the whole surface.
  static std::shared_ptr<const DistanceGrid> make(const std::function<double(const Vec3d&)>& distance,
                                                  const Bounds& box, double cell);

  // Interpolated within a cell of the surface. From two cells on never farther than the surface: what interpolation can
  // add is taken off.
  double operator()(const Vec3d& p) const;
  // The direction in which the interpolated distance grows.
  Vec3d gradient(const Vec3d& p) const;

 private:
  bool fill(const std::function<double(const Vec3d&)>& distance);
  static constexpr int side = 8;
  std::size_t block(const Vec3i& b) const {
    return (static_cast<std::size_t>(b[2]) * size_[1] + b[1]) * size_[0] + b[0];
  }
  std::size_t node(const Vec3i& b) const {
    return (static_cast<std::size_t>(b[2]) * (size_[1] + 1) + b[1]) * (size_[0] + 1) + b[0];
  }

  // The eight values about a point of the box, and the point's place between them.
  struct Around {
    double value[2][2][2];  // by z, y and x
    Vec3d u;
    double width;  // m, from one value to the next
  };
  Around around(const Vec3d& q) const;
  Vec3d nearest_in_box(Vec3d p) const;

  Bounds box_;
  double cell_ = 0;
  Vec3i size_{};                    // blocks along the axes
  std::vector<float> coarse_;       // corners of the blocks
  std::vector<std::int32_t> fine_;  // where a block's nodes start, in blocks; -1 without
  std::vector<float> nodes_;        // (side + 1)^3 a fine block
};

}  // namespace knead
