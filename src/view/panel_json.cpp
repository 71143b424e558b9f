#include "view/panel_json.h"

#include "scene/value_text.h"
#include "view/edits.h"
#include "view/field_rows.h"

#include <fmt/format.h>

#include <map>

namespace knead {

namespace {

using Json = nlohmann::ordered_json;

// Tables give access to members of a struct that they may also change: they get a copy.
class Panel {
 public:
  Panel(const Scene& scene, double time) : scene_(resolved(scene)) {
    scene_.scene.gravity = scene.gravity_at(time);
    for (const Event& e : scene_.events_in_order())
      if (e.time <= time && e.changed && e.material_index >= 0)
        scene_.materials[std::size_t(e.material_index)].material = *e.changed;
  }

  Json sections() {
    for (std::size_t i = 0; i < scene_.materials.size(); ++i) add_material(scene_.materials[i]);
    for (const Field& f : Scene::table().fields)
      if (f.type.kind == Kind::table) add_part(f, value_of(f, &scene_));
    return std::move(sections_);
  }

 private:
  void add(const std::string& title, const std::string& path, const Table& t, void* object, bool optional,
           const FieldRows::ActsOf& acts, Json first = Json::array()) {
    FieldRows rows(scene_.scene.dimension, acts);
    rows.add(t, object, path);
    for (Json& row : rows.take())
      if (is_of_method(row["path"])) first.push_back(std::move(row));
    sections_.push_back(
        {{"title", title}, {"path", path}, {"doc", t.doc}, {"optional", optional}, {"fields", std::move(first)}});
  }

  // Whether the scene's method looks at the value.
  bool is_of_method(const std::string& path) const {
    const char* own = scene_.solver.traits().parameters;
    return std::all_of(all_methods().begin(), all_methods().end(), [&](const MethodTraits& m) {
      return !m.parameters || !path.starts_with(m.parameters) || (own && path.starts_with(own));
    });
  }

  // Its parameters change by events, but for its density, since mass stays, and those of liquids; what law it is, with
  // a restart.
  void add_material(MaterialEntry& m) {
    const OneOf& laws = Material::alternatives();
    const auto [t, object] = current(laws, &m.material);
    const std::string path = "materials." + key_text(m.name);
    const Field whole{"", "", "", table_detail::member_type<Material>(), {}};
    Json law{{"path", path},
             {"level", 0},
             {"unit", ""},
             {"doc", laws.doc},
             {"kind", "variant"},
             {"text", t->name},
             {"toml", item_text(whole, &m.material, {scene_.scene.dimension, {}})},
             {"acts", name_of(Acts::after_restart)},
             {"required", true},
             {"optional", false},
             {"variant", laws.name}};
    for (const Alternative& a : laws.alternatives) law["choices"].push_back(a.table->name);
    const auto acts = [&](const std::string& inner) {
      const bool stays = inner.ends_with(".density") || !scene_.solver.traits().deformation;
      return name_of(stays ? Acts::after_restart : Acts::next_frame);
    };
    add("material " + m.name, path, *t, object, scene_.materials.size() > 1, acts, Json::array({law}));
  }

  void add_part(const Field& f, void* value) {
    const Table& t = f.type.table();
    const auto acts = [](const std::string& path) { return name_of(acts_of(path)); };
    if (!f.type.list) return add(f.name, f.name, t, value, false, acts);
    for (std::size_t i = 0; i < f.type.count(value); ++i) {
      void* item = f.type.item(value, i);
      add(title_of(f.name, t, item, i), fmt::format("{}.{}", f.name, i), t, item, true, acts);
    }
  }

  // "body ball"; what has no name is counted: "event 1".
  static std::string title_of(const std::string& list, const Table& t, void* item, std::size_t i) {
    for (const Field& f : t.fields)
      if (f.name == "name" && f.type.kind == Kind::text)
        if (const auto* own = static_cast<const std::string*>(value_of(f, item)); own && !own->empty())
          return list + " " + *own;
    return fmt::format("{} {}", list, i + 1);
  }

  Scene scene_;
  Json sections_ = Json::array();
};

}  // namespace

Json panel_json(const Scene& now, const Scene& next, double time) {
  Json sections = Panel(next, time).sections();
  if (&now == &next) return sections;
  std::map<std::string, Json> running;
  for (const Json& section : Panel(now, time).sections())
    for (const Json& row : section["fields"]) running[row["path"]] = row["text"];
  for (Json& section : sections)
    for (Json& row : section["fields"])
      if (const auto at = running.find(row["path"]); at == running.end() || at->second != row["text"])
        row["now"] = at == running.end() ? Json(nullptr) : at->second;
  return sections;
}

}  // namespace knead
