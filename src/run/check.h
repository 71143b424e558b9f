// `knead check`: the resolved numbers that matter, before a run costs anything.
#pragma once

#include "scene/scene.h"
#include "world/world.h"

#include <string>

namespace knead {

struct CheckReport {
  std::int64_t particles = 0;
  std::int64_t cells = 0;  // grid nodes at the start
  double memory = 0;       // bytes, state and grid
  double disk = 0;         // bytes, all frames and checkpoints
  double wave_speed = 0;   // m/s
  double dt = 0;           // s, the first step
  std::string bound;       // what sets it
  double steps = 0;        // expected, with the first step kept
  double seconds = 0;      // expected wall time, from a few steps measured now
  std::vector<std::string> warnings;
};

CheckReport check_scene(const Scene&);

// What is odd about the scene beyond what reading and building it show; the world has been prepared by its solver.
std::vector<std::string> step_warnings(const Scene&, const World&);

std::string to_text(const Scene&, const CheckReport&);
std::string to_json(const CheckReport&);

}  // namespace knead
