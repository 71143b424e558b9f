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

Scene with_changes(const Scene& scene, const std::vector<Edit>& edits) {
  std::string text = to_toml(scene);
  std::vector<std::string> sets;
  for (const Edit& edit : edits) {
    if (const auto* value = std::get_if<ValueEdit>(&edit)) sets.push_back(value->set);
    if (const auto* body = std::get_if<BodyEdit>(&edit)) text += "\n[[body]]\n" + body->lines;
  }
  return read_again(scene, text, sets);
}

std::string text_of(const Edit& edit) {
  std::string text = std::visit(
      [](const auto& e) {
        if constexpr (requires { e.set; })
          return e.set;
        else
          return e.lines;
      },
      edit);
  while (text.ends_with('\n')) text.pop_back();
  for (std::size_t at; (at = text.find('\n')) != std::string::npos;) text.replace(at, 1, "; ");
  return text;
}

}  // namespace knead
