#include "render/trace_scene.h"

#include "base/error.h"

#include <embree3/rtcore.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace knead {
namespace {

constexpr float far_away = std::numeric_limits<float>::infinity();

// Steps along a ray through a distance field, from where it enters the field's box. Returns where it meets the solid,
// or far away.
float march(const TracedField& field, const RTCRay& ray) {
  const Vec3d o{ray.org_x, ray.org_y, ray.org_z}, d{ray.dir_x, ray.dir_y, ray.dir_z};
  double t = ray.tnear, end = ray.tfar;
  for (int k = 0; k < 3; ++k) {
    const double a = (field.low[k] - o[k]) / d[k], b = (field.high[k] - o[k]) / d[k];
    if (d[k] == 0) {
      if (o[k] < field.low[k] || o[k] > field.high[k]) return far_away;
      continue;
    }
    t = std::max(t, std::min(a, b));
    end = std::min(end, std::max(a, b));
  }
  const double close = 1e-5 * length(field.high - field.low);
  for (int step = 0; step < 256 && t <= end; ++step) {
    const double distance = field.distance(o + d * t);
    if (distance < close) return float(t);
    t += distance;
  }
  return far_away;
}

void field_bounds(const RTCBoundsFunctionArguments* a) {
  const auto& field = *static_cast<const TracedField*>(a->geometryUserPtr);
  RTCBounds& b = *a->bounds_o;
  b.lower_x = float(field.low[0]), b.lower_y = float(field.low[1]), b.lower_z = float(field.low[2]);
  b.upper_x = float(field.high[0]), b.upper_y = float(field.high[1]), b.upper_z = float(field.high[2]);
}

void field_intersect(const RTCIntersectFunctionNArguments* a) {
  if (!a->valid[0]) return;
  RTCRayHit& ray = *reinterpret_cast<RTCRayHit*>(a->rayhit);
  const float t = march(*static_cast<const TracedField*>(a->geometryUserPtr), ray.ray);
  if (!(t < ray.ray.tfar)) return;
  ray.ray.tfar = t;
  ray.hit.geomID = a->geomID;
  ray.hit.primID = 0;
  ray.hit.instID[0] = RTC_INVALID_GEOMETRY_ID;
}

void field_occluded(const RTCOccludedFunctionNArguments* a) {
  if (!a->valid[0]) return;
  RTCRay& ray = *reinterpret_cast<RTCRay*>(a->ray);
  const float t = march(*static_cast<const TracedField*>(a->geometryUserPtr), ray);
  if (t < ray.tfar) ray.tfar = -far_away;
}

// Where a ray meets a plane from its open side; far_away where it does not.
float plane_distance(const TracedPlane& plane, const Vec3f& origin, const Vec3f& direction, bool from_eye) {
  const Vec3f normal = resized<float, 3>(plane.normal);
  const float height = dot(origin - resized<float, 3>(plane.point), normal);
  if (height <= 0) return from_eye ? far_away : 0.f;
  const float towards = dot(direction, normal);
  return towards < 0 ? -height / towards : far_away;
}

// Embree ends the program on rays that start nowhere.
bool somewhere(const Vec3f& origin) { return dot(origin, origin) < 1e30f; }

RTCRay make_ray(const Vec3f& o, const Vec3f& d, float far) {
  RTCRay ray{};
  ray.org_x = o[0], ray.org_y = o[1], ray.org_z = o[2];
  ray.dir_x = d[0], ray.dir_y = d[1], ray.dir_z = d[2];
  ray.tfar = far;
  ray.mask = ~0u;
  return ray;
}

}  // namespace

Tracer::Tracer(const TraceScene& scene)
    : scene_(scene), device_(rtcNewDevice(nullptr)), lift_(float(2e-5 * scene.size)) {
  if (!device_) fail(Exit::not_built, "the ray tracer (Embree) does not run on this processor");
  embree_ = rtcNewScene(device_);
  // Geometry 0 is the balls, then come the meshes, then the fields.
  add_balls();
  std::uint32_t id = 0;
  for (const TracedMesh& mesh : scene.meshes) add_mesh(mesh, ++id);
  for (const TracedField& field : scene.fields) add_field(field, ++id);
  rtcCommitScene(embree_);
  for (RTCSceneTy* layer : layers_) rtcCommitScene(layer);
  if (rtcGetDeviceError(device_) == RTC_ERROR_OUT_OF_MEMORY)
    fail(Exit::resources, "not enough memory to draw {} particles", scene.balls.size());
}

Tracer::~Tracer() {
  rtcReleaseScene(embree_);
  for (RTCSceneTy* layer : layers_) rtcReleaseScene(layer);
  rtcReleaseDevice(device_);
}

void Tracer::add_balls() {
  RTCGeometry g = rtcNewGeometry(device_, RTC_GEOMETRY_TYPE_SPHERE_POINT);
  const std::size_t count = scene_.balls.size();
  auto* buffer = static_cast<Ball*>(rtcSetNewGeometryBuffer(g, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT4,
                                                            sizeof(Ball), std::max<std::size_t>(1, count)));
  if (!buffer) fail(Exit::resources, "not enough memory to draw {} particles", count);
  std::copy(scene_.balls.begin(), scene_.balls.end(), buffer);
  if (count == 0) buffer[0] = {{0, 0, 0}, std::numeric_limits<float>::quiet_NaN()};  // Embree skips it
  rtcCommitGeometry(g);
  rtcAttachGeometry(embree_, g);
  rtcReleaseGeometry(g);
}

RTCSceneTy* Tracer::scene_for(float opacity) {
  if (opacity >= 1) return embree_;
  return layers_.emplace_back(rtcNewScene(device_));
}

void Tracer::add_mesh(const TracedMesh& mesh, std::uint32_t id) {
  RTCGeometry g = rtcNewGeometry(device_, RTC_GEOMETRY_TYPE_TRIANGLE);
  auto* vertices = static_cast<Vec3f*>(
      rtcSetNewGeometryBuffer(g, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, sizeof(Vec3f), mesh.vertices.size()));
  auto* triangles = static_cast<Vec3i*>(
      rtcSetNewGeometryBuffer(g, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, sizeof(Vec3i), mesh.triangles.size()));
  if (!vertices || !triangles) fail(Exit::resources, "not enough memory to draw a mesh");
  std::copy(mesh.vertices.begin(), mesh.vertices.end(), vertices);
  std::copy(mesh.triangles.begin(), mesh.triangles.end(), triangles);
  rtcCommitGeometry(g);
  rtcAttachGeometryByID(scene_for(mesh.opacity), g, id);
  rtcReleaseGeometry(g);
}

void Tracer::add_field(const TracedField& field, std::uint32_t id) {
  RTCGeometry g = rtcNewGeometry(device_, RTC_GEOMETRY_TYPE_USER);
  rtcSetGeometryUserPrimitiveCount(g, 1);
  rtcSetGeometryUserData(g, const_cast<TracedField*>(&field));
  rtcSetGeometryBoundsFunction(g, field_bounds, nullptr);
  rtcSetGeometryIntersectFunction(g, field_intersect);
  rtcSetGeometryOccludedFunction(g, field_occluded);
  rtcCommitGeometry(g);
  rtcAttachGeometryByID(scene_for(field.opacity), g, id);
  rtcReleaseGeometry(g);
}

Hit Tracer::seen_from_eye(const Vec3f& origin, const Vec3f& direction) const {
  return hit_of_all(origin, direction, far_away, true);
}

Hit Tracer::hit(const Vec3f& origin, const Vec3f& direction, float far) const {
  return hit_of_all(origin, direction, far, false);
}

Hit Tracer::nearest(RTCSceneTy* among, const Vec3f& origin, const Vec3f& direction, float far) const {
  RTCIntersectContext context;
  rtcInitIntersectContext(&context);
  RTCRayHit r{};
  r.ray = make_ray(origin, direction, far);
  r.hit.geomID = RTC_INVALID_GEOMETRY_ID;
  rtcIntersect1(among, &context, &r);

  Hit hit;
  hit.distance = r.ray.tfar;
  const std::uint32_t id = r.hit.geomID, meshes = std::uint32_t(scene_.meshes.size());
  if (id == RTC_INVALID_GEOMETRY_ID) return hit;
  hit.surface = id == 0 ? Surface::ball : id <= meshes ? Surface::mesh : Surface::field;
  hit.index = id == 0 ? r.hit.primID : id <= meshes ? id - 1 : id - 1 - meshes;
  if (hit.surface == Surface::mesh) {
    hit.normal = normalized(Vec3f{r.hit.Ng_x, r.hit.Ng_y, r.hit.Ng_z});
    hit.triangle = r.hit.primID;
    hit.shares = {1 - r.hit.u - r.hit.v, r.hit.u, r.hit.v};
  }
  return hit;
}

Hit Tracer::hit_of_all(const Vec3f& origin, const Vec3f& direction, float far, bool from_eye) const {
  if (!somewhere(origin)) return {};
  Hit hit = nearest(embree_, origin, direction, far);
  for (std::size_t i = 0; i < scene_.planes.size(); ++i) {
    if (scene_.planes[i].opacity < 1) continue;
    const float t = plane_distance(scene_.planes[i], origin, direction, from_eye);
    if (t < hit.distance) hit.surface = Surface::plane, hit.index = std::uint32_t(i), hit.distance = t;
  }
  if (hit.surface != Surface::none) complete(hit, origin, direction);
  return hit;
}

std::vector<Hit> Tracer::layers(const Vec3f& origin, const Vec3f& direction, float far) const {
  std::vector<Hit> hits;
  if (!somewhere(origin)) return hits;
  for (RTCSceneTy* layer : layers_)
    if (const Hit hit = nearest(layer, origin, direction, far); hit.surface != Surface::none) hits.push_back(hit);
  for (std::size_t i = 0; i < scene_.planes.size(); ++i) {
    if (scene_.planes[i].opacity >= 1) continue;
    Hit hit;
    hit.surface = Surface::plane, hit.index = std::uint32_t(i);
    hit.distance = plane_distance(scene_.planes[i], origin, direction, true);
    if (hit.distance < far) hits.push_back(hit);
  }
  for (Hit& hit : hits) complete(hit, origin, direction);
  std::sort(hits.begin(), hits.end(), [](const Hit& a, const Hit& b) { return a.distance > b.distance; });
  return hits;
}

float Tracer::opacity(const Hit& hit) const {
  if (hit.surface == Surface::mesh) return scene_.meshes[hit.index].opacity;
  if (hit.surface == Surface::field) return scene_.fields[hit.index].opacity;
  return hit.surface == Surface::plane ? scene_.planes[hit.index].opacity : 1;
}

void Tracer::complete(Hit& hit, const Vec3f& origin, const Vec3f& direction) const {
  hit.point = origin + direction * hit.distance;
  if (hit.surface == Surface::ball) hit.normal = normalized(hit.point - scene_.balls[hit.index].center);
  if (hit.surface == Surface::field) hit.normal = field_normal(scene_.fields[hit.index], hit.point);
  if (hit.surface == Surface::plane) hit.normal = resized<float, 3>(scene_.planes[hit.index].normal);
  if (dot(hit.normal, direction) > 0 && hit.surface == Surface::mesh) hit.normal = -hit.normal;
  hit.facing = hit.normal;
  if (hit.surface == Surface::ball && !scene_.ball_normals.empty()) {
    // Never so far that the surface would turn away from who looks at it.
    const Vec3f around = scene_.ball_normals[hit.index];
    const Vec3f facing = normalized(hit.normal * (1 - 0.75f * length(around)) + around * 0.75f);
    if (dot(facing, direction) < 0) hit.facing = facing;
  }
  if (hit.surface == Surface::mesh && !scene_.meshes[hit.index].normals.empty()) {
    const std::array<Vec3f, 3>& n = scene_.meshes[hit.index].normals[hit.triangle];
    Vec3f facing = normalized(n[0] * hit.shares[0] + n[1] * hit.shares[1] + n[2] * hit.shares[2], hit.normal);
    if (dot(facing, hit.normal) < 0) facing = -facing;
    if (dot(facing, direction) < 0) hit.facing = facing;
  }
}

bool Tracer::blocked(const Vec3f& origin, const Vec3f& direction, float far) const {
  if (!somewhere(origin)) return false;
  for (const TracedPlane& plane : scene_.planes)
    if (plane.opacity >= 1 && plane_distance(plane, origin, direction, false) < far) return true;
  RTCIntersectContext context;
  rtcInitIntersectContext(&context);
  RTCRay ray = make_ray(origin, direction, far);
  rtcOccluded1(embree_, &context, &ray);
  return ray.tfar < 0;
}

Vec3f Tracer::lifted(const Hit& hit) const {
  if (hit.surface == Surface::field) {
    const TracedField& field = scene_.fields[hit.index];
    return hit.point + hit.normal * float(4e-5 * length(field.high - field.low));
  }
  if (hit.surface != Surface::ball) return hit.point + hit.normal * lift_;
  // Where the matter is dense, light comes from its surface and not from between the beads.
  const float radius = scene_.balls[hit.index].radius;
  Vec3f point = hit.point + hit.normal * std::max(0.1f * lift_, 2e-3f * radius);
  if (!scene_.ball_normals.empty()) point += scene_.ball_normals[hit.index] * (0.8f * radius);
  return point;
}

Vec3f Tracer::field_normal(const TracedField& field, const Vec3f& point) const {
  const Vec3d p = resized<double, 3>(point);
  const double h = 1e-4 * length(field.high - field.low);
  Vec3d gradient{};
  for (int k = 0; k < 3; ++k) {
    const Vec3d step = Vec3d::axis(k) * h;
    gradient[k] = field.distance(p + step) - field.distance(p - step);
  }
  return resized<float, 3>(normalized(gradient));
}

}  // namespace knead
