#include "apps/scenes_folder.h"

#include <algorithm>

namespace knead {

namespace fs = std::filesystem;

fs::path scenes_folder() {
  std::error_code ignored;
  const fs::path program = fs::read_symlink("/proc/self/exe", ignored);
  for (const fs::path& folder :
       {(program.parent_path() / KNEAD_INSTALLED_SCENES).lexically_normal(), fs::path(KNEAD_SOURCE_DIR) / "scenes"})
    if (fs::is_directory(folder, ignored)) return folder;
  return "scenes";
}

std::vector<fs::path> scene_files(const fs::path& folder, std::error_code& trouble) {
  std::vector<fs::path> files;
  for (fs::recursive_directory_iterator at(folder, trouble), end; !trouble && at != end; at.increment(trouble))
    if (at->path().extension() == ".toml" && at->is_regular_file()) files.push_back(at->path());
  std::sort(files.begin(), files.end());
  return files;
}

bool is_of_validation(const fs::path& file) { return file.parent_path().filename() == "validate"; }

fs::path find_scene(const fs::path& name) {
  std::error_code missing, trouble;
  // A bare x.toml is a file of the user, who shall be told that it is not there.
  const bool bare = !name.has_parent_path();
  if (fs::exists(name, missing) || name.empty() || name.is_absolute() || bare == (name.extension() == ".toml"))
    return name;
  const fs::path folder = scenes_folder(), wanted = name.lexically_normal();
  for (const fs::path& file : scene_files(folder, trouble)) {
    const fs::path inside = file.lexically_relative(folder);
    if (bare ? file.stem() == wanted : inside == wanted || "scenes" / inside == wanted) return file;
  }
  return name;
}

}  // namespace knead
