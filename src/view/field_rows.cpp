#include "view/field_rows.h"

#include "scene/topics.h"
#include "scene/value_text.h"

#include <fmt/format.h>

#include <cmath>

namespace knead {

namespace {

const char* name_of(Kind kind) {
  constexpr const char* names[] = {"number", "integer", "boolean", "text",    "vector",
                                   "choice", "part",    "variant", "formula", "settings"};
  return names[std::size_t(kind)];
}

}  // namespace

void FieldRows::add(const Table& table, void* object, const std::string& path, int level) {
  for (const Field& f : table.fields) add_field(f, object, path.empty() ? f.name : path + "." + f.name, level);
}

FieldRows::Json FieldRows::row(const Field& f, const std::string& path, int level, const char* kind) const {
  Json json{{"path", path},           {"level", level},        {"unit", f.type.kind == Kind::text ? "" : f.unit},
            {"doc", full_doc(f)},     {"kind", kind},          {"text", nullptr},
            {"acts", acts_of_(path)}, {"required", f.required}};
  const Range& range = f.range;
  if (std::isfinite(range.low)) json["low"] = range.low, json["low_open"] = range.low_open;
  if (std::isfinite(range.high)) json["high"] = range.high, json["high_open"] = range.high_open;
  for (const char* choice : f.type.choices) json["choices"].push_back(choice);
  if (f.type.kind == Kind::one_of)
    for (const Alternative& a : f.type.one_of().alternatives) json["choices"].push_back(a.table->name);
  return json;
}

void FieldRows::add_field(const Field& f, void* object, const std::string& path, int level) {
  void* value = value_of(f, object);
  const Kind kind = f.type.kind;
  const bool tables = kind == Kind::table || kind == Kind::one_of;
  if (f.type.list && tables) return add_list(f, value, path, level);
  if (kind == Kind::one_of) return add_variant(f, value, path, level, f.type.optional);
  if (kind == Kind::table && !f.type.optional) return add(f.type.table(), value, path, level);
  Json json = row(f, path, level, f.type.list ? "values" : name_of(kind));
  json["optional"] = f.type.optional;
  if (kind == Kind::table) {
    if (value) json["text"] = f.type.table().name, json["toml"] = item_text(f, value, {dimension_, {}});
    rows_.push_back(std::move(json));
    if (value) add(f.type.table(), value, path, level + 1);
    return;
  }
  if (value) json["text"] = member_text(f, value, {dimension_, {}});
  rows_.push_back(std::move(json));
}

void FieldRows::add_variant(const Field& f, void* value, const std::string& path, int level, bool optional) {
  Json json = row(f, path, level, "variant");
  json["optional"] = optional;
  json["variant"] = f.type.one_of().name;
  const auto [table, object] = value ? current(f.type.one_of(), value) : CurrentAlternative{};
  if (table) json["text"] = table->name, json["toml"] = item_text(f, value, {dimension_, {}});
  rows_.push_back(std::move(json));
  if (table) add(*table, object, path, level + 1);
}

void FieldRows::add_list(const Field& f, void* list, const std::string& path, int level) {
  const bool unions = f.type.kind == Kind::one_of;
  const std::size_t count = list ? f.type.count(list) : 0;
  Json json = row(f, path, level, "list");
  json["text"] = fmt::format("{}", count);
  if (list) json["toml"] = member_text(f, list, {dimension_, {}});
  if (unions) json["variant"] = f.type.one_of().name;
  rows_.push_back(std::move(json));
  for (std::size_t i = 0; i < count; ++i) {
    const std::string inner = fmt::format("{}.{}", path, i);
    void* item = f.type.item(list, i);
    if (unions) {
      add_variant(f, item, inner, level + 1, true);
      continue;
    }
    Json one = row(f, inner, level + 1, "item");
    one["optional"] = true, one["text"] = f.type.table().name;
    one["toml"] = item_text(f, item, {dimension_, {}});
    rows_.push_back(std::move(one));
    add(f.type.table(), item, inner, level + 2);
  }
}

}  // namespace knead
