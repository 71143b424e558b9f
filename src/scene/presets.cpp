#include "scene/presets.h"

#include "material/list.h"
#include "material/presets.h"

#include <fmt/format.h>

#include <algorithm>

namespace knead {

namespace {

constexpr const char* preset_key = "preset";

Node text_at(const Place& place, const char* text) {
  Node node;
  node.kind = Node::Kind::text;
  node.place = place;
  node.text = text;
  return node;
}

void unknown(const Node& named, const std::string& path, Mistakes& mistakes) {
  std::vector<std::string> names;
  std::string listed;
  const auto& models = Material::alternatives().alternatives;
  const bool is_model =
      named.kind == Node::Kind::text &&
      std::any_of(models.begin(), models.end(), [&](const Alternative& a) { return a.table->name == named.text; });
  for (const Preset& p : presets()) {
    names.emplace_back(p.name);
    listed += (listed.empty() ? "" : ", ") + names.back();
  }
  if (is_model)
    return mistakes.add(named.place, path,
                        fmt::format("{} \"{}\" is a model; write model = \"{}\", or a preset: one of {}", path,
                                    named.text, named.text, listed));
  mistakes.add(named.place, path,
               named.kind == Node::Kind::text
                   ? fmt::format("{} \"{:.60}\" is unknown; it must be one of {}{}", path, named.text, listed,
                                 did_you_mean(named.text, names))
                   : fmt::format("{} is {}; it must be one of {}", path, kind_words(named), listed));
}

}  // namespace

std::optional<Node> with_preset(const Node& material, const std::string& path, Mistakes& mistakes) {
  const Node* named = material.kind == Node::Kind::table ? material.find(preset_key) : nullptr;
  if (!named) return material;
  Node merged = material;
  std::erase_if(merged.entries, [](const Entry& e) { return e.key == preset_key; });
  const Preset* preset = named->kind == Node::Kind::text ? find_preset(named->text) : nullptr;
  if (!preset) {
    unknown(*named, path + "." + preset_key, mistakes);
    return std::nullopt;
  }
  if (const Node* model = merged.find("model")) {
    if (model->kind == Node::Kind::text && model->text != preset->model)
      mistakes.add(
          model->place, path + ".model",
          fmt::format("{}.model is \"{:.60}\", but the preset \"{}\" is of the model \"{}\"; leave out one of the two",
                      path, model->text, preset->name, preset->model));
  } else {
    merged.entries.push_back({"model", named->place, text_at(named->place, preset->model)});
  }
  for (const PresetValue& v : preset->values) {
    const bool replaced = std::any_of(material.entries.begin(), material.entries.end(),
                                      [&](const Entry& e) { return e.key == v.key || are_rivals(e.key, v.key); });
    if (!replaced) merged.entries.push_back({v.key, named->place, text_at(named->place, v.value)});
  }
  return merged;
}

}  // namespace knead
