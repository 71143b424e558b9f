#include "scene/topics.h"

#include "scene/shape_words.h"
#include "scene/table_reader.h"
#include "scene/value_text.h"

#include <algorithm>

namespace knead {

namespace {

bool known(const std::vector<Topic>& list, const Table* table, const OneOf* one_of) {
  return std::any_of(list.begin(), list.end(), [&](const Topic& t) { return t.table == table && t.one_of == one_of; });
}

void add_one_of(std::vector<Topic>& list, const std::string& name, const std::string& heading, const OneOf& one_of);

// The tables that a table's fields lead to, each once.
void add_parts(std::vector<Topic>& list, const Table& table, const std::string& path) {
  for (const Field& f : table.fields) {
    const std::string inner = path.empty() ? f.name : path + "." + f.name;
    const bool section = path.empty();
    if (f.type.kind == Kind::table && !known(list, &f.type.table(), nullptr)) {
      const std::string heading = !section      ? f.name + " = { ... }"
                                  : f.type.list ? "[[" + f.name + "]]"
                                                : "[" + f.name + "]";
      list.push_back({f.name, heading, &f.type.table()});
      add_parts(list, f.type.table(), inner);
      if (section && f.name == "solver") add_one_of(list, "materials", "[materials.NAME]", Material::alternatives());
    }
    if (f.type.kind == Kind::one_of) add_one_of(list, f.type.one_of().name + "s", "Shapes", f.type.one_of());
  }
}

void add_one_of(std::vector<Topic>& list, const std::string& name, const std::string& heading, const OneOf& one_of) {
  if (known(list, nullptr, &one_of)) return;
  list.push_back({name, heading, nullptr, &one_of});
  for (const Alternative& a : one_of.alternatives)
    list.push_back({a.table->name, fmt::format("{} = \"{}\"", one_of.tag, a.table->name), a.table, nullptr, &one_of});
  for (const Alternative& a : one_of.alternatives) add_parts(list, *a.table, name);
}

// An object of a union holds one of its alternatives; fields of other tables lie in a default scene.
struct Defaults {
  Scene scene;
  Material material;
  Shape shape;
  Body body;
  Collider collider;
  Expect expect;
  Domain domain;
  Keyframe keyframe;
  Grip grip;
  Event event;
  Probe probe;
  Source source;
  Drain drain;
  Explosion explosion;
  InitialStress stress;
};

void* find_in(const Table& table, void* object, const Table* wanted) {
  if (&table == wanted) return object;
  for (const Field& f : table.fields) {
    if (f.type.kind != Kind::table || f.type.list || f.type.optional) continue;
    if (void* found = find_in(f.type.table(), value_of(f, object), wanted)) return found;
  }
  return nullptr;
}

void* default_object(Defaults& d, const Topic& topic) {
  if (topic.part_of) {
    void* holder = topic.part_of == &Material::alternatives() ? static_cast<void*>(&d.material) : &d.shape;
    for (const Alternative& a : topic.part_of->alternatives)
      if (a.table == topic.table) return a.emplace(holder);
  }
  const std::pair<const Table*, void*> roots[] = {
      {&Scene::table(), &d.scene},
      {&Body::table(), &d.body},
      {&Collider::table(), &d.collider},
      {&Expect::table(), &d.expect},
      {&Domain::table(), &d.domain},
      {&Keyframe::table(), &d.keyframe},
      {&Grip::table(), &d.grip},
      {&Event::table(), &d.event},
      {&Probe::table(), &d.probe},
      {&Source::table(), &d.source},
      {&Drain::table(), &d.drain},
      {&Explosion::table(), &d.explosion},
      {&InitialStress::table(), &d.stress},
  };
  for (const auto& [table, object] : roots)
    if (void* found = find_in(*table, object, topic.table)) return found;
  return nullptr;
}

}  // namespace

const std::vector<Topic>& topics() {
  static const std::vector<Topic> list = [] {
    std::vector<Topic> l;
    add_parts(l, Scene::table(), "");
    return l;
  }();
  return list;
}

std::string type_words(const Field& field) {
  static constexpr const char* one[] = {"number", "integer", "true or false",         "text", "vector", "choice",
                                        "table",  "shape",   "vector or expressions", "table"};
  static constexpr const char* many[] = {"numbers", "integers", "true or false", "texts",   "vectors",
                                         "choices", "tables",   "shapes",        "vectors", "tables"};
  const auto kind = static_cast<std::size_t>(field.type.kind);
  const std::string word = field.type.list ? std::string("list of ") + many[kind] : one[kind];
  return field.unit.empty() || field.type.kind == Kind::text ? word : word + " [" + field.unit + "]";
}

std::string default_words(const Field& field, void* object) {
  if (field.required) return "required";
  void* value = object ? value_of(field, object) : nullptr;
  const bool table =
      field.type.kind == Kind::table || field.type.kind == Kind::one_of || field.type.kind == Kind::settings;
  if (!value || table) return "-";
  const std::string text = member_text(field, value, {});
  return text == "\"\"" || text == "[]" ? "-" : text;
}

void for_each_field(const Topic& topic, const std::function<void(const Field&, void*)>& f) {
  if (!topic.table) return;
  Defaults defaults;
  void* object = default_object(defaults, topic);
  for (const Field& field : topic.table->fields) f(field, object);
  if (topic.part_of != &Shape::alternatives()) return;
  ShapeWords none;
  for (const Field* field : further_fields(*topic.table)) f(*field, &none);
}

std::string full_doc(const Field& field) {
  std::string doc = field.doc;
  if (field.type.kind == Kind::choice) {
    std::string all;
    for (const char* c : field.type.choices) all += (all.empty() ? "" : ", ") + std::string(c);
    doc += " One of: " + all + ".";
  }
  if (!field.variables.empty()) {
    std::string all;
    for (const std::string& v : field.variables) all += (all.empty() ? "" : ", ") + v;
    doc += " Expressions may use " + all + ", in SI units.";
  }
  const std::string range = range_words(field.range, field.unit);
  if (!range.empty()) doc += " Must be " + range + (field.range.why.empty() ? "." : ": " + field.range.why + ".");
  return doc;
}

}  // namespace knead
