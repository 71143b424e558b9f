// The values of a struct as rows that the page makes inputs of, from the tables that the scene's reader is made from.
#pragma once

#include "base/table.h"

#include <nlohmann/json.hpp>

#include <functional>

namespace knead {

// One row a value, those of parts behind the part they belong to: {"path" as for --set, "level" how deep, "unit",
// "doc", "kind", "text" as TOML or null where it is not given, "low", "high", "choices", "required", "acts"}.
//
// Kinds: number, integer, boolean, text, vector, choice, formula, settings; "values" is a list of these, as one text;
// "part" a table that may be left out, "variant" a union, whose text is the name of what it is; "list" one of tables or
// unions, and "item" a table in it; these have all of it as "toml". What can be taken away has "optional".
class FieldRows {
 public:
  using ActsOf = std::function<const char*(const std::string& path)>;
  FieldRows(int dimension, ActsOf acts_of) : dimension_(dimension), acts_of_(std::move(acts_of)) {}

  // `path` is that of the struct, empty for one that is not part of a scene yet.
  void add(const Table& table, void* object, const std::string& path, int level = 0);
  nlohmann::ordered_json take() { return std::move(rows_); }

 private:
  using Json = nlohmann::ordered_json;
  Json row(const Field& field, const std::string& path, int level, const char* kind) const;
  void add_field(const Field& field, void* object, const std::string& path, int level);
  void add_variant(const Field& field, void* value, const std::string& path, int level, bool optional);
  void add_list(const Field& field, void* list, const std::string& path, int level);

  int dimension_;
  ActsOf acts_of_;
  Json rows_ = Json::array();
};

}  // namespace knead
