// Whether two scenes give the same results: a hash to store in checkpoints, and what differs in words.
#pragma once

#include "scene/scene.h"

namespace knead {

// Over what decides the particles at any time: not the duration, names, colours, probes, output, camera and
// expectations. A mesh or point file counts by its name and contents, wherever it lies.
std::uint64_t scene_hash(const Scene& scene);

// What differs in that, a line each: "solver.dx is 0.02, was 0.01".
std::vector<std::string> differences(const Scene& now, const Scene& before);

}  // namespace knead
