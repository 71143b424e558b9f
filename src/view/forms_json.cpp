#include "view/forms_json.h"

#include "material/presets.h"
#include "scene/scene.h"
#include "scene/value_text.h"
#include "view/edits.h"
#include "view/field_rows.h"

namespace knead {

namespace {

using Json = nlohmann::ordered_json;

// Of a struct with its defaults, which is not part of a scene yet.
Json fields_of(const Table& table, void* object, int dimension) {
  FieldRows rows(dimension, [](const std::string&) { return name_of(Acts::after_restart); });
  rows.add(table, object, "");
  return rows.take();
}

template <class U>
Json variants_of(int dimension) {
  const OneOf& one_of = U::alternatives();
  Json all = Json::array();
  U holder;
  for (const Alternative& a : one_of.alternatives)
    all.push_back({{"name", a.table->name},
                   {"tag", one_of.tag},
                   {"doc", a.table->doc},
                   {"fields", fields_of(*a.table, a.emplace(&holder), dimension)}});
  return all;
}

}  // namespace

Json forms_json(int dimension) {
  Json variants{{Shape::alternatives().name, variants_of<Shape>(dimension)},
                {Material::alternatives().name, variants_of<Material>(dimension)}};
  Json lists = Json::object(), named = Json::array();
  Scene scene;
  for (const Field& f : Scene::table().fields) {
    if (!f.type.list || f.type.kind != Kind::table) continue;
    void* item = f.type.append(value_of(f, &scene));
    lists[f.name] = {{"doc", f.type.table().doc}, {"fields", fields_of(f.type.table(), item, dimension)}};
  }
  for (const Preset& p : presets()) named.push_back({{"name", p.name}, {"model", p.model}, {"doc", p.doc}});
  return {{"variants", variants}, {"lists", lists}, {"presets", named}};
}

}  // namespace knead
