// The reference of the scene language, made from the tables: for the terminal, as a page, and as JSON Schema.
#pragma once

#include <string>
#include <vector>

namespace knead {

// On "scene", "solver", "materials", "snow", "shapes", "sphere", "units", ..., or on a key, "young" or "solver.dx";
// fails (usage) with the nearest of them.
std::string help_text(const std::string& topic);
// The same on topics alone; empty where there is none of that name.
std::string topic_text(const std::string& topic);

struct TopicGroup {
  std::string name;
  std::vector<std::string> topics;
};
std::vector<TopicGroup> help_groups();
std::vector<std::string> help_topics();
// What there is help on, by group.
std::string topics_text();

// The whole reference page, docs/scene.md.
std::string help_markdown();

// JSON Schema, draft 2020-12, of scene files read as JSON.
std::string json_schema();

// A complete small scene.
std::string example_scene();

// What there is to choose from, with one line each.
struct ListEntry {
  std::string name, doc;
};
std::vector<ListEntry> list_materials();
std::vector<ListEntry> list_shapes();
std::vector<ListEntry> list_quantities();
std::vector<ListEntry> list_solvers();

}  // namespace knead
