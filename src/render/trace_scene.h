// The balls, solids and planes of a picture as one thing that rays can hit, over Embree.
#pragma once

#include "render/trace.h"

// Embree's handles; its header stays in one source file.
struct RTCDeviceTy;
struct RTCSceneTy;

namespace knead {

enum class Surface { none, ball, mesh, field, plane };

struct Hit {
  Surface surface = Surface::none;
  std::uint32_t index = 0;     // which ball, mesh, field or plane
  std::uint32_t triangle = 0;  // of a mesh, and
  Vec3f shares{};              // of its corners in the point
  float distance = 0;
  Vec3f point{}, normal{};
  Vec3f facing{};  // the normal that light is reckoned with: a ball's may be in part of the matter around, a mesh's
                   // smooth
};

class Tracer {
 public:
  explicit Tracer(const TraceScene& scene);
  ~Tracer();
  Tracer(const Tracer&) = delete;

  // The eye looks through planes from behind; a point of a surface that lies behind one is in the dark.
  Hit seen_from_eye(const Vec3f& origin, const Vec3f& direction) const;
  // What is not opaque before that, the farthest first.
  std::vector<Hit> layers(const Vec3f& origin, const Vec3f& direction, float far) const;
  float opacity(const Hit& hit) const;
  Hit hit(const Vec3f& origin, const Vec3f& direction, float far) const;
  bool blocked(const Vec3f& origin, const Vec3f& direction, float far) const;
  // A point a little off the surface, from which rays may start.
  Vec3f lifted(const Hit& hit) const;

 private:
  Hit hit_of_all(const Vec3f& origin, const Vec3f& direction, float far, bool from_eye) const;
  // The nearest of the balls, meshes and fields in one of Embree's scenes, but for its point and normals.
  Hit nearest(RTCSceneTy* among, const Vec3f& origin, const Vec3f& direction, float far) const;
  void complete(Hit& hit, const Vec3f& origin, const Vec3f& direction) const;
  void add_balls();
  void add_mesh(const TracedMesh& mesh, std::uint32_t id);
  void add_field(const TracedField& field, std::uint32_t id);
  RTCSceneTy* scene_for(float opacity);
  Vec3f field_normal(const TracedField& field, const Vec3f& point) const;

  const TraceScene& scene_;
  RTCDeviceTy* device_;
  RTCSceneTy* embree_;               // what is opaque
  std::vector<RTCSceneTy*> layers_;  // a solid each
  float lift_;                       // m
};

}  // namespace knead
