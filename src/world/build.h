// From a scene to the world at its start: bodies become particles, grouped into batches of one material.
#pragma once

#include "base/system.h"
#include "scene/scene.h"
#include "world/world.h"

namespace knead {

struct BuildReport {
  std::vector<std::int64_t> particles;  // of each body
  std::vector<std::string> warnings;    // overlapping bodies, odd points of files, cells too large
  std::vector<std::string> notes;       // how well meshes are shaped
};

// Columns x, v, mass, volume, id, body. Fails with Exit::resources before allocating more than `max_bytes`.
World build_world(const Scene&, BuildReport* report = nullptr, std::uint64_t max_bytes = available_memory());

// How many particles a scene will have, without making them.
std::int64_t expected_particles(const Scene&);

}  // namespace knead
