#include "view/forms_json.h"

#include "material/presets.h"
#include "scene/quantities.h"
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

// Lists of parts that only some methods have.
bool has_list(const Scene& scene, const std::string& name) {
  if (name == "grip") return scene.solver.traits().grips;
  const bool flows = name == "source" || name == "drain" || name == "explosion";
  return !flows || scene.solver.traits().inflow;
}

// Kinds of probes likewise.
void leave_out_losses(Json& fields) {
  for (Json& f : fields)
    if (f["path"] == "type")
      for (std::size_t i = f["choices"].size(); i-- > 0;)
        if (f["choices"][i] == "losses") f["choices"].erase(i);
}

}  // namespace

Json forms_json(const Scene& scene) {
  const int dimension = scene.scene.dimension;
  Json variants{{Shape::alternatives().name, variants_of<Shape>(dimension)},
                {Material::alternatives().name, variants_of<Material>(dimension)}};
  Json lists = Json::object(), named = Json::array();
  Scene empty;
  for (const Field& f : Scene::table().fields) {
    if (!f.type.list || f.type.kind != Kind::table || !has_list(scene, f.name)) continue;
    void* item = f.type.append(value_of(f, &empty));
    lists[f.name] = {{"doc", f.type.table().doc}, {"fields", fields_of(f.type.table(), item, dimension)}};
  }
  if (!scene.solver.traits().losses) leave_out_losses(lists["probe"]["fields"]);
  for (const Preset& p : presets()) named.push_back({{"name", p.name}, {"model", p.model}, {"doc", p.doc}});
  Json walls = Json::array();
  for (int axis = 0; scene.scene.domain && axis < dimension; ++axis)
    for (const bool high : {false, true}) walls.push_back(domain_wall_name(axis, high));
  return {{"variants", variants},
          {"lists", lists},
          {"presets", named},
          {"quantities", quantity_names(scene)},
          {"walls", walls}};
}

}  // namespace knead
