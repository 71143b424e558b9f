// Scripted motion of a rigid thing: a steady velocity and spin, keyframes, and expressions of time.
#pragma once

#include "base/mat.h"
#include "base/table.h"

namespace knead {

struct Keyframe {
  double time = 0;    // s
  Vec3d translate{};  // m
  Vec3d rotate{};     // rad, axis-angle
  static const Table& table();
};

// x = rotation (x0 - pivot) + pivot + translation, for the points x0 of the thing as the scene file draws it.
struct Pose {
  Mat3d rotation = Mat3d::identity();
  Vec3d translation{};
};

// The pose at time t rotates by the keyframes, then by `rotate`, then by spin * t; it translates by the keyframes, by
// `translate` and by velocity * t. Velocities are exact derivatives, also those of expressions. Between two keyframes
// the translation changes at a steady rate, and so does the rotation: straight from one axis-angle to the next where
// both lie on one axis (whole turns count), else the short way round. Before the first keyframe and after the last the
// pose of that keyframe holds.
struct Motion {
  Vec3d velocity{};  // m/s
  Vec3d spin{};      // rad/s
  Vec3d pivot{};     // m; rotations turn about it, and it moves along
  std::vector<Keyframe> keyframes;
  Formula translate, rotate;  // m and rad (axis-angle), of t

  bool moves() const {
    return !keyframes.empty() || !(velocity == Vec3d{}) || !(spin == Vec3d{}) || !translate.is_zero() ||
           !rotate.is_zero();
  }
  bool turns() const;
  Pose pose(double t) const;
  Vec3d to_local(const Vec3d& x, double t) const;     // where the point now at x lies in the scene's drawing
  Vec3d to_world(const Vec3d& x0, double t) const;    // where the drawn point x0 is now
  Vec3d velocity_at(const Vec3d& x, double t) const;  // m/s, of the point now at x
  Vec3d angular_velocity(double t) const;             // rad/s
  std::vector<std::string> check(int dim) const;      // what is wrong, a sentence each
  static const Table& table();
};

}  // namespace knead
