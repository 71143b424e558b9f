#include "view/edits.h"

#include "run/stats_row.h"
#include "scene/overrides.h"
#include "scene/read_tree.h"
#include "scene/value_text.h"
#include "scene/write.h"

#include <fmt/format.h>

#include <algorithm>

namespace knead {

namespace {

constexpr const char* changed_name = "the scene as changed";

// The text that the tree is made from is nobody's: its lines would mean nothing to the user.
void forget_places(Node& node) {
  node.place = {};
  for (Node& item : node.items) forget_places(item);
  for (Entry& e : node.entries) e.place = {}, forget_places(e.value);
}

// Absolute paths of all files that a scene names.
void collect_files(const Node& node, const std::filesystem::path& folder, std::set<std::string>& files) {
  for (const Node& item : node.items) collect_files(item, folder, files);
  for (const Entry& e : node.entries) {
    const bool names_file = e.key == "file" || e.key == "points" || e.key == "cells_file";
    if (names_file && e.value.kind == Node::Kind::text && !e.value.text.empty())
      files.insert(std::filesystem::absolute(folder / e.value.text).lexically_normal().string());
    collect_files(e.value, folder, files);
  }
}

void apply(const Edit& edit, Node& tree) {
  switch (edit.kind) {
    case Edit::Kind::set:
      return put_value(tree, edit.path, edit.value, changed_name);
    case Edit::Kind::add:
      return add_item(tree, edit.path, edit.value, changed_name);
    case Edit::Kind::remove:
      return take_away(tree, edit.path, changed_name);
    case Edit::Kind::event:
      return add_item(tree, "event", edit.value, changed_name);
  }
}

Node tree_of(const Scene& scene) {
  Node tree = parse_toml(to_toml(scene), changed_name);
  forget_places(tree);
  return tree;
}

Scene read_changed(const Scene& scene, const Node& tree) {
  return read_scene_tree(tree, changed_name, scene.folder, wrong_measurements);
}

}  // namespace

const char* name_of(Acts acts) {
  constexpr const char* names[] = {"live", "next frame", "after restart"};
  return names[std::size_t(acts)];
}

// What is only looked at, and what an event changes.
Acts acts_of(const std::string& path) {
  const bool looks = path.starts_with("camera.") || path == "scene.description" || path.ends_with(".color") ||
                     (path.starts_with("collider.") && (path.ends_with(".visible") || path.ends_with(".opacity")));
  if (looks) return Acts::live;
  return path == "scene.gravity" ? Acts::next_frame : Acts::after_restart;
}

Scene with_event(const Scene& scene, const Edit& edit, double time) {
  Node tree = tree_of(scene);
  apply(edit, tree);
  Node& event = tree.find("event")->items.back();
  if (event.find("time"))
    fail(Exit::bad_input, "an event from the page takes effect at the next frame; it has no time of its own");
  put_value(tree, fmt::format("event.{}.time", tree.find("event")->items.size() - 1), number_text(time), changed_name);
  return read_changed(scene, tree);
}

Scene with_changes(const Scene& scene, const std::vector<Edit>& edits, const std::set<std::string>& files) {
  Node tree = tree_of(scene);
  std::set<std::string> known = files, wanted;
  collect_files(tree, scene.folder, known);
  for (const Edit& edit : edits) apply(edit, tree);
  collect_files(tree, scene.folder, wanted);
  if (!std::includes(known.begin(), known.end(), wanted.begin(), wanted.end()))
    fail(Exit::bad_input, "files can be named only in the scene file");
  return read_changed(scene, tree);
}

std::string text_of(const Edit& edit) {
  switch (edit.kind) {
    case Edit::Kind::event:
      return edit.value;
    case Edit::Kind::set:
      return edit.path + " = " + edit.value;
    case Edit::Kind::add:
      return edit.path + " has one more: " + edit.value;
    case Edit::Kind::remove:
      return edit.path + " is taken away";
  }
  return "";
}

}  // namespace knead
