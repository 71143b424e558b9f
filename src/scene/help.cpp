#include "scene/help.h"

#include "base/error.h"
#include "base/wrapped.h"
#include "material/presets.h"
#include "scene/mistakes.h"
#include "scene/quantities.h"
#include "scene/topics.h"

#include <algorithm>
#include <functional>

namespace knead {

namespace {

struct Row {
  std::string name, type, fallback, doc;
};

std::string rows_text(const std::vector<Row>& rows) {
  std::size_t name = 0, type = 0, fallback = 0;
  for (const Row& r : rows) {
    name = std::max(name, r.name.size());
    type = std::max(type, r.type.size());
    if (r.fallback.size() <= 16) fallback = std::max(fallback, r.fallback.size());
  }
  const std::size_t indent = 2 + name + 2 + type + 2 + fallback + 2;
  std::string text;
  for (const Row& r : rows) {
    std::string line = fmt::format("  {:<{}}  {:<{}}  {:<{}}  ", r.name, name, r.type, type, r.fallback, fallback);
    // A long default pushes its doc to the next line.
    if (line.size() > indent) line += "\n" + std::string(indent, ' ');
    text += line + wrapped(r.doc, indent, indent) + "\n";
  }
  return text;
}

std::vector<Row> field_rows(const Topic& topic) {
  std::vector<Row> rows;
  if (topic.part_of) rows.push_back({topic.part_of->tag, "choice", "required", "\"" + topic.table->name + "\"."});
  for_each_field(topic, [&](const Field& f, void* object) {
    rows.push_back({f.name, type_words(f), default_words(f, object), full_doc(f)});
  });
  return rows;
}

std::string aliases_text(const Topic& topic) {
  std::string all;
  for (const std::string& a : topic.table->aliases) all += (all.empty() ? "" : ", ") + a;
  return all.empty() ? "" : "Also called " + all + ".\n";
}

std::string table_text(const Topic& topic) {
  return fmt::format("{}\n{}\n{}\n{}", topic.heading, wrapped(topic.table->doc, 0, 0), aliases_text(topic),
                     rows_text(field_rows(topic)));
}

std::string list_text(const std::vector<ListEntry>& entries) {
  std::size_t name = 0;
  for (const ListEntry& e : entries) name = std::max(name, e.name.size());
  std::string text;
  for (const ListEntry& e : entries)
    text += fmt::format("  {:<{}}  {}\n", e.name, name, wrapped(e.doc, name + 4, name + 4));
  return text;
}

std::vector<ListEntry> alternatives_of(const OneOf& one_of) {
  std::vector<ListEntry> entries;
  for (const Alternative& a : one_of.alternatives) entries.push_back({a.table->name, a.table->doc});
  return entries;
}

// The lines of the presets, after the models.
std::vector<ListEntry> presets_listed() {
  std::vector<ListEntry> entries;
  for (const Preset& p : presets()) entries.push_back({p.name, fmt::format("{} Preset of \"{}\".", p.doc, p.model)});
  return entries;
}

std::string preset_text(const Preset& preset) {
  std::vector<Row> rows;
  rows.push_back({"model", preset.model, "", ""});
  for (const PresetValue& v : preset.values) rows.push_back({v.key, v.value, "", v.source});
  return fmt::format("preset = \"{}\"\n{}\nKeys given in the scene replace these.\n\n{}", preset.name, preset.doc,
                     rows_text(rows));
}

std::string one_of_text(const Topic& topic) {
  std::string text =
      fmt::format("{}\n{}\nThe key `{}` says which; `knead help NAME` lists the keys of one.\n\n{}", topic.heading,
                  wrapped(topic.one_of->doc, 0, 0), topic.one_of->tag, list_text(alternatives_of(*topic.one_of)));
  if (topic.one_of == &Material::alternatives())
    text += "\nOr the key `preset` names a real substance; `knead help NAME` lists its values and their sources.\n\n" +
            list_text(presets_listed());
  return text;
}

std::string overview() {
  std::vector<ListEntry> sections;
  for (const Field& f : Scene::table().fields) {
    if (f.type.kind != Kind::table) continue;
    sections.push_back({f.type.list ? "[[" + f.name + "]]" : "[" + f.name + "]", f.doc});
    if (f.name == "solver") {
      sections.push_back({"[materials.NAME]", "Materials, with names of your choice."});
      sections.push_back(
          {"[qualities.NAME]",
           "Values by path, such as \"solver.dx\" = 0.01, that quality = \"NAME\" or --set quality=NAME applies."});
    }
  }
  const Topic* general = &topics().front();
  return fmt::format("{}\n\n{}\nA complete scene:\n\n{}\n{}\nTopics of `knead help`:\n\n{}",
                     wrapped(Scene::table().doc), list_text(sections), example_scene(), table_text(*general),
                     topics_text());
}

std::string units_text() {
  return
      R"(Numbers are in SI units. Any number that has a unit may also be a string with its unit, also in
lists:

  dx = "2 cm"    young = "140 kPa"    velocity = ["10 km/h", 0, 0]    spin = [0, 0, "60 rpm"]

  length    m, in, ft                    pressure     Pa, bar, atm, psi
  mass      g, t, lb                     force        N
  time      s, min, h                    energy       J
  angle     rad, deg, turn, rev          power        W
  spin      rpm                          frequency    Hz
  speed     mph                          volume       L
  share     %                            temperature  K

Prefixes T G M k h d c m u n p stand before m, g, s, K, rad, N, Pa, J, W, Hz, bar and L. Units
combine with / and * (or a blank) and powers: kg/m^3, m/s^2, N*s/m^2, kg/(m s).
)";
}

std::string quantities_text() {
  return "A quantity is a number for each particle. These use the same names for quantities: probes of type\n"
         "mean and count, camera.color and `render --color`, the colours of the viewer, and `--add` of\n"
         "`export` and `mesh --skin`.\n\n"
         "  temperature, J_p, damage …   a column that is a number\n"
         "  vx or v.x, F_xy or F.xy, x   a component of a column; x, y and z are the position\n"
         "  v, C, tau                    the length of a vector or the norm of a tensor; F its determinant\n" +
         list_text(list_quantities()) +
         "\nAn expression of quantities is also a quantity: \"0.5 * mass * speed^2\", \"hypot(vx, vy)\".\n";
}

// Whether a word names the topic.
bool is_called(const Topic& t, const std::string& word) {
  if (t.name == word || (t.one_of && t.name == word + "s")) return true;
  return t.table && std::find(t.table->aliases.begin(), t.table->aliases.end(), word) != t.table->aliases.end();
}

// Where a key belongs: its table, or the models or shapes that have it.
std::string owner_of(const Topic& t) {
  if (t.part_of == &Material::alternatives()) return "[materials.NAME]";
  if (t.part_of) return "shape";
  return t.heading;
}

// A key as tables have it, and what it means there.
struct KeyMeaning {
  std::string owner, type, doc;
  std::vector<std::pair<std::string, std::vector<std::string>>> defaults{};  // and the models or shapes that have them
};

std::vector<KeyMeaning> meanings_of(const std::string& key, const std::function<bool(const Topic&)>& asked) {
  std::vector<KeyMeaning> meanings;
  const auto add = [&](const Topic& t, KeyMeaning meaning, const std::string& fallback) {
    const auto same = std::find_if(meanings.begin(), meanings.end(), [&](const KeyMeaning& m) {
      return m.owner == meaning.owner && m.type == meaning.type && m.doc == meaning.doc;
    });
    KeyMeaning& of = same == meanings.end() ? meanings.emplace_back(std::move(meaning)) : *same;
    const auto equal =
        std::find_if(of.defaults.begin(), of.defaults.end(), [&](const auto& d) { return d.first == fallback; });
    auto& [shown, names] =
        equal == of.defaults.end() ? of.defaults.emplace_back(fallback, std::vector<std::string>{}) : *equal;
    if (t.part_of) names.push_back(t.name);
  };
  for (const Topic& t : topics()) {
    if (!asked(t)) continue;
    if (t.one_of && t.one_of->tag == key)
      add(t, {t.name == "materials" ? "[materials.NAME]" : "shape", "choice", "One of the " + t.name + "."},
          "required");
    for_each_field(t, [&](const Field& f, void* object) {
      if (f.name == key) add(t, {owner_of(t), type_words(f), full_doc(f)}, default_words(f, object));
    });
  }
  return meanings;
}

std::string defaults_text(const KeyMeaning& meaning) {
  std::string text;
  for (const auto& [fallback, names] : meaning.defaults) {
    const std::string what = fallback == "required" ? "Required"
                             : fallback == "-"      ? "No default"
                                                    : "Default " + fallback;
    if (fallback == "-" && names.empty()) continue;
    text += (text.empty() ? "" : " ") + what + (names.empty() ? "." : fmt::format(": {}.", fmt::join(names, ", ")));
  }
  return text.empty() ? text : "  " + wrapped(text, 2, 2) + "\n";
}

// On "young", "friction", or "solver.dx" and "body.0.shape.radius", where the last topic on the way tells the table.
std::string key_text(const std::string& path) {
  const std::size_t dot = path.rfind('.');
  const std::string key = path.substr(dot == std::string::npos ? 0 : dot + 1);
  std::string way = dot == std::string::npos ? "" : path.substr(0, dot), table;
  const auto is_table = [&](const Topic& t) { return is_called(t, table); };
  while (!way.empty() && table.empty()) {
    const std::size_t last = way.rfind('.');
    table = way.substr(last == std::string::npos ? 0 : last + 1);
    way = last == std::string::npos ? "" : way.substr(0, last);
    if (std::none_of(topics().begin(), topics().end(), is_table)) table.clear();
  }
  if (dot != std::string::npos && table.empty()) return "";
  const auto asked = [&](const Topic& t) {
    if (table.empty() || is_called(t, table)) return true;
    return std::any_of(topics().begin(), topics().end(),
                       [&](const Topic& u) { return u.one_of && u.one_of == t.part_of && is_called(u, table); });
  };
  std::string text;
  for (const KeyMeaning& m : meanings_of(key, asked)) {
    text += fmt::format("{}{} in {}: {}\n  {}\n{}", text.empty() ? "" : "\n", key, m.owner, m.type,
                        wrapped(m.doc, 2, 2), defaults_text(m));
  }
  return text;
}

}  // namespace

std::vector<TopicGroup> help_groups() {
  TopicGroup sections{"sections", {}}, tables{"tables in them", {}}, models{"models of materials", {}},
      presets_of{"presets of materials", {}}, shapes{"shapes", {}};
  for (const Topic& t : topics()) {
    const bool of_shapes = t.one_of == &Shape::alternatives() || t.part_of == &Shape::alternatives();
    TopicGroup& group = of_shapes ? shapes : t.part_of ? models : t.heading.starts_with('[') ? sections : tables;
    group.topics.push_back(t.name);
  }
  for (const Preset& p : presets()) presets_of.topics.emplace_back(p.name);
  return {sections, tables, models, presets_of, shapes, {"more", {"quantities", "units"}}};
}

std::vector<std::string> help_topics() {
  std::vector<std::string> names;
  for (const TopicGroup& group : help_groups()) names.insert(names.end(), group.topics.begin(), group.topics.end());
  return names;
}

std::string topics_text() {
  std::vector<ListEntry> groups;
  for (const TopicGroup& group : help_groups())
    groups.push_back({group.name, fmt::format("{}", fmt::join(group.topics, ", "))});
  return list_text(groups);
}

std::string topic_text(const std::string& topic) {
  if (topic == "scene" || topic.empty()) return overview();
  if (topic == "quantities" || topic == "quantity") return quantities_text();
  if (topic == "units" || topic == "unit") return units_text();
  if (const Preset* preset = find_preset(topic)) return preset_text(*preset);
  for (const Topic& t : topics())
    if (is_called(t, topic)) return t.one_of ? one_of_text(t) : table_text(t);
  return "";
}

std::string help_text(const std::string& topic) {
  if (std::string text = topic_text(topic); !text.empty()) return text;
  if (std::string text = key_text(topic); !text.empty()) return text;
  std::vector<std::string> names = help_topics();
  for (const Topic& t : topics()) for_each_field(t, [&](const Field& f, void*) { names.push_back(f.name); });
  fail(Exit::usage, "there is no help on '{}'{}; `knead help` lists the topics", topic, did_you_mean(topic, names));
}

std::vector<ListEntry> list_materials() {
  std::vector<ListEntry> entries = alternatives_of(Material::alternatives());
  for (ListEntry& e : presets_listed()) entries.push_back(std::move(e));
  return entries;
}
std::vector<ListEntry> list_shapes() { return alternatives_of(Shape::alternatives()); }
std::vector<ListEntry> list_quantities() {
  std::vector<ListEntry> entries;
  for (const DerivedQuantity& q : derived_quantities())
    entries.push_back({q.name, q.doc + (q.unit.empty() ? "" : " [" + q.unit + "]")});
  return entries;
}
std::vector<ListEntry> list_solvers() {
  std::vector<ListEntry> entries;
  for (const MethodTraits& m : all_methods()) entries.push_back({m.name, m.doc});
  return entries;
}

std::string example_scene() {
  return R"(format = 1

[scene]
duration = 2.0
domain = { min = [-1, 0, -1], max = [1, 2, 1], contact = "separate", friction = 0.3 }

[solver]
dx = "5 cm"

[materials.snow]
model = "snow"
young = "140 kPa"

[[body]]
material = "snow"
shape = { type = "sphere", center = [0, 1, 0], radius = "25 cm" }
velocity = [0, "-10 km/h", 0]
)";
}

}  // namespace knead
