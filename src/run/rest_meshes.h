// What frames hold of bodies that are meshes: their rest shapes, once, and how far their edges have been stretched.
#pragma once

#include "scene/scene.h"
#include "world/world.h"

#include <filesystem>
#include <span>

namespace knead {

// rest_mesh.h5 of a world at its start; nothing where it has no mesh.
void write_rest_meshes_of(const std::filesystem::path& path, const Scene&, const World&);

// The stretch of the edges, mesh by mesh.
std::vector<std::span<const float>> edge_stretches(const World&);

}  // namespace knead
