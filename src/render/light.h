// The light of the pictures: a warm sun with a soft edge and a blue sky, and the film that records them.
#pragma once

#include "render/view.h"

#include <algorithm>
#include <cmath>

namespace knead {

struct Light {
  Vec3f up;
  Vec3f to_sun;             // of length 1
  Vec3f across, along;      // with to_sun an orthonormal frame
  float sun_radius = .06f;  // tangent of its angular radius: soft shadows
  Vec3f sun{1.80f, 1.63f, 1.40f};

  // What a white surface receives from the sky in direction d.
  Vec3f sky(const Vec3f& d) const {
    const float h = std::max(0.f, dot(d, up));
    return Vec3f{.62f, .70f, .82f} + (Vec3f{.40f, .62f, 1.02f} - Vec3f{.62f, .70f, .82f}) * std::sqrt(h);
  }
  // What the camera sees behind everything.
  Vec3f background(const Vec3f& d) const {
    const float h = std::clamp(dot(d, up), 0.f, 1.f);
    const Vec3f horizon{.56f, .63f, .70f}, zenith{.13f, .24f, .42f};
    return horizon + (zenith - horizon) * (1 - std::exp(-2.2f * h));
  }
  Vec3f sun_direction(const Vec2f& u) const {
    const float r = sun_radius * std::sqrt(u[0]), a = 6.2831853f * u[1];
    return normalized(to_sun + across * (r * std::cos(a)) + along * (r * std::sin(a)));
  }
};

// The sun stands over the left shoulder of the camera.
inline Light light_for(const View& view, const Vec3d& up) {
  const Vec3d level = normalized(view.forward - up * dot(view.forward, up), view.up);
  const Vec3d left = cross(up, level);
  const Vec3d to_sun = normalized(up * 1.0 + left * 0.62 - level * 0.42);
  const Vec3d across = normalized(cross(to_sun, level));
  Light light;
  light.up = resized<float, 3>(up);
  light.to_sun = resized<float, 3>(to_sun);
  light.across = resized<float, 3>(across);
  light.along = resized<float, 3>(cross(to_sun, across));
  return light;
}

// From light to film: highlights bend over softly instead of burning out.
inline Vec3f developed(const Vec3f& light) {
  Vec3f film{};
  for (int k = 0; k < 3; ++k) film[k] = 1 - std::exp(-1.12f * std::max(0.f, light[k]));
  return film;
}

}  // namespace knead
