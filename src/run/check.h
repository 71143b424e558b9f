// `knead check`: the resolved numbers that matter, before a run costs anything.
#pragma once

#include "scene/scene.h"
#include "world/solver.h"

#include <chrono>
#include <string>

namespace knead {

struct CheckReport {
  std::int64_t particles = 0;  // at the start
  double coming = 0;           // particles from sources until the end
  std::int64_t cells = 0;      // grid nodes at the start
  double memory = 0;           // bytes, state and grid
  double disk = 0;             // bytes, all frames in all formats, and checkpoints
  double film = 0;             // bytes, of a film of them
  double disk_free = 0;        // bytes, where `run` would write without --out
  double wave_speed = 0;       // m/s
  double dt = 0;               // s, the first step
  std::string bound;           // what sets it
  double least_dt = 0;         // s, once events have made matter as stiff as it gets
  std::string stiffest{};      // the event after which that is so; empty where it is so from the start
  double steps = 0;            // expected, with the first step kept but for what events do to it
  double seconds = 0;          // expected wall time, from the start, a few steps and a frame file measured now
  std::vector<std::string> warnings;
  std::vector<std::string> notes;  // not odd, but worth knowing before a run
};

// The wall time of a run counts from `given_at`, as that of `knead run` from its call.
CheckReport check_scene(const Scene&,
                        std::chrono::steady_clock::time_point given_at = std::chrono::steady_clock::now());

std::string to_text(const Scene&, const CheckReport&);
std::string to_json(const CheckReport&);

}  // namespace knead
