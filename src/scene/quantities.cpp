#include "scene/quantities.h"

#include "base/error.h"
#include "base/expression.h"
#include "base/nearest.h"

#include <algorithm>
#include <cctype>

namespace knead {

namespace {

bool has_name(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }
bool is_of_name(char c) { return is_letter(c) || std::isdigit(static_cast<unsigned char>(c)); }
bool is_axis(char c) { return c >= 'x' && c <= 'z'; }

// How many components the columns of a run have.
int components_of(const std::string& column, int dimension) {
  for (const char* vector : {"x", "v", "X", "embedded"})
    if (column == vector) return dimension;
  for (const char* matrix : {"F", "C", "P", "plastic"})
    if (column == matrix) return dimension * dimension;
  if (column == "tau" || column == "strain") return dimension * (dimension + 1) / 2;
  return 1;
}

void add_names(std::vector<std::string>& names, const std::vector<std::string>& more) {
  for (const std::string& name : more)
    if (!has_name(names, name)) names.push_back(name);
}

void collect(const ExpressionNode& node, const std::vector<std::string>& names, std::vector<std::string>& found) {
  if (node.kind == ExpressionNode::Kind::variable) add_names(found, {names[static_cast<std::size_t>(node.variable)]});
  for (const ExpressionNode& argument : node.arguments) collect(argument, names, found);
}

}  // namespace

bool is_name(const std::string& text) {
  return !text.empty() && is_letter(text[0]) && std::all_of(text.begin(), text.end(), is_of_name);
}

std::vector<std::string> symmetric_names(int dimension) {
  if (dimension == 2) return {"xx", "yy", "xy"};
  return {"xx", "yy", "zz", "xy", "xz", "yz"};
}

std::vector<std::string> component_names(const std::string& column, int components, int dimension) {
  constexpr char axis[] = {'x', 'y', 'z'};
  std::vector<std::string> names;
  if (components == 1) return {column};
  if (components == dimension) {
    const std::string stem = column == "x" ? "" : column.size() == 1 ? column : column + "_";
    for (int i = 0; i < dimension; ++i) names.push_back(stem + axis[i]);
  } else if (components == dimension * dimension) {
    for (int i = 0; i < dimension; ++i)
      for (int j = 0; j < dimension; ++j) names.push_back(column + "_" + axis[i] + axis[j]);
  } else if (components == dimension * (dimension + 1) / 2) {
    for (const std::string& c : symmetric_names(dimension)) names.push_back(column + "_" + c);
  } else {
    for (int i = 0; i < components; ++i) names.push_back(column + "_" + std::to_string(i));
  }
  return names;
}

std::vector<DerivedQuantity> derived_quantities() {
  return {
      {"speed", "m/s", "The length of v."},
      {"J", "", "Of solids: volume divided by rest volume, including plastic change."},
      {"pressure", "Pa", "Of liquids: their column; of solids: minus the mean of the normal Cauchy stresses."},
      {"von_mises", "Pa", "sqrt(3/2) times the norm of the deviatoric Cauchy stress; in 2D, of the in-plane stress."},
      {"stress_xx", "Pa", "Component of the Cauchy stress tau / J; also stress_yy, stress_xy and so on."},
      {"offset", "", "Distance of the column P (method embedded) from the identity."}};
}

std::string unit_of_quantity(const std::string& text) {
  const std::string plain = plain_quantity(text);
  for (const DerivedQuantity& q : derived_quantities())
    if (q.name == plain) return q.unit;
  static const std::pair<const char*, std::vector<const char*>> units[] = {
      {"m", {"x", "y", "z", "X", "Xx", "Xy", "Xz"}},
      {"m/s", {"v", "vx", "vy", "vz"}},
      {"1/s", {"C"}},
      {"kg", {"mass"}},
      {"m^3", {"volume"}},
      {"kg/m^3", {"density"}},
      {"K", {"temperature"}},
      {"Pa", {"tau"}}};
  for (const auto& [unit, names] : units)
    if (std::find(names.begin(), names.end(), plain) != names.end()) return unit;
  if (plain.starts_with("stress_") || plain.starts_with("tau_")) return "Pa";
  return plain.starts_with("C_") ? "1/s" : "";
}

std::vector<std::string> quantity_names(const Scene& scene) {
  const int dimension = scene.scene.dimension;
  const std::vector<std::string> columns = column_names(scene);
  std::vector<std::string> names;
  const auto add_components = [&](const std::string& column) {
    add_names(names, component_names(column, components_of(column, dimension), dimension));
  };
  add_components("x"), add_components("v"), add_names(names, {"speed", "mass", "volume"});
  if (!scene.solver.traits().deformation) {
    add_names(names, {"pressure", "density"});
  } else {
    add_names(names, {"J", "pressure", "von_mises"});
    for (const std::string& c : symmetric_names(dimension)) add_names(names, {"stress_" + c});
  }
  if (has_name(columns, "P")) add_names(names, {"offset"});
  // The numbers first, then vectors by their length, and what has many components.
  for (const std::string& c : columns)
    if (components_of(c, dimension) == 1) add_names(names, {c});
  add_names(names, columns);
  for (const std::string& c : columns) add_components(c);
  return names;
}

std::string plain_quantity(const std::string& text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size();) {
    if (!is_letter(text[i])) {
      plain += text[i++];
      // The digits and the point of a number are no name.
      while (i < text.size() && std::isdigit(static_cast<unsigned char>(text[i - 1])) && is_of_name(text[i]))
        plain += text[i++];
      continue;
    }
    std::size_t end = i;
    while (end < text.size() && is_of_name(text[end])) ++end;
    const std::string stem = text.substr(i, end - i);
    std::size_t last = end + 1;
    while (last < text.size() && is_axis(text[last])) ++last;
    const bool component = end < text.size() && text[end] == '.' && last > end + 1 && last <= end + 3 &&
                           (last == text.size() || !is_of_name(text[last]));
    i = component ? last : end;
    if (!component) {
      plain += stem;
      continue;
    }
    const std::string axes = text.substr(end + 1, last - end - 1);
    const std::string vector = stem == "x" ? "" : stem.size() == 1 ? stem : stem + "_";
    plain += (axes.size() == 1 ? vector : stem + "_") + axes;
  }
  return plain;
}

std::string meant_quantity(const std::string& name, const std::vector<std::string>& names) {
  static const std::pair<const char*, std::vector<const char*>> words[] = {
      {"velocity", {"v", "speed"}},
      {"position", {"x", "y", "z"}},
      {"stress", {"von_mises", "pressure"}},
      {"deformation", {"F", "J"}},
  };
  std::string lower;
  for (const char c : name) lower += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  for (const auto& [word, meant] : words) {
    if (lower != word) continue;
    std::string all;
    for (const char* m : meant)
      if (has_name(names, m)) all += (all.empty() ? "'" : " or '") + std::string(m) + "'";
    if (!all.empty()) return " (did you mean " + all + "?)";
  }
  return did_you_mean(name, names);
}

std::vector<std::string> names_in_quantity(const std::string& text, const std::vector<std::string>& names) {
  const std::string plain = plain_quantity(text);
  if (has_name(names, plain)) return {plain};
  if (is_name(plain)) {
    std::string all;
    for (const std::string& n : names) all += (all.empty() ? "" : ", ") + n;
    fail(Exit::bad_input, "there is no '{:.60}'{}; there are {}", text, meant_quantity(plain, names), all);
  }
  std::vector<std::string> found;
  collect(parse_expression(plain, names), names, found);
  return found;
}

std::vector<std::string> columns_for_quantity(const Scene& scene, const std::string& text) {
  const int dimension = scene.scene.dimension;
  const std::vector<std::string> columns = column_names(scene);
  // The volume ratio is reckoned from the strain and what laws remember.
  std::vector<std::string> of_ratio{"F", "body"};
  for (const MaterialEntry& m : scene.materials)
    for (const HistoryColumn& h : history_columns_of(m.material)) add_names(of_ratio, {h.name});
  std::vector<std::string> needed;
  for (const std::string& name : names_in_quantity(text, quantity_names(scene))) {
    const auto has = [&](const std::string& column) {
      return column == name ? has_name(columns, name)
                            : has_name(component_names(column, components_of(column, dimension), dimension), name);
    };
    const auto column = std::find_if(columns.begin(), columns.end(), has);
    if (name == "speed")
      add_names(needed, {"v"});
    else if (name == "offset")
      add_names(needed, {"P"});
    else if (column != columns.end())
      add_names(needed, {*column});
    else
      add_names(needed, {"tau"}), add_names(needed, of_ratio);
  }
  return needed;
}

}  // namespace knead
