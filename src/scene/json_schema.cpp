#include "material/presets.h"
#include "scene/help.h"
#include "scene/topics.h"
#include "scene/value_text.h"

#include <nlohmann/json.hpp>

#include <cmath>

namespace knead {

namespace {

using Json = nlohmann::ordered_json;

std::string reference(const Table& table) { return "#/$defs/" + table.name; }

void add_range(Json& j, const Range& r) {
  if (std::isfinite(r.low)) j[r.low_open ? "exclusiveMinimum" : "minimum"] = r.low;
  if (std::isfinite(r.high)) j[r.high_open ? "exclusiveMaximum" : "maximum"] = r.high;
}

// A number, or a text with a unit.
Json number_schema(const Field& field) {
  Json number = {{"type", "number"}};
  add_range(number, field.range);
  if (field.unit.empty()) return {{"anyOf", Json::array({number, {{"type", "string"}, {"pattern", "^ *[-+0-9.]"}}})}};
  return {
      {"anyOf",
       Json::array({number, {{"type", "string"}, {"pattern", "^ *[-+0-9.]"}, {"description", "in " + field.unit}}})}};
}

Json names_schema(std::span<const char* const> names) {
  Json choices = Json::array();
  for (const char* n : names) choices.push_back(n);
  return {{"enum", choices}};
}

// A place or a direction in 2D is two numbers; a colour is three.
Json vector_schema(const Field& field) {
  const int least = field.name == "color" ? 3 : 2;
  Json list = {{"type", "array"}, {"items", number_schema(field)}, {"minItems", least}, {"maxItems", 3}};
  if (field.unit != "rad" && field.unit != "rad/s") return list;
  return {{"anyOf", Json::array({list, number_schema(field)})}};
}

// Numbers, texts with units and expressions.
Json formula_schema() {
  const Json item = {{"anyOf", Json::array({{{"type", "number"}}, {{"type", "string"}}})}};
  const Json list = {{"type", "array"}, {"items", item}, {"minItems", 2}, {"maxItems", 3}};
  return {{"anyOf", Json::array({list, item})}};
}

Json item_schema(const Field& field) {
  switch (field.type.kind) {
    case Kind::number:
      return number_schema(field);
    case Kind::integer: {
      Json j = {{"type", "integer"}};
      add_range(j, field.range);
      return j;
    }
    case Kind::boolean:
      return {{"type", "boolean"}};
    case Kind::text:
      return {{"type", "string"}};
    case Kind::vector:
      return vector_schema(field);
    case Kind::formula:
      return formula_schema();
    case Kind::settings:
      return {{"type", "object"}};
    case Kind::choice:
      return names_schema(field.type.choices);
    case Kind::table:
      return {{"$ref", reference(field.type.table())}};
    case Kind::one_of:
      return {{"$ref", "#/$defs/" + field.type.one_of().name}};
  }
  return {};
}

Json field_schema(const Field& field) {
  Json j = field.type.list ? Json{{"type", "array"}, {"items", item_schema(field)}} : item_schema(field);
  j["description"] = full_doc(field);
  return j;
}

Json table_schema(const Topic& topic) {
  Json properties = Json::object(), required = Json::array();
  if (topic.part_of) {
    Json names = Json::array({topic.table->name});
    for (const std::string& a : topic.table->aliases) names.push_back(a);
    properties[topic.part_of->tag] = {{"enum", names}};
    required.push_back(topic.part_of->tag);
  }
  for_each_field(topic, [&](const Field& f, void*) {
    properties[f.name] = field_schema(f);
    if (f.required) required.push_back(f.name);
  });
  Json j = {{"type", "object"}, {"description", topic.table->doc}, {"properties", properties}};
  if (!required.empty()) j["required"] = required;
  j["additionalProperties"] = false;
  return j;
}

Json one_of_schema(const OneOf& one_of) {
  Json choices = Json::array();
  for (const Alternative& a : one_of.alternatives) choices.push_back({{"$ref", reference(*a.table)}});
  return {{"description", one_of.doc}, {"oneOf", choices}};
}

}  // namespace

std::string json_schema() {
  Json definitions = Json::object();
  for (const Topic& t : topics()) {
    if (t.one_of)
      definitions[t.one_of->name] = one_of_schema(*t.one_of);
    else
      definitions[t.table->name] = table_schema(t);
  }
  // Texts that the checks hold to a list.
  definitions[Camera::table().name]["properties"]["colormap"].update(names_schema(camera_colormaps()));
  definitions[Output::table().name]["properties"]["formats"]["items"] = names_schema(output_formats());
  Topic root{"scene file", "", &Scene::table()};
  Json j = {{"$schema", "https://json-schema.org/draft/2020-12/schema"}, {"title", "Knead scene"}};
  j.update(table_schema(root));
  j["properties"]["format"] = {{"const", scene_format}};
  // A material is a model with its keys, or a preset with any of its model's.
  Json names = Json::array();
  for (const Preset& p : presets()) names.push_back(p.name);
  definitions["preset"] = {{"type", "object"},
                           {"description", "A material by the name of a real substance."},
                           {"properties", {{"preset", {{"enum", names}}}}},
                           {"required", {"preset"}}};
  j["properties"]["materials"] = {{"type", "object"},
                                  {"minProperties", 1},
                                  {"additionalProperties",
                                   {{"anyOf", Json::array({{{"$ref", "#/$defs/" + Material::alternatives().name}},
                                                           {{"$ref", "#/$defs/preset"}}})}}}};
  j["required"].push_back("materials");
  j["properties"]["quality"] = {{"type", "string"}, {"description", "Name of a table [qualities.NAME] to apply."}};
  j["properties"]["qualities"] = {{"type", "object"},
                                  {"description", "Values by path, with names of your choice."},
                                  {"additionalProperties", {{"type", "object"}}}};
  j["$defs"] = definitions;
  return j.dump(2);
}

}  // namespace knead
