#include "geometry/polygon_triangles.h"

#include <numeric>

namespace knead {

namespace {

constexpr double flat = 1e-10;  // sines below are rounding
constexpr int most_forced = 32;

// Along the coordinate in which the normal (Newell's, twice the area) is largest; the outline runs against the clock.
std::vector<Vec2d> projected(std::span<const Vec3d> corners) {
  Vec3d normal{};
  for (std::size_t i = 1; i + 1 < corners.size(); ++i)
    normal += cross(corners[i] - corners[0], corners[i + 1] - corners[0]);
  int along = 0;
  for (int k = 1; k < 3; ++k)
    if (std::abs(normal[k]) > std::abs(normal[along])) along = k;
  int first = (along + 1) % 3, second = (along + 2) % 3;
  if (normal[along] < 0) std::swap(first, second);
  std::vector<Vec2d> x;
  for (const Vec3d& p : corners) x.push_back({p[first] - corners[0][first], p[second] - corners[0][second]});
  return x;
}

// 1 where c lies to the left of the line from a to b, -1 to the right, 0 on it or at one of its ends.
int side(const Vec2d& a, const Vec2d& b, const Vec2d& c) {
  const Vec2d u = b - a, v = c - a, w = c - b;
  const double turn = u[0] * v[1] - u[1] * v[0];
  if (turn * turn <= flat * flat * dot(u, u) * std::min(dot(v, v), dot(w, w))) return 0;
  return turn > 0 ? 1 : -1;
}

// Does the polygon turn left at the middle corner, with none of its other corners in the triangle or on its sides?
bool is_ear(const std::vector<Vec2d>& x, const std::vector<int>& left, const std::array<int, 3>& ear) {
  const Vec2d &a = x[std::size_t(ear[0])], &b = x[std::size_t(ear[1])], &c = x[std::size_t(ear[2])];
  if (side(a, b, c) <= 0) return false;
  for (const int i : left) {
    const Vec2d& p = x[std::size_t(i)];
    if (p == a || p == b || p == c) continue;
    if (side(a, b, p) >= 0 && side(b, c, p) >= 0 && side(c, a, p) >= 0) return false;
  }
  return true;
}

}  // namespace

void cut_polygon(std::span<const Vec3d> corners, std::vector<std::array<int, 3>>& triangles) {
  triangles.clear();
  const std::vector<Vec2d> x = projected(corners);
  std::vector<int> left(corners.size());
  std::iota(left.begin(), left.end(), 0);
  std::size_t at = 1, in_vain = 0;
  int forced = 0;
  while (left.size() > 3) {
    const std::size_t n = left.size();
    at %= n;
    const std::array<int, 3> ear{left[(at + n - 1) % n], left[at], left[(at + 1) % n]};
    // A polygon without an ear crosses itself: any corner will do, and when that was often so, ears are not asked for.
    if (forced < most_forced && in_vain < n && !is_ear(x, left, ear)) {
      ++at, ++in_vain;
      continue;
    }
    forced += in_vain == n;
    triangles.push_back(ear);
    left.erase(left.begin() + std::ptrdiff_t(at));
    in_vain = 0;
  }
  triangles.push_back({left[0], left[1], left[2]});
}

void FaceAppender::add(std::span<const int> corners, std::span<const Vec2d> uv) {
  triangles_.assign(1, {0, 1, 2});
  if (corners.size() > 3) {
    places_.clear();
    for (const int v : corners) places_.push_back(mesh_.vertices[std::size_t(v)]);
    cut_polygon(places_, triangles_);
  }
  if (!uv.empty()) mesh_.uv.resize(mesh_.triangles.size());
  const bool mapped = !uv.empty() || !mesh_.uv.empty();
  for (const auto& [a, b, c] : triangles_) {
    mesh_.triangles.push_back({corners[std::size_t(a)], corners[std::size_t(b)], corners[std::size_t(c)]});
    if (!mapped) continue;
    auto& of_corners = mesh_.uv.emplace_back();
    if (!uv.empty()) of_corners = {uv[std::size_t(a)], uv[std::size_t(b)], uv[std::size_t(c)]};
  }
}

}  // namespace knead
