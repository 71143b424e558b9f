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

View framed(std::span<const Vec3d> points, const Vec3d& forward, const Vec3d& world_up, double fov, int width,
            int height, double margin) {
  View view = oriented(forward, world_up, fov, width, height);
  const double tan_y = view.tan_half_height * (1 - 2 * margin);
  const double tan_x = view.tan_half_height * width / height * (1 - 2 * margin);
  // Each point asks that the eye lie within a wedge: |a - eye_a| <= tan * (depth - eye_depth). The two wedges of an
  // axis whose edges are furthest out meet at the nearest eye that sees all; the axis that needs more distance decides.
  struct Wedge {
    double low, high;  // the least of a + tan * depth and the greatest of a - tan * depth, with depth along forward
  };
  auto wedge = [&](const Vec3d& axis, double tangent) {
    Wedge w{1e300, -1e300};
    for (const Vec3d& p : points) {
      w.low = std::min(w.low, dot(p, axis) + tangent * dot(p, view.forward));
      w.high = std::max(w.high, dot(p, axis) - tangent * dot(p, view.forward));
    }
    return w;
  };
  const Wedge x = wedge(view.right, tan_x), y = wedge(view.up, tan_y);
  const double depth = std::min((x.low - x.high) / (2 * tan_x), (y.low - y.high) / (2 * tan_y));
  view.eye = view.right * (0.5 * (x.low + x.high)) + view.up * (0.5 * (y.low + y.high)) + view.forward * depth;
  return view;
}

}  // namespace knead
