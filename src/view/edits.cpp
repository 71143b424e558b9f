#include "view/edits.h"

#include "run/stats_row.h"
#include "scene/read.h"
#include "scene/value_text.h"
#include "scene/write.h"

namespace knead {

namespace {

// Texts of files are named by their absolute paths in it, so that any folder will do.
Scene read_again(const Scene& scene, const std::string& text, const std::vector<std::string>& sets) {
  return read_scene_text(text, "the scene as changed", scene.folder, sets, wrong_measurements);
}

}  // namespace

Scene with_event(const Scene& scene, const EventEdit& edit, double time) {
  return read_again(scene, fmt::format("{}\n[[event]]\ntime = {}\n{}\n", to_toml(scene), number_text(time), edit.lines),
                    {});
}

Scene with_values(const Scene& scene, const std::vector<std::string>& sets) {
  return read_again(scene, to_toml(scene), sets);
}

}  // namespace knead
