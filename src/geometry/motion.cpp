#include "geometry/motion.h"

#include "base/elementary.h"
#include "geometry/rotation.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace knead {

namespace {

// A part of the pose and its rates.
struct Moved {
  Vec3d translation{}, velocity{};
  Mat3d rotation = Mat3d::identity();
  Vec3d spin{};
};

// The rotation from a to b at a steady rate: R(s) = exp(s w) R_a with s from 0 to 1. Gives w.
Vec3d turn_between(const Vec3d& a, const Vec3d& b) {
  const double parallel = length(cross(a, b));
  if (parallel <= 1e-9 * (dot(a, a) + dot(b, b))) return b - a;
  return rotation_vector(rotation_matrix(b) * transpose(rotation_matrix(a)));
}

Moved at(const std::vector<Keyframe>& keys, double t) {
  Moved k;
  if (keys.empty()) return k;
  if (t < keys.front().time || t >= keys.back().time) {
    const Keyframe& held = t < keys.front().time ? keys.front() : keys.back();
    return {held.translate, {}, rotation_matrix(held.rotate), {}};
  }
  std::size_t i = 1;
  while (t >= keys[i].time) ++i;
  const Keyframe &a = keys[i - 1], &b = keys[i];
  const double span = b.time - a.time, s = (t - a.time) / span;
  const Vec3d turn = turn_between(a.rotate, b.rotate);
  k.translation = a.translate + s * (b.translate - a.translate);
  k.velocity = (b.translate - a.translate) / span;
  k.rotation = rotation_matrix(s * turn) * rotation_matrix(a.rotate);
  k.spin = turn / span;
  return k;
}

// How fast a rotation exp(w) turns while w changes at the rate `dw`: the left Jacobian of the exponential map.
Vec3d turning_rate(const Vec3d& w, const Vec3d& dw) {
  const double angle2 = dot(w, w), angle = std::sqrt(angle2);
  // Near no rotation the series: the next terms are below rounding.
  const double a = angle < 1e-4 ? 0.5 - angle2 / 24 : (1 - elementary::cos(angle)) / angle2;
  const double b = angle < 1e-2 ? (1.0 / 6) - angle2 / 120 + angle2 * angle2 / 5040
                                : (angle - elementary::sin(angle)) / (angle2 * angle);
  return dw + a * cross(w, dw) + b * cross(w, cross(w, dw));
}

Moved at(const Formula& translate, const Formula& rotate, double t) {
  const std::array<double, 1> time{t};
  const Vec3d w = rotate.at(time);
  return {translate.at(time), translate.slope(time, 0), rotation_matrix(w), turning_rate(w, rotate.slope(time, 0))};
}

// First a, then b on top of it.
Moved after(const Moved& a, const Moved& b) {
  return {a.translation + b.translation, a.velocity + b.velocity, b.rotation * a.rotation,
          b.spin + b.rotation * a.spin};
}

Moved whole(const Motion& m, double t) {
  Moved moved = at(m.keyframes, t);
  if (!m.translate.is_zero() || !m.rotate.is_zero()) moved = after(moved, at(m.translate, m.rotate, t));
  return after(moved, {t * m.velocity, m.velocity, rotation_matrix(t * m.spin), m.spin});
}

}  // namespace

bool Motion::turns() const {
  return !(spin == Vec3d{}) || !rotate.is_zero() ||
         std::any_of(keyframes.begin(), keyframes.end(), [](const Keyframe& k) { return !(k.rotate == Vec3d{}); });
}

Pose Motion::pose(double t) const {
  const Moved m = whole(*this, t);
  return {m.rotation, m.translation};
}

Vec3d Motion::to_local(const Vec3d& x, double t) const {
  const Pose p = pose(t);
  return transpose(p.rotation) * (x - pivot - p.translation) + pivot;
}

Vec3d Motion::to_world(const Vec3d& x0, double t) const {
  const Pose p = pose(t);
  return p.rotation * (x0 - pivot) + pivot + p.translation;
}

Vec3d Motion::angular_velocity(double t) const { return whole(*this, t).spin; }

Vec3d Motion::velocity_at(const Vec3d& x, double t) const {
  const Moved m = whole(*this, t);
  return m.velocity + cross(m.spin, x - pivot - m.translation);
}

std::vector<std::string> Motion::check(int dim) const {
  std::vector<std::string> wrong;
  for (std::size_t i = 1; i < keyframes.size(); ++i)
    if (!(keyframes[i].time > keyframes[i - 1].time))
      wrong.push_back(
          fmt::format("keyframes must be in order of time, but keyframe {} is at {} s and keyframe {} at {} s", i,
                      keyframes[i - 1].time, i + 1, keyframes[i].time));
  const std::array<double, 1> start{0.0};
  for (const auto& [formula, name] : {std::pair(&translate, "translate"), {&rotate, "rotate"}})
    for (const Vec3d& v : {formula->at(start), formula->slope(start, 0)})
      if (!std::isfinite(dot(v, v))) {
        wrong.push_back(fmt::format("{} or its derivative is not a finite number at t = 0", name));
        break;
      }
  if (dim == 2) {
    bool flat = spin[0] == 0 && spin[1] == 0;
    for (const Keyframe& k : keyframes) flat &= k.rotate[0] == 0 && k.rotate[1] == 0;
    if (!flat) wrong.push_back("spin and rotate must be about z in 2D: [0, 0, angle]");
    bool in_plane = velocity[2] == 0;
    for (const Keyframe& k : keyframes) in_plane &= k.translate[2] == 0;
    if (!in_plane) wrong.push_back("velocity and translate must have no z in 2D");
  }
  return wrong;
}

const Table& Keyframe::table() {
  static const Table t{"keyframe",
                       "Pose at a time.",
                       {field<&Keyframe::time>("time", "s", "The time.").need(),
                        field<&Keyframe::translate>("translate", "m", "Displacement from its initial position."),
                        field<&Keyframe::rotate>("rotate", "rad", "Rotation: axis times angle.")}};
  return t;
}

const Table& Motion::table() {
  static const Table t{
      "motion",
      "How a collider, a grip or a region moves: a constant velocity and spin, added to the motion given by keyframes "
      "and expressions.",
      {field<&Motion::velocity>("velocity", "m/s", "Constant velocity."),
       field<&Motion::spin>("spin", "rad/s",
                            "Constant angular velocity: axis times rate; in 2D [0, 0, rate]. It rotates about the "
                            "pivot, by default the origin."),
       field<&Motion::pivot>(
           "pivot", "m",
           "Centre of spin and rotations, before any motion; give the shape's centre to rotate it in place."),
       field<&Motion::translate>("translate", "m", "Displacement, such as [\"0.1*sin(20*t)\", 0, 0].").of({"t"}),
       field<&Motion::rotate>("rotate", "rad", "Rotation about the pivot: axis times angle, such as [0, \"2*t\", 0].")
           .of({"t"}),
       field<&Motion::keyframes>("keyframes", "",
                                 "Poses in order of time; constant before the first and after the last.")}};
  return t;
}

}  // namespace knead
