#include "scene/help.h"

#include "base/error.h"
#include "material/presets.h"
#include "scene/mistakes.h"
#include "scene/quantities.h"
#include "scene/topics.h"

#include <algorithm>

namespace knead {

namespace {

constexpr std::size_t width = 100;

// Words of `text` in lines of at most `width`, each after `indent` blanks; the first goes on from column `at`.
std::string wrapped(const std::string& text, std::size_t at, std::size_t indent) {
  std::string out;
  std::size_t column = at;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    const std::size_t length = end - begin;
    if (column > indent && column + 1 + length > width) {
      out += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (column > indent) {
      out += ' ', ++column;
    }
    out += text.substr(begin, length);
    column += length;
    begin = end + 1;
  }
  return out;
}

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
  std::string all;
  for (const std::string& t : help_topics()) all += (all.empty() ? "" : ", ") + t;
  const Topic* general = &topics().front();
  return fmt::format("{}\n\n{}\nA complete scene:\n\n{}\n{}\nFurther topics of `knead help`: {}\n",
                     wrapped(Scene::table().doc, 0, 0), list_text(sections), example_scene(), table_text(*general),
                     wrapped(all, 32, 0));
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

}  // namespace

std::vector<std::string> help_topics() {
  std::vector<std::string> names;
  for (const Topic& t : topics()) names.push_back(t.name);
  for (const Preset& p : presets()) names.emplace_back(p.name);
  names.emplace_back("quantities");
  names.emplace_back("units");
  return names;
}

std::string help_text(const std::string& topic) {
  if (topic == "scene" || topic.empty()) return overview();
  if (topic == "quantities" || topic == "quantity") return quantities_text();
  if (topic == "units" || topic == "unit") return units_text();
  if (const Preset* preset = find_preset(topic)) return preset_text(*preset);
  std::vector<std::string> names = help_topics();
  for (const Topic& t : topics()) {
    const bool singular = t.one_of && t.name == topic + "s";
    const auto alias = [&] { return std::find(t.table->aliases.begin(), t.table->aliases.end(), topic); };
    if (t.name == topic || singular || (t.table && alias() != t.table->aliases.end()))
      return t.one_of ? one_of_text(t) : table_text(t);
  }
  std::string all;
  for (const std::string& n : names) all += (all.empty() ? "" : ", ") + n;
  fail(Exit::usage, "there is no help on '{}'{}; topics are {}", topic, did_you_mean(topic, names), all);
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
