#include "view/panel_json.h"

#include "scene/value_text.h"

#include <fmt/format.h>

#include <cmath>

namespace knead {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* next_frame = "next frame";
constexpr const char* after_restart = "after restart";

const char* name_of(Kind kind) {
  constexpr const char* names[] = {"number", "integer", "boolean", "text",    "vector",
                                   "choice", "table",   "one of",  "formula", "settings"};
  return names[std::size_t(kind)];
}

class Walk {
 public:
  Walk(const char* acts, int dimension) : acts_(acts), style_{dimension, {}} {}
  Json fields = Json::array();

  void table(const Table& t, void* object, const std::string& path) {
    for (const Field& f : t.fields) field(f, object, path + "." + f.name);
  }

 private:
  void field(const Field& f, void* object, const std::string& path) {
    void* value = value_of(f, object);
    const Kind kind = f.type.kind;
    if (value && !f.type.list && kind == Kind::table) return table(f.type.table(), value, path);
    if (value && !f.type.list && kind == Kind::one_of) {
      const auto [inner, current_object] = current(f.type.one_of(), value);
      if (!inner) return;
      return table(*inner, current_object, path);
    }
    Json json{{"path", path},
              {"unit", f.unit},
              {"doc", f.doc},
              {"kind", f.type.list || kind == Kind::table || kind == Kind::one_of ? "other" : name_of(kind)},
              {"text", value ? Json(member_text(f, value, style_)) : Json(nullptr)},
              {"acts", acts_}};
    const Range& range = f.range;
    if (std::isfinite(range.low)) json["low"] = range.low, json["low_open"] = range.low_open;
    if (std::isfinite(range.high)) json["high"] = range.high, json["high_open"] = range.high_open;
    if (!range.why.empty()) json["why"] = range.why;
    if (kind == Kind::choice)
      for (const char* choice : f.type.choices) json["choices"].push_back(choice);
    fields.push_back(std::move(json));
  }
  const char* acts_;
  TextStyle style_;
};

}  // namespace

// Tables give access to members of a struct that they may also change: they get a copy.
Json panel_json(const Scene& original, double time) {
  Scene scene = resolved(original);
  for (const Event& e : scene.events_in_order())
    if (e.time <= time && e.changed && e.material_index >= 0)
      scene.materials[std::size_t(e.material_index)].material = *e.changed;
  const int dimension = scene.scene.dimension;
  Json sections = Json::array();
  const auto add = [&](const std::string& title, const std::string& doc, const char* acts, const Table& t, void* object,
                       const std::string& path) {
    Walk walk(acts, dimension);
    walk.table(t, object, path);
    sections.push_back({{"title", title}, {"path", path}, {"doc", doc}, {"fields", walk.fields}});
  };
  for (MaterialEntry& m : scene.materials) {
    const auto [t, object] = current(Material::alternatives(), &m.material);
    if (t)
      add("material " + m.name + " (" + t->name + ")", t->doc, next_frame, *t, object, "materials." + key_text(m.name));
  }
  for (const Field& f : Scene::table().fields) {
    void* value = value_of(f, &scene);
    if (!value || f.type.kind != Kind::table) continue;
    const Table& t = f.type.table();
    if (!f.type.list) {
      add(f.name, t.doc, after_restart, t, value, f.name);
      continue;
    }
    for (std::size_t i = 0; i < f.type.count(value); ++i) {
      void* item = f.type.item(value, i);
      std::string name = fmt::format("{}", i + 1);
      for (const Field& inner : t.fields)
        if (inner.name == "name" && inner.type.kind == Kind::text)
          if (const auto* own = static_cast<const std::string*>(value_of(inner, item)); own && !own->empty())
            name = *own;
      add(f.name + " " + name, t.doc, after_restart, t, item, fmt::format("{}.{}", f.name, i));
    }
  }
  return sections;
}

}  // namespace knead
