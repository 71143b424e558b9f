#include "scene/value_text.h"

#include <fmt/format.h>

#include <cmath>

namespace knead {

CurrentAlternative current(const OneOf& one_of, void* object) {
  for (const Alternative& a : one_of.alternatives)
    if (void* o = a.get(object)) return {a.table, o};
  return {};
}

std::string quoted_text(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      out += '\\', out += c;
    else if (c == '\n')
      out += "\\n";
    else if (c == '\t')
      out += "\\t";
    else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F)
      out += fmt::format("\\u{:04X}", static_cast<int>(c));
    else
      out += c;
  }
  return out + "\"";
}

std::string key_text(std::string_view key) {
  for (const char c : key)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '_' && c != '-') return quoted_text(key);
  return key.empty() ? "\"\"" : std::string(key);
}

std::string number_text(double value) {
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".en") == std::string::npos) text += ".0";
  return text;
}

void* value_of(const Field& field, void* object) { return field.type.value(field.at(object)); }

namespace {

// In 2D a vector has two numbers, unless it turns or colours.
std::string vector_text(const Field& field, const Vec3d& v, const ValueStyle& style) {
  const bool flat = style.dimension == 2 && field.unit != "rad" && field.unit != "rad/s" && field.name != "color";
  std::string text = fmt::format("[{}, {}", number_text(v[0]), number_text(v[1]));
  if (!flat) text += ", " + number_text(v[2]);
  return text + "]";
}

std::string formula_text(const Field& field, const Formula& f, const ValueStyle& style) {
  if (f.is_constant()) return vector_text(field, {f[0], f[1], f[2]}, style);
  std::string text;
  for (int a = 0; a < 3; ++a) text += (a ? ", " : "[") + (f.is_number(a) ? number_text(f[a]) : quoted_text(f.text(a)));
  return text + "]";
}

std::string settings_text(const Settings& settings) {
  std::string text;
  for (const auto& [key, value] : settings.entries)
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", key_text(key), value);
  return text.empty() ? "{}" : "{ " + text + " }";
}

std::string fields_text(const Table& table, void* object, const ValueStyle& style, std::string text) {
  for (const Field& f : table.fields) {
    void* value = value_of(f, object);
    if (!value) continue;
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", f.name, member_text(f, value, style));
  }
  return text.empty() ? "{}" : "{ " + text + " }";
}

// The fields whose text names a file.
bool names_file(const Field& f) { return f.name == "file" || f.name == "points" || f.name == "cells_file"; }

}  // namespace

std::string item_text(const Field& field, void* value, const ValueStyle& style) {
  switch (field.type.kind) {
    case Kind::number:
      return number_text(*static_cast<double*>(value));
    case Kind::integer:
      return field.type.wide ? fmt::format("{}", *static_cast<std::int64_t*>(value))
                             : fmt::format("{}", *static_cast<int*>(value));
    case Kind::boolean:
      return *static_cast<bool*>(value) ? "true" : "false";
    case Kind::text: {
      const std::string& text = *static_cast<std::string*>(value);
      return quoted_text(names_file(field) && style.path_text && !text.empty() ? style.path_text(text) : text);
    }
    case Kind::vector:
      return vector_text(field, *static_cast<Vec3d*>(value), style);
    case Kind::formula:
      return formula_text(field, *static_cast<Formula*>(value), style);
    case Kind::settings:
      return settings_text(*static_cast<Settings*>(value));
    case Kind::choice:
      return quoted_text(field.type.choices[static_cast<std::size_t>(field.type.get_choice(value))]);
    case Kind::table:
      return fields_text(field.type.table(), value, style, "");
    case Kind::one_of: {
      const OneOf& one_of = field.type.one_of();
      const auto [table, object] = current(one_of, value);
      return fields_text(*table, object, style, fmt::format("{} = {}", one_of.tag, quoted_text(table->name)));
    }
  }
  return "";
}

std::string member_text(const Field& field, void* value, const ValueStyle& style) {
  if (!field.type.list) return item_text(field, value, style);
  std::string text;
  for (std::size_t i = 0; i < field.type.count(value); ++i)
    text += (i ? ", " : "") + item_text(field, field.type.item(value, i), style);
  return "[" + text + "]";
}

}  // namespace knead
