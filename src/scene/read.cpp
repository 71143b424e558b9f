#include "scene/read.h"

#include "scene/check.h"
#include "scene/overrides.h"
#include "scene/presets.h"
#include "scene/read_tree.h"
#include "scene/source_text.h"
#include "scene/table_reader.h"

namespace knead {

namespace {

// A newer file may hold anything, so that its version is judged before the rest.
void check_format(const Node& root, const std::string& name) {
  const Node* format = root.find("format");
  if (!format || format->kind != Node::Kind::integer) return;
  if (format->integer > scene_format || format->integer < 1)
    fail(Exit::bad_input, "{}:{}:{}: format is {}; this program reads scene files with format = 1{}", name,
         format->place.line, format->place.column, format->integer,
         scene_format > 1 ? fmt::format(" to {}", scene_format) : "");
}

// Vectors are read by the dimension, which must be known before.
int find_dimension(const Node& root) {
  const Node* scene = root.find("scene");
  const Node* dimension = scene ? scene->find("dimension") : nullptr;
  return dimension && dimension->kind == Node::Kind::integer && dimension->integer == 2 ? 2 : 3;
}

void read_materials(const Node& root, TableReader& reader, Mistakes& mistakes, Scene& scene) {
  const Node* materials = root.find("materials");
  if (!materials) return;
  if (materials->kind != Node::Kind::table)
    return mistakes.add(materials->place, "materials", "materials must be tables, each headed [materials.NAME]");
  for (const Entry& e : materials->entries) {
    MaterialEntry& entry = scene.materials.emplace_back();
    entry.name = e.key;
    const std::string path = "materials." + e.key;
    const std::optional<Node> material = with_preset(e.value, path, mistakes);
    if (!material) continue;
    reader.read_one_of(*material, Material::alternatives(), &entry.material, path);
    for (const std::string& problem : problems_of(entry.material))
      mistakes.add(e.place, path, fmt::format("{}: {}", path, problem));
    prepare(entry.material);
  }
}

// Where the parts stand that are found odd only when the world is built.
void note_places(Scene& scene, const Node& root, const Mistakes& mistakes) {
  const auto note = [&](const std::string& path) { scene.places[path] = mistakes.where(place_at(root, path)); };
  for (const char* path : {"solver.dt", "solver.dx", "output"}) note(path);
  const auto note_all = [&](const char* section, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) note(fmt::format("{}.{}", section, i));
  };
  note_all("body", scene.bodies.size()), note_all("grip", scene.grips.size()), note_all("event", scene.events.size());
}

}  // namespace

Scene read_scene_text(std::string_view text, const std::string& name, const std::filesystem::path& folder,
                      const std::vector<std::string>& sets, const FurtherCheck& further) {
  Node root = parse_toml(checked_text(text, name), name);
  if (root.entries.empty())
    fail(Exit::bad_input,
         "{}: empty scene; a scene needs [solver], [materials.NAME] and [[body]] (see: knead help scene)", name);
  apply_quality(root, name, sets);
  for (const std::string& set : sets) apply_override(root, set);
  return read_scene_tree(root, name, folder, further);
}

Scene read_scene_tree(const Node& root, const std::string& name, const std::filesystem::path& folder,
                      const FurtherCheck& further) {
  check_format(root, name);
  Mistakes mistakes(name);
  TableReader reader(mistakes, find_dimension(root));
  Scene scene;
  scene.folder = folder;
  reader.read_struct(root, Scene::table(), &scene, "", {"materials", "quality", "qualities"});
  if (!root.find("body") && !root.find("source"))
    mistakes.add(root.place, "body", "[[body]] is missing; it describes a piece of matter");
  read_materials(root, reader, mistakes, scene);
  if (scene.scene.name.empty()) scene.scene.name = std::filesystem::path(name).stem().string();
  check_scene(scene, root, mistakes);
  if (further)
    for (const auto& [path, what] : further(scene, [&](std::string_view path) { return mistakes.sound(path); }))
      mistakes.add(place_at(root, path), path, what);
  mistakes.report();
  scene.warnings = mistakes.warnings();
  note_places(scene, root, mistakes);
  return scene;
}

Scene read_scene(const std::filesystem::path& file, const std::vector<std::string>& sets, const FurtherCheck& further) {
  return read_scene_text(read_source(file), file.string(), file.parent_path(), sets, further);
}

}  // namespace knead
