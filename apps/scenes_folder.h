// The scenes that come with Knead.
#pragma once

#include <filesystem>
#include <system_error>
#include <vector>

namespace knead {

// Of an installed program those beside it, wherever it lies now; else those of the clone that it was built from, or
// scenes/ under the present folder.
std::filesystem::path scenes_folder();

// Files of scenes in a folder and below, sorted.
std::vector<std::filesystem::path> scene_files(const std::filesystem::path& folder, std::error_code& trouble);
// Whether a scene that comes with Knead is there for `knead validate`.
bool is_of_validation(const std::filesystem::path& file);

// The scene that comes with Knead of a name as `knead list` has it, "snowball" or "mpm/snowball.toml", where there is
// no such file here; else the name.
std::filesystem::path find_scene(const std::filesystem::path& name);

}  // namespace knead
