// What the expressions of a body force may use: the variables of a field and the velocity of matter.
#pragma once

#include "scene/scene.h"

namespace knead {

inline const std::vector<std::string>& force_variables() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all = field_variables();
    all.insert(all.end(), {"vx", "vy", "vz"});
    return all;
  }();
  return names;
}

using ForceValues = std::array<double, std::tuple_size_v<FieldValues> + 3>;
inline constexpr int first_place_variable = 0, first_velocity_variable = std::tuple_size_v<FieldValues>;

template <class T, int D>
ForceValues force_values(const Vec<T, D>& x, const Vec<T, D>& start, const Vec<T, D>& v, double time) {
  const FieldValues at = field_values(resized<double, 3>(x), resized<double, 3>(start), time);
  ForceValues values;
  std::copy(at.begin(), at.end(), values.begin());
  for (int a = 0; a < 3; ++a) values[at.size() + static_cast<std::size_t>(a)] = a < D ? double(v[a]) : 0;
  return values;
}

// The derivatives of a force by three variables that follow each other, a column each.
inline Mat3d force_slopes(const Formula& force, const ForceValues& values, int first_variable) {
  Mat3d m{};
  for (int c = 0; c < 3; ++c) {
    const Vec3d slope = force.slope(values, first_variable + c);
    for (int r = 0; r < 3; ++r) m(r, c) = slope[r];
  }
  return m;
}

inline bool depends_on_velocity(const Formula& force) {
  return force.uses(first_velocity_variable) || force.uses(first_velocity_variable + 1) ||
         force.uses(first_velocity_variable + 2);
}

// Whether a field asks where matter started: X, Y or Z.
inline bool depends_on_start(const Formula& field) { return field.uses(3) || field.uses(4) || field.uses(5); }

// The body force over a step of dt on matter at x that started at `start` and moves with v, m/s^2. One that depends on
// the velocity is taken at the middle of the change it makes, linearised: (1 - dt/2 da/dv)^-1 a. So a force across the
// velocity (Coriolis, magnetic) turns it and gives it no energy.
template <class T, int D>
Vec3d body_force_at(const Formula& force, const Vec<T, D>& x, const Vec<T, D>& start, const Vec<T, D>& v, double time,
                    double dt = 0) {
  const ForceValues values = force_values(x, start, v, time);
  const Vec3d a = force.at(values);
  if (dt == 0 || !depends_on_velocity(force)) return a;
  const Mat3d slopes = force_slopes(force, values, first_velocity_variable);
  for (double slope : slopes.e)
    if (!std::isfinite(slope)) return a;
  return inverse(Mat3d::identity() - slopes * (dt / 2)) * a;
}

}  // namespace knead
