// How much light comes back along a ray.
#pragma once

#include "render/light.h"
#include "render/trace_scene.h"

namespace knead {

// What one ray saw. The colour is paint * light + veil: smooth surfaces have their light averaged over neighbouring
// pixels, and paint and veil (the fade into the distance) stay sharp.
struct Seen {
  int surface = 0;  // 0 the sky; -1 a ball, or what layers lie before; 1, 2, ... a smooth solid or plane
  Vec3f paint{}, light{}, veil{}, normal{};
};

class Shader {
 public:
  Shader(const TraceScene& scene, const Tracer& tracer, const Light& light, double pixel_angle);

  Hit first_hit(const Vec3f& origin, const Vec3f& direction) const;
  // `sun` and `sky` are points of the unit square that choose where on the sun and where in the sky to look.
  Seen seen(const Hit& hit, const Vec3f& direction, const Vec2f& sun, const Vec2f& sky) const;
  // The same through layers that are not opaque, the farthest first.
  Seen seen_through(const std::vector<Hit>& layers, Seen behind, const Vec3f& direction, const Vec2f& sun,
                    const Vec2f& sky) const;

 private:
  Vec3f paint(const Hit& hit) const;
  Vec3f plane_paint(const Hit& hit, const Vec3f& direction) const;
  Vec3f light_at(const Hit& hit, const Vec2f& sun, const Vec2f& sky) const;

  const TraceScene& scene_;
  const Tracer& tracer_;
  const Light& light_;
  float pixel_angle_;
};

}  // namespace knead
