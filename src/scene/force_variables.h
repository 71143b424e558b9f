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

// The body force on matter at x that started at `start` and moves with v, m/s^2.
template <class T, int D>
Vec3d body_force_at(const Formula& force, const Vec<T, D>& x, const Vec<T, D>& start, const Vec<T, D>& v, double time) {
  const FieldValues at = field_values(resized<double, 3>(x), resized<double, 3>(start), time);
  std::array<double, std::tuple_size_v<FieldValues> + 3> values;
  std::copy(at.begin(), at.end(), values.begin());
  for (int a = 0; a < 3; ++a) values[at.size() + static_cast<std::size_t>(a)] = a < D ? double(v[a]) : 0;
  return force.at(values);
}

}  // namespace knead
