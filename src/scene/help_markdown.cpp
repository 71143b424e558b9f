#include "base/wrapped.h"
#include "material/presets.h"
#include "scene/help.h"
#include "scene/topics.h"

#include <fmt/format.h>

#include <algorithm>

namespace knead {

namespace {

// Text inside a cell: bars would end it.
std::string cell(std::string text) {
  for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2) text.insert(at, "\\");
  return text;
}

std::string fields_table(const Topic& topic) {
  std::string text = "| key | type | default | meaning |\n|---|---|---|---|\n";
  for_each_field(topic, [&](const Field& f, void* object) {
    const std::string fallback = default_words(f, object);
    const bool code = fallback != "required" && fallback != "-";
    text += fmt::format("| `{}` | {} | {} | {} |\n", f.name, type_words(f), code ? "`" + fallback + "`" : fallback,
                        cell(full_doc(f)));
  });
  return text;
}

std::string section(const Topic& topic) {
  const std::string title = topic.heading == "Shapes" ? topic.heading : "`" + topic.heading + "`";
  if (topic.one_of)
    return fmt::format(
        "## {}\n\n{}\n", title,
        wrapped(fmt::format("{} The key `{}` selects one of the following.", topic.one_of->doc, topic.one_of->tag)));
  std::string aliases;
  for (const std::string& a : topic.table->aliases) aliases += (aliases.empty() ? " Also called `" : ", `") + a + "`";
  if (!aliases.empty()) aliases += ".";
  const bool inner = topic.part_of || topic.heading.ends_with('}');
  return fmt::format("{} {}\n\n{}\n\n{}", inner ? "###" : "##", title, wrapped(topic.table->doc + aliases),
                     fields_table(topic));
}

std::string presets_section() {
  std::string text = "## Presets\n\n" +
                     wrapped(
                         "Materials by the names of real substances: `preset = \"dry-sand\"` in `[materials.NAME]` "
                         "instead of `model`. Keys given in the scene replace the preset's values.") +
                     "\n";
  for (const Preset& p : presets()) {
    text += fmt::format("\n### `preset = \"{}\"`\n\n{}\n\n| key | value | source |\n|---|---|---|\n", p.name,
                        wrapped(fmt::format("{} Model `{}`.", p.doc, p.model)));
    for (const PresetValue& v : p.values) text += fmt::format("| `{}` | {} | {} |\n", v.key, v.value, cell(v.source));
  }
  return text;
}

}  // namespace

std::string help_markdown() {
  std::string text = fmt::format(
      "# Scene files\n\n<!-- Made by `knead help --markdown` from the program's own tables; do not edit. "
      "-->\n\n{}\n\n```toml\n{}```\n",
      wrapped(std::string(Scene::table().doc) +
              " Unknown keys are mistakes, and all mistakes are reported together with their places. `--set "
              "solver.dx=0.01` or `--set body.0.velocity=[1,0,0]` on the command line overrides the file."),
      example_scene());
  for (const Topic& t : topics()) text += "\n" + section(t);
  text += "\n" + presets_section();
  text += "\n## Quantities\n\n```text\n" + help_text("quantities") + "```\n";
  text += "\n## Units\n\n```text\n" + help_text("units") + "```\n";
  return text;
}

}  // namespace knead
