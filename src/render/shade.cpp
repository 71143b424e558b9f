#include "render/shade.h"

#include <limits>

namespace knead {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

// A direction about the normal, as likely as light from there counts (cosine).
Vec3f cosine_direction(const Vec3f& n, const Vec2f& u) {
  const Vec3f side = std::abs(n[0]) < 0.7f ? Vec3f{1, 0, 0} : Vec3f{0, 1, 0};
  const Vec3f a = normalized(cross(n, side)), b = cross(n, a);
  const float r = std::sqrt(u[0]), angle = 6.2831853f * u[1];
  return a * (r * std::cos(angle)) + b * (r * std::sin(angle)) + n * std::sqrt(std::max(0.f, 1 - u[0]));
}

float smooth_step(float from, float to, float x) {
  const float t = std::clamp((x - from) / (to - from), 0.f, 1.f);
  return t * t * (3 - 2 * t);
}

// How much of a pixel of width `blur` the grid lines at multiples of `step` cover.
float line_cover(float x, float step, float half_width, float blur) {
  const float d = std::abs(x - step * std::round(x / step));
  const float soft = std::max(blur, 1e-6f * step);
  const float cover = std::clamp((half_width - d) / soft + 0.5f, 0.f, 1.f) * std::min(1.f, 2 * half_width / soft);
  return cover * (1 - smooth_step(0.15f * step, 0.6f * step, blur));
}

}  // namespace

Shader::Shader(const TraceScene& scene, const Tracer& tracer, const Light& light, double pixel_angle)
    : scene_(scene), tracer_(tracer), light_(light), pixel_angle_(float(pixel_angle)) {}

Hit Shader::first_hit(const Vec3f& origin, const Vec3f& direction) const {
  return tracer_.seen_from_eye(origin, direction);
}

Vec3f Shader::paint(const Hit& hit) const {
  switch (hit.surface) {
    case Surface::ball:
      return light_of(scene_.ball_colors[hit.index]);
    case Surface::mesh:
      if (const TracedMesh& mesh = scene_.meshes[hit.index]; mesh.paint) return mesh.paint(hit.triangle, hit.shares);
      return scene_.meshes[hit.index].color;
    case Surface::field:
      return scene_.fields[hit.index].color;
    case Surface::plane:
      return scene_.planes[hit.index].color;
    case Surface::none:
      break;
  }
  return {};
}

// A plane carries thin lines, so that the eye finds its size and its slope.
Vec3f Shader::plane_paint(const Hit& hit, const Vec3f& direction) const {
  const Vec3f color = paint(hit);
  if (scene_.grid_step <= 0) return color;
  const Vec3f n = hit.normal;
  const Vec3f p = hit.point - resized<float, 3>(scene_.planes[hit.index].point);
  const float step = float(scene_.grid_step);
  const float blur = pixel_angle_ * hit.distance / std::max(0.05f, -dot(direction, n));
  float cover = 0;
  for (int k = 0; k < 3; ++k) {
    if (std::abs(n[k]) > 0.7f) continue;  // lines run along the two axes that lie best in the plane
    cover = std::max(cover, 0.8f * line_cover(p[k], step, 0.006f * step, blur));
    cover = std::max(cover, 0.35f * line_cover(p[k], 0.2f * step, 0.005f * step, blur));
  }
  return color * (1 - 0.30f * cover);
}

Vec3f Shader::light_at(const Hit& hit, const Vec2f& sun, const Vec2f& sky) const {
  const Vec3f origin = tracer_.lifted(hit);
  Vec3f light{};
  // The sun.
  const Vec3f to_sun = light_.sun_direction(sun);
  const float facing = dot(hit.facing, to_sun);
  if (facing > 0 && !tracer_.blocked(origin, to_sun, infinity)) light += light_.sun * facing;
  // The sky, or what stands before it: that throws back a part of the light it gets itself.
  Vec3f up = cosine_direction(hit.facing, sky);
  if (const float below = dot(up, hit.normal); below < 0) up = up - hit.normal * (2 * below);
  const Hit other = tracer_.hit(origin, up, float(2 * scene_.size));
  if (other.surface == Surface::none) return light + light_.sky(up);
  const Vec3f received =
      light_.sun * (0.22f * std::max(0.f, dot(other.normal, light_.to_sun))) + light_.sky(other.normal) * 0.42f;
  return light + scaled(paint(other), received);
}

Seen Shader::seen(const Hit& hit, const Vec3f& direction, const Vec2f& sun, const Vec2f& sky) const {
  Seen result;
  if (hit.surface == Surface::none) {
    result.veil = light_.background(direction);
    return result;
  }
  const int before = hit.surface == Surface::plane  ? 0
                     : hit.surface == Surface::mesh ? int(scene_.planes.size())
                                                    : int(scene_.planes.size() + scene_.meshes.size());
  result.surface = hit.surface == Surface::ball ? -1 : 1 + before + int(hit.index);
  result.normal = hit.normal;
  result.paint = hit.surface == Surface::plane ? plane_paint(hit, direction) : paint(hit);
  // Distant ground fades into the sky, so that the world has no edge.
  if (hit.surface == Surface::plane) {
    const float away = length(hit.point - resized<float, 3>(scene_.center)) / float(scene_.size);
    const float fade = smooth_step(1.2f, 7.f, away);
    const Vec3f level = normalized(direction - light_.up * dot(direction, light_.up), direction);
    result.veil = light_.background(level) * fade;
    result.paint *= 1 - fade;
    if (fade >= 1) return result;
  }
  result.light = light_at(hit, sun, sky);
  return result;
}

Seen Shader::seen_through(const std::vector<Hit>& layers, Seen behind, const Vec3f& direction, const Vec2f& sun,
                          const Vec2f& sky) const {
  for (const Hit& hit : layers) {
    const Seen layer = seen(hit, direction, sun, sky);
    // At a slant there is more of it, so that rounded sides show.
    const float across = 1 - std::abs(dot(hit.facing, direction)), least = tracer_.opacity(hit);
    const float opacity = least + (1 - least) * 0.5f * least * across * across;
    behind.veil = behind.veil * (1 - opacity) + (scaled(layer.paint, layer.light) + layer.veil) * opacity;
    behind.paint *= 1 - opacity;
    behind.surface = -1;
  }
  return behind;
}

}  // namespace knead
