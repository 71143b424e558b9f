#include "scene/table_reader.h"

#include "scene/shape_words.h"
#include "scene/units.h"
#include "scene/value_text.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <numbers>

namespace knead {

namespace {

// Lists of tables longer than this would not fit in memory with what is made of them.
constexpr std::size_t most_tables = 100000;

std::string joined(const std::vector<std::string>& names) {
  std::string all;
  for (const std::string& n : names) all += (all.empty() ? "" : ", ") + n;
  return all;
}

std::string below(const std::string& path, const std::string& key) { return path.empty() ? key : path + "." + key; }

// Shortest, with a plain exponent for large and small ones: 1e6.
std::string compact(double value) {
  const double size = std::abs(value);
  if (size == 0 || (size >= 1e-4 && size < 1e5)) return fmt::format("{}", value);
  std::string text = fmt::format("{:e}", value);
  const std::size_t e = text.find('e');
  std::string digits = text.substr(0, e);
  while (digits.ends_with('0')) digits.pop_back();
  if (digits.ends_with('.')) digits.pop_back();
  if (std::strtod((digits + text.substr(e)).c_str(), nullptr) != value) return fmt::format("{}", value);
  return fmt::format("{}e{}", digits, std::atoi(text.c_str() + e + 1));
}

std::string with_unit(double value, const std::string& unit) {
  return unit.empty() ? compact(value) : compact(value) + " " + unit;
}

std::string number_words(const Field& field) {
  if (field.unit.empty()) return "a number";
  const std::string example = unit_example(field.unit);
  if (example.empty()) return fmt::format("a number in {}", field.unit);
  return fmt::format("a number in {}, or a text with a unit such as \"{}\"", field.unit, example);
}

// A section of the file as it is headed there, a key in quotes.
std::string heading(const Field& field, const std::string& path) {
  const bool section = path.empty() && field.type.kind == Kind::table;
  if (!section) return fmt::format("'{}'", field.name);
  return field.type.list ? fmt::format("[[{}]]", field.name) : fmt::format("[{}]", field.name);
}

// What a missing field is, in the words of its description, as the end of a sentence.
std::string what_it_is(const Field& field, const std::string& path) {
  std::string doc = field.doc;
  if (doc.size() > 1 && std::islower(static_cast<unsigned char>(doc[1])))
    doc[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(doc[0])));
  if (doc.ends_with('.')) doc.pop_back();
  return (path.empty() ? "; it gives the " : ": ") + doc;
}

// A plain number that would be right in degrees.
std::string in_degrees(const Node& node, const Field& field, double value) {
  const double turned = value * std::numbers::pi / 180;
  const bool fits = turned > field.range.low && turned < field.range.high;
  if (field.unit != "rad" || node.kind == Node::Kind::text || !fits) return "";
  return fmt::format("; plain numbers are radians: for degrees write \"{} deg\"", compact(value));
}

// Turning is about z in 2D, so that one number says it.
bool is_turning(const Field& field) { return field.unit == "rad" || field.unit == "rad/s"; }

}  // namespace

std::string unit_example(const std::string& unit) {
  static const std::pair<const char*, const char*> examples[] = {
      {"m", "2 cm"},       {"s", "0.5 ms"},    {"Pa", "140 kPa"},      {"rad", "30 deg"},
      {"rad/s", "60 rpm"}, {"m/s", "10 km/h"}, {"kg/m^3", "1 g/cm^3"}, {"m/s^2", "9.81 m/s^2"},
      {"kg", "200 g"},     {"1/s", "24 Hz"},   {"Pa s", "1 mPa s"},
  };
  for (const auto& [name, example] : examples)
    if (unit == name) return example;
  return "";
}

std::string range_words(const Range& r, const std::string& unit) {
  const bool low = std::isfinite(r.low), high = std::isfinite(r.high);
  const std::string after = unit.empty() ? "" : " " + unit;
  if (low && high && r.low_open && r.high_open)
    return fmt::format("in the open interval ({}, {}){}", compact(r.low), compact(r.high), after);
  if (low && high && (r.low_open || r.high_open))
    return fmt::format("in {}{}, {}{}{}", r.low_open ? '(' : '[', compact(r.low), compact(r.high),
                       r.high_open ? ')' : ']', after);
  if (low && high) return fmt::format("from {} to {}{}", compact(r.low), compact(r.high), after);
  if (low) return fmt::format("{} {}{}", r.low_open ? ">" : ">=", compact(r.low), after);
  if (high) return fmt::format("{} {}{}", r.high_open ? "<" : "<=", compact(r.high), after);
  return "";
}

void TableReader::wrong_type(const Node& node, const std::string& path, const std::string& expected) {
  mistakes_.add(node.place, path, fmt::format("{} is {}; it must be {}", path, kind_words(node), expected));
}

void TableReader::read_struct(const Node& node, const Table& table, void* object, const std::string& path,
                              const std::vector<std::string>& besides) {
  std::vector<std::string> known = besides;
  for (const Field& f : table.fields) known.push_back(f.name);
  const std::string where = path.empty() ? "" : " in " + path;
  for (const Entry& e : node.entries) {
    const auto field =
        std::find_if(table.fields.begin(), table.fields.end(), [&](const Field& f) { return f.name == e.key; });
    if (field != table.fields.end()) {
      read_field(e.value, *field, object, below(path, e.key));
    } else if (std::find(besides.begin(), besides.end(), e.key) == besides.end()) {
      const std::string near = did_you_mean(e.key, known);
      mistakes_.add(
          e.place, below(path, e.key),
          fmt::format("unknown key '{}'{}{}", e.key, where, near.empty() ? "; known keys are " + joined(known) : near));
    }
  }
  for (const Field& f : table.fields)
    if (f.required && !node.find(f.name))
      mistakes_.add(node.place, below(path, f.name),
                    fmt::format("{} is missing{}{}", heading(f, path), where, what_it_is(f, path)));
}

// With the words that shapes have besides the keys of their own.
void TableReader::read_shape(const Node& node, const Alternative& a, Shape& shape, const std::string& path) {
  std::vector<std::string> besides{Shape::alternatives().tag};
  Node further;
  further.kind = Node::Kind::table, further.place = node.place;
  for (const Field* f : further_fields(*a.table)) {
    besides.push_back(f->name);
    if (const Node* given = node.find(f->name)) further.entries.push_back({f->name, given->place, *given});
  }
  read_struct(node, *a.table, a.emplace(&shape), path, besides);
  for (const char* corner : {"min", "max"})
    for (const char* other : {"center", "size"})
      if (further.find(corner) && node.find(other))
        mistakes_.add(further.find(corner)->place, below(path, corner),
                      fmt::format("'{}' and '{}' in {} say the same; give one of them", corner, other, path));
  ShapeWords words;
  if (!further.entries.empty()) read_struct(further, ShapeWords::table(), &words, path);
  if (further.entries.empty() || !mistakes_.sound(path)) return;
  if (const std::string problem = apply(words, dimension_, shape); !problem.empty())
    mistakes_.add(node.place, path, fmt::format("{}: {}", path, problem));
}

void TableReader::read_one_of(const Node& node, const OneOf& one_of, void* object, const std::string& path) {
  std::vector<std::string> names, callable;
  for (const Alternative& a : one_of.alternatives) {
    names.push_back(a.table->name);
    callable.push_back(a.table->name);
    callable.insert(callable.end(), a.table->aliases.begin(), a.table->aliases.end());
  }
  if (node.kind != Node::Kind::table)
    return wrong_type(node, path, fmt::format("a table such as {{ {} = \"{}\", ... }}", one_of.tag, names[0]));
  const Node* tag = node.find(one_of.tag);
  if (!tag)
    return mistakes_.add(node.place, path,
                         fmt::format("'{}' is missing in {}; it is one of {}", one_of.tag, path, joined(names)));
  if (tag->kind != Node::Kind::text) return wrong_type(*tag, below(path, one_of.tag), "one of " + joined(names));
  for (const Alternative& a : one_of.alternatives) {
    const auto& aliases = a.table->aliases;
    if (a.table->name == tag->text || std::find(aliases.begin(), aliases.end(), tag->text) != aliases.end())
      return &one_of == &Shape::alternatives() ? read_shape(node, a, *static_cast<Shape*>(object), path)
                                               : read_struct(node, *a.table, a.emplace(object), path, {one_of.tag});
  }
  mistakes_.add(tag->place, below(path, one_of.tag),
                fmt::format("{} \"{}\" is unknown; it must be one of {}{}", below(path, one_of.tag), tag->text,
                            joined(names), did_you_mean(tag->text, callable)));
}

void TableReader::read_field(const Node& node, const Field& field, void* object, const std::string& path) {
  void* member = field.at(object);
  void* value = field.type.optional ? field.type.emplace(member) : field.type.value(member);
  if (field.type.list)
    read_list(node, field, value, path);
  else
    read_value(node, field, value, path);
}

void TableReader::read_list(const Node& node, const Field& field, void* list, const std::string& path) {
  const bool tables = field.type.kind == Kind::table || field.type.kind == Kind::one_of;
  if (node.kind == Node::Kind::table && tables && path.find('.') == std::string::npos)
    return wrong_type(node, path, fmt::format("a list of tables, each headed [[{}]]", path));
  if (node.kind != Node::Kind::array) return wrong_type(node, path, "a list");
  if (tables && node.items.size() > most_tables)
    return mistakes_.add(node.place, path,
                         fmt::format("{} has {} entries; at most {} are allowed", path, node.items.size(), most_tables),
                         Exit::resources);
  field.type.clear(list);
  for (std::size_t i = 0; i < node.items.size(); ++i)
    read_value(node.items[i], field, field.type.append(list), fmt::format("{}.{}", path, i));
}

void TableReader::read_value(const Node& node, const Field& field, void* value, const std::string& path) {
  switch (field.type.kind) {
    case Kind::number:
      if (read_number(node, field, *static_cast<double*>(value), path))
        check_range(node, field, *static_cast<double*>(value), path);
      return;
    case Kind::integer:
      return read_integer(node, field, value, path);
    case Kind::boolean:
      if (node.kind != Node::Kind::boolean) return wrong_type(node, path, "true or false");
      *static_cast<bool*>(value) = node.boolean;
      return;
    case Kind::text:
      return read_text(node, *static_cast<std::string*>(value), path);
    case Kind::vector:
      return read_vector(node, field, *static_cast<Vec3d*>(value), path);
    case Kind::formula:
      return read_formula(node, field, *static_cast<Formula*>(value), path);
    case Kind::settings:
      return read_settings(node, *static_cast<Settings*>(value), path);
    case Kind::choice:
      return read_choice(node, field, value, path);
    case Kind::table:
      if (node.kind != Node::Kind::table) return wrong_type(node, path, "a table");
      return read_struct(node, field.type.table(), value, path);
    case Kind::one_of:
      return read_one_of(node, field.type.one_of(), value, path);
  }
}

bool TableReader::read_number(const Node& node, const Field& field, double& value, const std::string& path) {
  if (node.kind == Node::Kind::integer) return value = static_cast<double>(node.integer), true;
  if (node.kind == Node::Kind::text) {
    const ValueWithUnit q = parse_quantity_in(node.text, field.unit);
    if (q.problem.empty()) return value = q.value, true;
    mistakes_.add(node.place, path, fmt::format("{}: {}; it must be {}", path, q.problem, number_words(field)));
    return false;
  }
  if (node.kind != Node::Kind::real) return wrong_type(node, path, number_words(field)), false;
  if (!std::isfinite(node.real)) {
    mistakes_.add(node.place, path, fmt::format("{} is {}; it must be a finite number", path, node.real));
    return false;
  }
  return value = node.real, true;
}

void TableReader::read_integer(const Node& node, const Field& field, void* value, const std::string& path) {
  if (node.kind != Node::Kind::integer) return wrong_type(node, path, "an integer");
  check_range(node, field, static_cast<double>(node.integer), path);
  if (field.type.wide)
    *static_cast<std::int64_t*>(value) = node.integer;
  else if (node.integer >= std::numeric_limits<int>::min() && node.integer <= std::numeric_limits<int>::max())
    *static_cast<int*>(value) = static_cast<int>(node.integer);
  else if (range_words(field.range, "").empty())
    mistakes_.add(node.place, path, fmt::format("{} is {}; it is out of range", path, node.integer));
}

void TableReader::read_vector(const Node& node, const Field& field, Vec3d& value, const std::string& path) {
  const bool flat = dimension_ == 2;
  const bool outline = field.name == "points";  // of a polygon, in the plane of x and y
  const std::string count = (flat && field.name != "color") || outline ? "two numbers" : "three numbers";
  if (flat && is_turning(field) && node.kind != Node::Kind::array) {
    value = Vec3d::zero();
    if (read_number(node, field, value[2], path)) check_range(node, field, value[2], path);
    return;
  }
  const std::size_t least = count == "two numbers" ? 2 : 3;
  if (node.kind != Node::Kind::array || node.items.size() < least || node.items.size() > 3) {
    const std::string found =
        node.kind == Node::Kind::array ? fmt::format("a list of {}", node.items.size()) : kind_words(node);
    return mistakes_.add(node.place, path,
                         fmt::format("{} is {}; it must be a list of {}{}", path, found, count,
                                     field.unit.empty() ? "" : " in " + field.unit));
  }
  const double usual_z = value[2];
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    const std::string item = fmt::format("{}.{}", path, i);
    if (read_number(node.items[i], field, value[static_cast<int>(i)], item))
      check_range(node.items[i], field, value[static_cast<int>(i)], item);
  }
  if (flat && node.items.size() == 3 && field.name != "color") check_flat(node, field, value, usual_z, path);
}

// A vector as above, or one with expressions among its components.
void TableReader::read_formula(const Node& node, const Field& field, Formula& value, const std::string& path) {
  value.place = mistakes_.where(node.place);
  const auto is_text = [](const Node& n) { return n.kind == Node::Kind::text; };
  const bool in_plane = dimension_ == 2 && is_turning(field) && is_text(node);  // about z
  if (in_plane) return read_component(node, field, value, 2, path);
  const bool texts = std::any_of(node.items.begin(), node.items.end(), is_text);
  const std::size_t least = dimension_ == 2 && !is_turning(field) ? 2 : 3;
  if (!texts || node.items.size() < least || node.items.size() > 3) {
    Vec3d numbers{};
    read_vector(node, field, numbers, path);
    for (int a = 0; a < 3; ++a) value.set(a, numbers[a]);
    return;
  }
  for (std::size_t i = 0; i < node.items.size(); ++i)
    read_component(node.items[i], field, value, static_cast<int>(i), fmt::format("{}.{}", path, i));
  if (dimension_ != 2) return;
  Vec3d numbers{};
  for (int a = 0; a < 3; ++a) numbers[a] = value.is_number(a) ? value[a] : 1;
  if (is_turning(field) ? numbers[0] != 0 || numbers[1] != 0 : numbers[2] != 0)
    check_flat(node, field, numbers, 0, path);
}

void TableReader::read_component(const Node& node, const Field& field, Formula& value, int axis,
                                 const std::string& path) {
  // "2 t" is two tonnes and "2/t" is an expression of t: what is wanted goes first.
  const bool text = node.kind == Node::Kind::text;
  std::string problem;
  if (text && !parse_quantity_in(node.text, field.unit).problem.empty()) try {
      return value.set(axis, node.text, field.variables);
    } catch (const Failure& failure) {
      problem = failure.what();
    }
  if (problem.empty() || parse_quantity(node.text).problem.empty()) {
    double number = 0;
    if (!read_number(node, field, number, path)) return;
    check_range(node, field, number, path);
    value.set(axis, number);
  } else {
    mistakes_.add(node.place, path,
                  fmt::format("{}: {}; it must be {}, or an expression of {}", path, problem, number_words(field),
                              joined(field.variables)));
  }
}

// In 2D a position, velocity or direction has no third component. What is 1 by default (sizes) may have any.
void TableReader::check_flat(const Node& node, const Field& field, const Vec3d& value, double usual_z,
                             const std::string& path) {
  if (is_turning(field)) {
    if (value[0] != 0 || value[1] != 0)
      mistakes_.add(node.place, path,
                    fmt::format("{} turns out of the plane; in 2D only its third number may differ from 0", path));
  } else if (usual_z == 0 && value[2] != 0) {
    mistakes_.add(node.place, path,
                  fmt::format("{} leaves the plane; in 2D its third number must be 0 or left out", path));
  }
}

// Single values only; what the keys mean is checked by who knows.
void TableReader::read_settings(const Node& node, Settings& value, const std::string& path) {
  if (node.kind != Node::Kind::table) return wrong_type(node, path, "a table such as { young = 1e5 }");
  for (const Entry& e : node.entries) {
    const Node& v = e.value;
    std::string text;
    if (v.kind == Node::Kind::integer) text = fmt::format("{}", v.integer);
    if (v.kind == Node::Kind::real) text = number_text(v.real);
    if (v.kind == Node::Kind::boolean) text = v.boolean ? "true" : "false";
    if (v.kind == Node::Kind::text) text = quoted_text(v.text);
    if (text.empty()) return wrong_type(v, below(path, e.key), "a number or a text");
    value.entries.emplace_back(e.key, text);
  }
}

void TableReader::read_text(const Node& node, std::string& value, const std::string& path) {
  if (node.kind != Node::Kind::text) return wrong_type(node, path, "a text in quotes");
  for (const char c : node.text)
    if ((static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t') || c == 0x7F)
      return mistakes_.add(node.place, path, fmt::format("{} contains a control character", path));
  if (node.text.size() > 4000)
    return mistakes_.add(node.place, path,
                         fmt::format("{} has {} characters; at most 4000 are allowed", path, node.text.size()));
  value = node.text;
}

void TableReader::read_choice(const Node& node, const Field& field, void* value, const std::string& path) {
  const std::vector<std::string> choices(field.type.choices.begin(), field.type.choices.end());
  if (node.kind != Node::Kind::text) return wrong_type(node, path, "one of " + joined(choices));
  const auto found = std::find(choices.begin(), choices.end(), node.text);
  if (found == choices.end())
    return mistakes_.add(node.place, path,
                         fmt::format("{} is \"{}\"; it must be one of {}{}", path, node.text, joined(choices),
                                     did_you_mean(node.text, choices)));
  field.type.set_choice(value, static_cast<int>(found - choices.begin()));
}

void TableReader::check_range(const Node& node, const Field& field, double value, const std::string& path) {
  const Range& r = field.range;
  const bool low = r.low_open ? value > r.low : value >= r.low;
  const bool high = r.high_open ? value < r.high : value <= r.high;
  if (low && high) return;
  mistakes_.add(
      node.place, path,
      fmt::format("{} is {}; it must be {}{}{}", path, with_unit(value, field.unit), range_words(r, field.unit),
                  r.why.empty() ? "" : " (" + r.why + ")", in_degrees(node, field, value)));
}

}  // namespace knead
