// `knead list`, `knead help` and `knead schema`: what there is, and what a scene file may say.
#include "apps/command_line.h"
#include "apps/commands.h"
#include "apps/print.h"
#include "apps/scenes_folder.h"
#include "base/error.h"
#include "base/nearest.h"
#include "base/printable.h"
#include "base/wrapped.h"
#include "output/mesh_writer.h"
#include "scene/help.h"
#include "scene/read.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace knead {
namespace {

namespace fs = std::filesystem;

// One line about a scene file: its description, or what is wrong with it.
std::string scene_line(const fs::path& file) {
  try {
    const Scene scene = read_scene(file);
    return scene.scene.description.substr(0, scene.scene.description.find('\n'));
  } catch (const Failure& failure) {
    const std::string text = failure.what();
    return "cannot be read: " + text.substr(0, text.find('\n'));
  }
}

std::vector<ListEntry> list_scenes(const ListCommand& command) {
  const fs::path folder = command.folder.empty() ? scenes_folder() : command.folder;
  std::error_code trouble;
  const std::vector<fs::path> files = scene_files(folder, trouble);
  if (trouble) fail(Exit::file, "cannot list the scenes in {}: {}", folder.string(), trouble.message());
  std::vector<ListEntry> entries;
  std::size_t left_out = 0;
  for (const fs::path& file : files) {
    if (command.folder.empty() && !command.all && is_of_validation(file)) {
      ++left_out;
      continue;
    }
    // As short as a path can be that works from here; people may leave out the folder of what comes with Knead.
    const fs::path near = file.lexically_proximate(fs::current_path());
    fs::path name = near.native().size() < file.native().size() ? near : file;
    if (const fs::path inside = file.lexically_relative(folder);
        command.folder.empty() && !command.json && name.native().size() > ("scenes" / inside).native().size())
      name = inside;
    entries.push_back({name.string(), scene_line(file)});
  }
  if (left_out && !command.json)
    entries.push_back({"…", fmt::format("{} more of `knead validate`: knead list scenes --all", left_out)});
  return entries;
}

std::vector<ListEntry> list_exporters() {
  std::vector<ListEntry> entries;
  for (const Exporter* exporter : exporters()) entries.push_back({exporter->name(), exporter->doc()});
  return entries;
}

std::vector<ListEntry> list_surfaces() {
  std::vector<ListEntry> entries;
  for (const MeshWriter* writer : mesh_writers()) entries.push_back({writer->name(), writer->doc()});
  return entries;
}

void print_entries(const std::string& what, const std::vector<ListEntry>& entries, bool json) {
  std::vector<std::vector<std::string>> rows;
  for (const ListEntry& entry : entries) {
    rows.push_back({printable(entry.name), printable(entry.doc)});
    if (json)
      fmt::print("{}\n", nlohmann::ordered_json{{"kind", what}, {"name", entry.name}, {"doc", entry.doc}}.dump());
  }
  if (json) return;
  std::size_t name = 0;
  for (const auto& row : rows) name = std::max(name, columns_of(row[0]));
  fmt::print("{}\n", bold(what));
  for (const auto& row : rows)
    fmt::print("  {}{}  {}\n", row[0], std::string(name - columns_of(row[0]), ' '),
               wrapped(row[1], name + 4, name + 4));
}

}  // namespace

int run_command(const ListCommand& command) {
  const std::vector<std::pair<std::string, std::function<std::vector<ListEntry>()>>> lists = {
      {"scenes", [&] { return list_scenes(command); }},
      {"materials", list_materials},
      {"solvers", list_solvers},
      {"shapes", list_shapes},
      {"quantities", list_quantities},
      {"exporters", list_exporters},
      {"surfaces", list_surfaces}};
  std::vector<std::string> names;
  for (const auto& list : lists) names.push_back(list.first);
  if (!command.what.empty() && std::find(names.begin(), names.end(), command.what) == names.end())
    fail(Exit::usage, "nothing to list called '{}'{}; there are {}", command.what.substr(0, 120),
         did_you_mean(command.what, names), fmt::join(names, ", "));
  for (const auto& [name, make] : lists)
    if (command.what.empty() || command.what == name) print_entries(name, make(), command.json);
  return static_cast<int>(Exit::done);
}

int run_command(const HelpCommand& command) {
  if (command.markdown) {
    fmt::print("{}", help_markdown());
  } else if (command.topic.empty()) {
    fmt::print(
        "knead help TOPIC prints the reference of a part of scene files:\n\n{}\nknead help KEY says where a key "
        "belongs "
        "and what it means: knead help young, knead help solver.dx.\nknead COMMAND --help explains a command; knead "
        "--help lists them.\n",
        topics_text());
  } else if (const std::string text = command_help(command.topic); !text.empty()) {
    const std::string topic = topic_text(command.topic);  // of the same name, as mesh
    fmt::print("{}{}", text, topic.empty() ? "" : "\nIn scene files:\n\n" + topic);
  } else {
    fmt::print("{}", help_text(command.topic));
  }
  return static_cast<int>(Exit::done);
}

int run_command(const SchemaCommand&) {
  fmt::print("{}\n", json_schema());
  return static_cast<int>(Exit::done);
}

}  // namespace knead
