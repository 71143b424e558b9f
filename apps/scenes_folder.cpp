#include "apps/scenes_folder.h"

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

}  // namespace knead
