#include "render/cloud_normals.h"

#include "base/parallel.h"

#include <cmath>
#include <cstdint>
#include <unordered_map>

namespace knead {
namespace {

// How much of each cell of a coarse grid the balls fill, in cells that hold any.
class FillGrid {
 public:
  FillGrid(std::span<const Ball> balls, float cell) : cell_(cell) {
    fill_.reserve(balls.size() / 4 + 16);
    for (const Ball& b : balls) {
      const float volume = 4.18879f * b.radius * b.radius * b.radius / (cell * cell * cell);
      const Vec3f p = b.center / cell;
      const Vec3i c = floor_of(p);
      for (int i = 0; i < 8; ++i) {
        const Vec3i offset{i & 1, (i >> 1) & 1, i >> 2};
        float weight = volume;
        for (int k = 0; k < 3; ++k) {
          const float t = p[k] - float(c[k]);
          weight *= offset[k] ? t : 1 - t;
        }
        fill_[key(c + offset)] += weight;
      }
    }
  }

  // The outward direction, by quadratic B-splines over the 27 cells around; as long as there is reason to believe it.
  Vec3f outward(const Vec3f& position) const {
    const Vec3f p = position / cell_;
    const Vec3i c = floor_of(p + Vec3f::filled(0.5f));
    float w[3][3], dw[3][3];
    for (int k = 0; k < 3; ++k) {
      const float x = p[k] - float(c[k]);
      w[k][0] = 0.5f * (0.5f - x) * (0.5f - x), w[k][1] = 0.75f - x * x, w[k][2] = 0.5f * (0.5f + x) * (0.5f + x);
      dw[k][0] = x - 0.5f, dw[k][1] = -2 * x, dw[k][2] = x + 0.5f;
    }
    Vec3f gradient{};
    float fill = 0;
    for (int i = 0; i < 27; ++i) {
      const int a = i % 3, b = i / 3 % 3, d = i / 9;
      const auto found = fill_.find(key(c + Vec3i{a - 1, b - 1, d - 1}));
      if (found == fill_.end()) continue;
      const float m = found->second;
      fill += m * w[0][a] * w[1][b] * w[2][d];
      gradient += Vec3f{dw[0][a] * w[1][b] * w[2][d], w[0][a] * dw[1][b] * w[2][d], w[0][a] * w[1][b] * dw[2][d]} * m;
    }
    const float steep = length(gradient);
    if (!(steep > 0)) return {};
    const float dense = std::clamp((fill - 0.12f) / 0.25f, 0.f, 1.f),
                clear = std::clamp((steep - 0.02f) / 0.08f, 0.f, 1.f);
    return gradient * (-dense * clear / steep);
  }

 private:
  static Vec3i floor_of(const Vec3f& p) {
    return {int(std::floor(p[0])), int(std::floor(p[1])), int(std::floor(p[2]))};
  }
  static std::uint64_t key(const Vec3i& c) {
    auto part = [](int i) { return std::uint64_t(i + (1 << 20)) & 0x1fffff; };
    return part(c[0]) | part(c[1]) << 21 | part(c[2]) << 42;
  }
  float cell_;
  std::unordered_map<std::uint64_t, float> fill_;
};

}  // namespace

std::vector<Vec3f> cloud_normals(std::span<const Ball> balls) {
  std::vector<Vec3f> normals(balls.size());
  double mean_radius = 0;
  for (const Ball& b : balls) mean_radius += b.radius / double(balls.size());
  if (!(mean_radius > 0)) return normals;
  // A ball of radius r stands for a cube of side 1.6 r; two of these a cell see past single particles.
  const FillGrid grid(balls, float(3.2 * mean_radius));
  parallel_for(balls.size(), 4096, [&](std::size_t i) { normals[i] = grid.outward(balls[i].center); });
  return normals;
}

}  // namespace knead
