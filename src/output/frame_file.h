// Frame files: the particles at a frame time as HDF5, one dataset a column, in the order of `id`. docs/output.md has
// the layout.
#pragma once

#include "world/world.h"

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace knead {

struct Frame {
  int dimension = 3;
  double time = 0;  // s
  std::int64_t number = 0;
  std::int64_t step = 0;
  double dx = 0;        // m, the grid spacing; 0 where the method has none
  Particles particles;  // in the order of `id`
  // Where the method has meshes: how far each edge has been stretched at most, mesh by mesh as in rest_mesh.h5, edges
  // in the order of sorted_edges(); empty where the method does not keep it.
  std::vector<std::vector<float>> edge_stretch;
};

// Copies the columns named (none named: all; `x` and `id` always) in the order of `id`. Fails (bad_input) on an unknown
// name.
Frame make_frame(const World& world, const std::vector<std::string>& columns = {}, double dx = 0);

// Equal worlds give equal bytes. Writes column by column, so that it needs memory for one column only. `edge_stretch`
// is that of Frame.
void write_frame(const std::filesystem::path& path, const World& world, const std::vector<std::string>& columns = {},
                 double dx = 0, const std::vector<std::span<const float>>& edge_stretch = {});

// Fails (bad_input) with the reason where the file is damaged, cut short, of another kind or of a newer version; (file)
// where it cannot be opened. A damaged file is noticed by its checksum before anything in it is believed.
Frame read_frame(const std::filesystem::path& path);

// What a frame file says of itself, without its particles. Fails as read_frame does.
struct FrameStamp {
  std::int64_t number = 0;
  double time = 0;  // s
  std::int64_t step = 0;
};
FrameStamp read_frame_stamp(const std::filesystem::path& path);

}  // namespace knead
