// The ray tracer: balls, solids and a ground under a sun and a sky, made into a picture without a GPU.
#pragma once

#include "render/image.h"
#include "render/view.h"

#include <array>
#include <functional>
#include <optional>
#include <vector>

namespace knead {

struct Ball {
  Vec3f center;
  float radius;
};

// A solid of triangles; vertices in the same coordinates as the balls.
struct TracedMesh {
  std::vector<Vec3f> vertices;
  std::vector<Vec3i> triangles;
  Vec3f color;
  std::vector<std::array<Vec3f, 3>> normals;  // of the triangles' corners, that light is reckoned with; empty: flat
  // The colour at a place of a triangle, by the shares of its corners there; empty: `color`.
  std::function<Vec3f(std::uint32_t triangle, const Vec3f& shares)> paint;
  float opacity = 1;
};

// A solid given by a distance that never overestimates (negative inside), found by stepping along the ray.
struct TracedField {
  std::function<double(const Vec3d&)> distance;
  Vec3d low, high;  // a box around it
  Vec3f color;
  float opacity = 1;
};

// A half-space: everything on the far side of the normal is solid.
struct TracedPlane {
  Vec3d point, normal;
  Vec3f color;
  float opacity = 1;
};

// What there is to see. A solid that is not opaque is one layer of its colour before what is behind it, and throws no
// shadow. Coordinates should be near the origin (single precision). Colours are linear: the part of the
// light that is thrown back.
struct TraceScene {
  std::vector<Ball> balls;
  std::vector<Color> ball_colors;
  std::vector<Vec3f> ball_normals;  // of the matter around, see cloud_normals.h; empty: each ball is lit by itself
  std::vector<TracedMesh> meshes;
  std::vector<TracedField> fields;
  std::vector<TracedPlane> planes;
  Vec3d up{0, 1, 0};
  Vec3d center{};        // of what is looked at
  double size = 1;       // m, its extent: what lies many times as far away fades into the sky
  double grid_step = 0;  // m, of the lines drawn on planes; 0 for none
};

// `samples` rays a pixel at most; smooth regions take a quarter of them and are averaged with their neighbours.
// The same picture on any number of threads.
Image trace(const TraceScene& scene, const View& view, int samples);

}  // namespace knead
