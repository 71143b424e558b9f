// `knead material`: one point of a material driven through a path of deformation gradients.
#include "apps/commands.h"
#include "apps/print.h"
#include "base/error.h"
#include "base/nearest.h"
#include "base/printable.h"
#include "material/presets.h"
#include "output/whole_file.h"
#include "scene/read.h"
#include "validate/path_csv.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <regex>

namespace knead {
namespace {

namespace fs = std::filesystem;

Material material_of_scene(const fs::path& file, const std::string& name, const std::vector<std::string>& sets) {
  std::vector<std::string> paths;
  for (const std::string& set : sets) paths.push_back("materials." + name + "." + set);
  const Scene scene = read_scene(file, paths);
  std::vector<std::string> names;
  for (const MaterialEntry& m : scene.materials) {
    if (m.name == name) return m.material;
    names.push_back(m.name);
  }
  fail(Exit::bad_input, "{} has no material '{:.60}'; it has {}", file.string(), name, fmt::join(names, ", "));
}

// A model or preset by its name, in messages that speak of nothing else.
Material material_by_name(const std::string& name, const std::vector<std::string>& sets, int dimension) {
  std::vector<std::string> models, ready;
  for (const Alternative& a : Material::alternatives().alternatives) models.push_back(a.table->name);
  for (const Preset& p : presets()) ready.emplace_back(p.name);
  std::vector<std::string> all = models;
  all.insert(all.end(), ready.begin(), ready.end());
  if (std::find(all.begin(), all.end(), name) == all.end())
    fail(Exit::bad_input, "there is no material '{:.60}'{}\n  models: {}\n  presets: {}\n  of a scene: SCENE:NAME",
         name, did_you_mean(name, all), fmt::join(models, ", "), fmt::join(ready, ", "));
  try {
    return named_material(name, sets, dimension);
  } catch (const Failure& failure) {
    // The scene made around it is nobody's business.
    std::string text = failure.what();
    for (const auto& [inside, said] :
         {std::pair("in materials.m", "of " + name), {"materials.m.", std::string()}, {"materials.m", name}})
      for (std::size_t at; (at = text.find(inside)) != std::string::npos;)
        text.replace(at, std::string_view(inside).size(), said);
    text = std::regex_replace(text, std::regex("material:[0-9]+:[0-9]+: "), "");
    throw Failure(failure.code, fmt::format("{}\n  'knead help {}' lists what --set may change", text, name));
  }
}

// NAME, a model or preset; or SCENE:NAME, a material of a scene file.
Material wanted_material(const MaterialCommand& command, int dimension) {
  const std::string& what = command.material;
  const std::size_t colon = what.rfind(':');
  if (colon == std::string::npos) return material_by_name(what, command.sets, dimension);
  return material_of_scene(what.substr(0, colon), what.substr(colon + 1), command.sets);
}

// Names and numbers of a row, in the order of the columns.
std::vector<std::pair<std::string, double>> row_of(const PointResponse& r, const PathFile& path,
                                                   std::span<const HistoryColumn> history) {
  std::vector<std::pair<std::string, double>> row;
  const int d = path.dimension;
  if (path.timed) row.emplace_back("t", r.time);
  const auto add_matrix = [&](const std::string& name, const Mat3d& m) {
    for (int i = 0; i < d; ++i)
      for (int j = 0; j < d; ++j) row.emplace_back(fmt::format("{}{}{}", name, i + 1, j + 1), m(i, j));
  };
  const auto add_tensor = [&](const std::string& name, const Mat3d& m) {
    for (int i = 0; i < d; ++i) row.emplace_back(fmt::format("{}_{}{}", name, "xyz"[i], "xyz"[i]), m(i, i));
    for (int i = 0; i < d; ++i)
      for (int j = i + 1; j < d; ++j) row.emplace_back(fmt::format("{}_{}{}", name, "xyz"[i], "xyz"[j]), m(i, j));
  };
  add_matrix("F", r.F);
  add_tensor("cauchy", r.cauchy);
  add_tensor("kirchhoff", r.kirchhoff);
  row.emplace_back("energy", r.energy);
  row.emplace_back("dissipated", r.dissipated);
  add_matrix("Fe", r.F_elastic);
  for (std::size_t i = 0; i < history.size(); ++i) row.emplace_back(history[i].name, r.history[i]);
  return row;
}

}  // namespace

int run_command(const MaterialCommand& command) {
  const PathFile path = read_path_csv(command.path);
  if (path.dimension == 2)
    print_message("note", fmt::format("{} has no column with a 3, so the point is in plane strain (2D); add F33 for 3D",
                                      command.path.string()));
  const Material material = wanted_material(command, path.dimension);
  DriveOptions options;
  options.dimension = path.dimension;
  options.single = command.single;
  options.dx = command.dx;
  std::string text;
  bool header = !command.json;
  for (const PointResponse& r : drive_point(material, path.points, options)) {
    const auto row = row_of(r, path, history_columns_of(material));
    if (command.json) {
      nlohmann::ordered_json json;
      for (const auto& [name, value] : row) json[name] = value;
      text += json.dump() + "\n";
      continue;
    }
    std::vector<std::string> names, values;
    for (const auto& [name, value] : row) names.push_back(name), values.push_back(fmt::format("{}", value));
    if (header) text += fmt::format("{}\n", fmt::join(names, ","));
    header = false;
    text += fmt::format("{}\n", fmt::join(values, ","));
  }
  if (command.out.empty())
    fmt::print("{}", text);
  else
    write_whole(command.out, text);
  return static_cast<int>(Exit::done);
}

}  // namespace knead
