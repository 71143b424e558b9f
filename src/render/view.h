// Where the camera stands, and which ray belongs to which point of the picture.
#pragma once

#include "base/vec.h"
#include "geometry/bounds.h"

#include <optional>
#include <span>
#include <vector>

namespace knead {

struct View {
  Vec3d eye{0, 0, 5};
  Vec3d right{1, 0, 0}, up{0, 1, 0}, forward{0, 0, -1};  // orthonormal
  double tan_half_height = 0.315;                        // of the vertical field of view
  int width = 1280, height = 720;

  // The direction, of length 1, through the point (x, y) of the picture in pixels from its upper left corner.
  Vec3d direction(double x, double y) const;
  // Where a point in front of the camera appears, in pixels.
  Vec2d project(const Vec3d& point) const;
  // The angle that a pixel in the middle spans.
  double pixel_angle() const;
};

View look_at(const Vec3d& eye, const Vec3d& target, const Vec3d& world_up, double fov, int width, int height);

// Those of the box, to be framed.
void add_corners(std::vector<Vec3d>& points, const Bounds& box);

// A view along `forward` that just holds all the points, with `margin` (a fraction of the picture) left free around;
// `target`, where it is given, stands in the middle of the picture.
View framed(std::span<const Vec3d> points, const Vec3d& forward, const Vec3d& world_up, double fov, int width,
            int height, double margin, const std::optional<Vec3d>& target = {});

}  // namespace knead
