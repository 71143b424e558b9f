#include "render/view.h"

#include <algorithm>
#include <cmath>

namespace knead {

Vec3d View::direction(double x, double y) const {
  const double scale = 2 * tan_half_height / height;
  return normalized(forward + right * ((x - 0.5 * width) * scale) - up * ((y - 0.5 * height) * scale));
}

Vec2d View::project(const Vec3d& point) const {
  const Vec3d p = point - eye;
  const double scale = height / (2 * tan_half_height * dot(p, forward));
  return {0.5 * width + dot(p, right) * scale, 0.5 * height - dot(p, up) * scale};
}

double View::pixel_angle() const { return 2 * tan_half_height / height; }

namespace {

View oriented(const Vec3d& forward, const Vec3d& world_up, double fov, int width, int height) {
  View view;
  view.forward = normalized(forward);
  // Straight up or down there is no horizon to hold level: any axis across will do.
  Vec3d right = cross(view.forward, world_up);
  if (length(right) < 1e-6) right = cross(view.forward, Vec3d{world_up[1], world_up[2], world_up[0]});
  view.right = normalized(right);
  view.up = cross(view.right, view.forward);
  view.tan_half_height = std::tan(0.5 * fov);
  view.width = width;
  view.height = height;
  return view;
}

}  // namespace

View look_at(const Vec3d& eye, const Vec3d& target, const Vec3d& world_up, double fov, int width, int height) {
  View view = oriented(target - eye, world_up, fov, width, height);
  view.eye = eye;
  return view;
}

void add_corners(std::vector<Vec3d>& points, const Bounds& box) {
  for (int i = 0; i < 8; ++i)
    points.push_back({i & 1 ? box.hi[0] : box.lo[0], i & 2 ? box.hi[1] : box.lo[1], i & 4 ? box.hi[2] : box.lo[2]});
}

View framed(std::span<const Vec3d> points, const Vec3d& forward, const Vec3d& world_up, double fov, int width,
            int height, double margin, const std::optional<Vec3d>& target) {
  View view = oriented(forward, world_up, fov, width, height);
  const double tan_y = view.tan_half_height * (1 - 2 * margin);
  const double tan_x = view.tan_half_height * width / height * (1 - 2 * margin);
  // A point at (a, depth), across and along the view, is seen when |a - eye_a| <= tan * (depth - eye_depth). So eye_a +
  // tan * eye_depth is at most the least a + tan * depth, and eye_a - tan * eye_depth at least the greatest a - tan *
  // depth: the nearest eye that sees all stands where both hold exactly, and further back on the axis that asks less.
  auto across = [&](const Vec3d& axis, double tangent, double& depth) {
    double least = 1e300, greatest = -1e300;
    for (const Vec3d& p : points) {
      least = std::min(least, dot(p, axis) + tangent * dot(p, view.forward));
      greatest = std::max(greatest, dot(p, axis) - tangent * dot(p, view.forward));
    }
    const double a = target ? dot(*target, axis) : 0.5 * (least + greatest);
    depth = std::min({depth, (least - a) / tangent, (a - greatest) / tangent});
    return a;
  };
  double depth = 1e300;
  const double x = across(view.right, tan_x, depth), y = across(view.up, tan_y, depth);
  view.eye = view.right * x + view.up * y + view.forward * depth;
  return view;
}

}  // namespace knead
