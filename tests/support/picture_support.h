// Particles made up for pictures: the bodies of a scene filled with a lattice, without a solver.
#pragma once

#include "output/frame_file.h"
#include "scene/read.h"

#include <cmath>
#include <cstdint>
#include <vector>

namespace knead::test {

// Its velocities swirl about the z axis, so that a column of them has something to show.
template <int D>
Frame lattice_frame(const Scene& scene, double spacing, double time = 0, std::int64_t number = 1) {
  std::vector<Vec3d> points;
  std::vector<std::int32_t> bodies;
  for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
    const Bounds box = scene.bodies[b].shape.bounds(D);
    const double depth = D == 3 ? box.hi[2] - box.lo[2] : spacing;
    for (double x = box.lo[0] + spacing / 2; x < box.hi[0]; x += spacing)
      for (double y = box.lo[1] + spacing / 2; y < box.hi[1]; y += spacing)
        for (double z = spacing / 2; z < depth; z += spacing) {
          const Vec3d p{x, y, D == 3 ? box.lo[2] + z : 0};
          if (scene.bodies[b].shape.distance(p) > 0) continue;
          points.push_back(p);
          bodies.push_back(std::int32_t(b));
        }
  }
  Frame frame;
  frame.dimension = D;
  frame.time = time;
  frame.number = number;
  frame.particles.resize(points.size());
  const auto x = frame.particles.add<Vec<float, D>>("x", "m"), v = frame.particles.add<Vec<float, D>>("v", "m/s");
  const auto volume = frame.particles.add<float>("volume", "m^3");
  const auto id = frame.particles.add<std::int32_t>("id"), body = frame.particles.add<std::int32_t>("body");
  for (std::size_t i = 0; i < points.size(); ++i) {
    x[i] = resized<float, D>(points[i]);
    v[i] = resized<float, D>(Vec3d{-points[i][1], points[i][0], 0});
    volume[i] = float(std::pow(spacing, D));
    id[i] = std::int32_t(i);
    body[i] = bodies[i];
  }
  return frame;
}

inline Scene scene_3d() {
  return read_scene_text(R"(
format = 1
[scene]
name = "Still life"
[solver]
dx = 0.1
[materials.snow]
model = "snow"
[materials.jelly]
model = "fixed-corotated"
[[body]]
material = "snow"
shape = { type = "sphere", center = [0, 0.4, 0], radius = 0.4 }
[[body]]
material = "jelly"
shape = { type = "box", center = [0.8, 0.25, 0.2], size = [0.5, 0.5, 0.5] }
[[collider]]
shape = { type = "box", center = [0, 0.4, -0.8], size = [1.2, 0.8, 0.2] }
[[collider]]
shape = { type = "cylinder", center = [-0.8, 0.2, 0.1], axis = [0, 1, 0], radius = 0.2, height = 0.4 }
[camera]
ground = true
)",
                         "still_life.toml", ".");
}

// Water in a tank, and a ball on its floor that reaches below it.
inline Scene tank_3d() {
  return read_scene_text(R"(
format = 1
[scene]
name = "Tank"
domain = { min = [0, -0.5, 0], max = [4, 1.5, 1] }
[solver]
method = "liquid"
dx = 0.1
[materials.water]
model = "fluid"
[[body]]
material = "water"
shape = { type = "box", center = [0.5, 0, 0.5], size = [1, 1, 1] }
[[collider]]
shape = { type = "sphere", center = [3, -0.5, 0.5], radius = 0.4 }
)",
                         "tank.toml", ".");
}

inline Scene scene_2d() {
  return read_scene_text(R"(
format = 1
[scene]
name = "Disc and block"
dimension = 2
domain = { min = [0, 0], max = [2, 1] }
[solver]
dx = 0.05
[materials.jelly]
model = "fixed-corotated"
[[body]]
material = "jelly"
shape = { type = "disc", center = [0.6, 0.65], radius = 0.25 }
[[body]]
material = "jelly"
shape = { type = "box", center = [1.5, 0.25], size = [0.5, 0.5] }
[[collider]]
shape = { type = "polygon", points = [[0.2, 0.0], [1.0, 0.0], [0.2, 0.3]] }
)",
                         "disc_and_block.toml", ".");
}

}  // namespace knead::test
