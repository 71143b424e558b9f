// Velocities of the grid, where the grid itself is gone: from the particles of a frame, by the scene's own kernel.
#pragma once

#include "output/frame_file.h"
#include "scene/scene.h"
#include "world/grid_velocities.h"

namespace knead {

std::vector<std::string> columns_for_grid();

// Mass-weighted means of what the particles bring, v and where they carry an affine field C dx too: what the next step
// starts with, before any force. Of MPM at the nodes; of liquids first at the faces of the cells, as their grid is
// staggered, and of these the mean in the middle of the cells. Fails (bad_input) where the method has no grid or the
// frame lacks the velocities.
GridVelocities grid_of_particles(const Scene& scene, const Frame& frame);

// As the page takes it (packed.h); `of_solver` tells where it is from.
std::string grid_bytes(const Frame& frame, const GridVelocities& grid, bool of_solver);

}  // namespace knead
