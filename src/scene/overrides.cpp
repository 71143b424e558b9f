#include "scene/overrides.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

namespace knead {

namespace {

constexpr std::size_t longest_set = 4096;
constexpr std::size_t longest_value = 64 << 10;  // of changes that come from elsewhere
constexpr std::size_t most_parts = 32;

[[noreturn]] void refuse(const std::string& flag, const std::string& why) { fail(Exit::usage, "{}: {}", flag, why); }

struct PathAndValue {
  std::vector<std::string> path;
  std::string value;
};

// Splits "body.'my ball'.velocity=[1,0]" at the dots of the path and at the first "=" outside quotes.
PathAndValue split(const std::string& set, const std::string& flag) {
  PathAndValue result;
  std::string part;
  char quote = 0;
  for (std::size_t i = 0; i < set.size(); ++i) {
    const char c = set[i];
    if (quote) {
      if (c == quote)
        quote = 0;
      else
        part += c;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '.' || c == '=') {
      if (part.empty()) refuse(flag, "the path has an empty part; write it like solver.dx=0.01");
      result.path.push_back(part);
      part.clear();
      if (c == '=') return result.value = set.substr(i + 1), result;
    } else if (c != ' ') {
      part += c;
    }
  }
  refuse(flag, "there is no '='; write it as in solver.dx=0.01");
}

Node text_node(const std::string& text) {
  Node node;
  node.kind = Node::Kind::text;
  node.text = text;
  return node;
}

Node parse_value(const std::string& text, const std::string& flag) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string::npos) refuse(flag, "there is no value after '='");
  if (text.find('\n') != std::string::npos || text.find('\0') != std::string::npos)
    refuse(flag, "the value must be on one line");
  const bool structured = std::string_view("\"'[{").find(text[first]) != std::string_view::npos;
  try {
    Node parsed = parse_toml("value = " + text, flag);
    return std::move(parsed.entries.at(0).value);
  } catch (const Failure& failure) {
    if (!structured) return text_node(text.substr(first));
    const std::string what = failure.what();
    const std::size_t reason = what.find("not valid TOML");
    refuse(flag, "the value is " + (reason == std::string::npos ? what : what.substr(reason)));
  }
}

// An item of a list by its index or, for tables, by the text of its key `name`.
Node& item_of(Node& list, const std::string& key, const std::string& above, const std::string& flag) {
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), index);
  if (error == std::errc{} && end == key.data() + key.size()) {
    if (index < list.items.size()) return list.items[index];
    refuse(flag,
           fmt::format("{} has {} entries, numbered from 0; there is no number {}", above, list.items.size(), key));
  }
  std::vector<std::string> names;
  for (std::size_t i = 0; i < list.items.size(); ++i) {
    const Node* name = list.items[i].find("name");
    names.push_back(name && name->kind == Node::Kind::text ? name->text : fmt::format("{}{}", above, i));
    if (names.back() == key) return list.items[i];
  }
  if (names.empty()) refuse(flag, fmt::format("{} has no entries", above));
  constexpr std::ptrdiff_t most = 12;
  if (key.size() <= 64 && names.size() <= 1000)
    std::stable_sort(names.begin(), names.end(), [&](const std::string& a, const std::string& b) {
      return edit_distance(key, a) < edit_distance(key, b);
    });
  const std::ptrdiff_t shown = std::min(most, std::ssize(names));
  refuse(flag, fmt::format("{} has no entry named '{}'{}; it has {}{}", above, key, did_you_mean(key, names),
                           fmt::join(names.begin(), names.begin() + shown, ", "),
                           std::ssize(names) > shown ? fmt::format(" and {} more", std::ssize(names) - shown) : ""));
}

Node& child_of(Node& node, const std::string& key, const std::string& above, const Place& place, bool last) {
  if (node.kind == Node::Kind::array) return item_of(node, key, above, place.flag);
  if (node.kind != Node::Kind::table)
    refuse(place.flag, fmt::format("{} is {}; it has no '{}'", above, kind_words(node), key));
  if (Node* found = node.find(key)) return *found;
  if (!last && above.empty() &&
      (key == "body" || key == "collider" || key == "source" || key == "drain" || key == "explosion" || key == "grip" ||
       key == "event" || key == "probe" || key == "expect"))
    refuse(place.flag, fmt::format("the scene has no [[{}]]; a flag can give the whole list: {}=[{{...}}]", key, key));
  Node fresh;
  fresh.place = place;
  node.entries.push_back({key, place, fresh});
  return node.entries.back().value;
}

Node& place_for(Node& root, const std::vector<std::string>& path, const Place& place) {
  Node* node = &root;
  std::string above;
  for (const std::string& key : path) {
    node = &child_of(*node, key, above, place, &key == &path.back());
    above += (above.empty() ? "" : ".") + key;
  }
  return *node;
}

// Path and value within what a message can bear.
std::vector<std::string> checked_path(const std::string& path, const std::string& value, const std::string& flag) {
  if (path.size() > longest_set || value.size() > longest_value)
    refuse(flag, fmt::format("a value of more than {} characters", longest_value));
  const PathAndValue parts = split(path + "=", flag);
  if (!parts.value.empty()) refuse(flag, fmt::format("'{}' is no path", path));
  if (parts.path.size() > most_parts) refuse(flag, fmt::format("a path of more than {} parts", most_parts));
  return parts.path;
}

Node placed_value(const std::string& text, const Place& place) {
  Node value = parse_value(text, place.flag);
  put_place(value, place);
  return value;
}

std::string flag_of(const std::string& set) { return "--set " + (set.size() > 80 ? set.substr(0, 77) + "..." : set); }

PathAndValue parts_of(const std::string& set, const std::string& flag) {
  if (set.size() > longest_set) refuse(flag, fmt::format("longer than {} characters", longest_set));
  return split(set, flag);
}

}  // namespace

void put_value(Node& root, const std::string& path, const std::string& value, const std::string& flag) {
  const Place place{0, 0, flag};
  const std::vector<std::string> parts = checked_path(path, value, flag);
  Node made = placed_value(value, place);
  place_for(root, parts, place) = std::move(made);
}

void add_item(Node& root, const std::string& path, const std::string& value, const std::string& flag) {
  const Place place{0, 0, flag};
  const std::vector<std::string> parts = checked_path(path, value, flag);
  Node made = placed_value(value, place);
  Node& list = place_for(root, parts, place);
  if (list.kind == Node::Kind::table && list.entries.empty()) list.kind = Node::Kind::array;
  if (list.kind != Node::Kind::array) refuse(flag, fmt::format("{} is {}, not a list", path, kind_words(list)));
  list.items.push_back(std::move(made));
}

void take_away(Node& root, const std::string& path, const std::string& flag) {
  std::vector<std::string> parts = checked_path(path, "", flag);
  for (bool again = true; again && !parts.empty();) {
    const std::string last = parts.back();
    parts.pop_back();
    Node& above = place_for(root, parts, {0, 0, flag});
    again = false;
    if (above.kind == Node::Kind::array) {
      const Node* item = &item_of(above, last, path, flag);
      above.items.erase(above.items.begin() + (item - above.items.data()));
      again = above.items.empty();  // a list of nothing is none
    } else {
      std::erase_if(above.entries, [&](const Entry& e) { return e.key == last; });
    }
  }
}

void check_of_pictures(const std::string& set) {
  const std::string flag = flag_of(set);
  const std::vector<std::string> path = parts_of(set, flag).path;
  const auto one_of = [](const std::string& word, std::initializer_list<const char*> words) {
    return std::find(words.begin(), words.end(), word) != words.end();
  };
  const bool of_thing = path.size() >= 3 && ((one_of(path[0], {"body", "collider", "source"}) && path[2] == "color") ||
                                             (path[0] == "collider" && one_of(path[2], {"opacity", "visible"})));
  const bool name = path.size() == 2 && path[0] == "scene" && path[1] == "name";
  if (path[0] == "camera" || of_thing || name) return;
  refuse(flag,
         "the run is finished; only its pictures can still be changed, with camera.KEY, scene.name, color of a body, "
         "source or collider, and opacity and visible of a collider, as in collider.0.opacity=0.3");
}

void apply_override(Node& root, const std::string& set) {
  const std::string flag = flag_of(set);
  const PathAndValue parts = parts_of(set, flag);
  if (parts.path.size() > most_parts) refuse(flag, fmt::format("a path of more than {} parts", most_parts));
  const Place place{0, 0, flag};
  Node value = placed_value(parts.value, place);
  place_for(root, parts.path, place) = std::move(value);
}

void apply_quality(Node& root, const std::string& name, const std::vector<std::string>& sets) {
  std::string wanted;
  if (const Node* given = root.find("quality"); given && given->kind == Node::Kind::text) wanted = given->text;
  for (const std::string& set : sets)
    if (set.starts_with("quality=")) wanted = set.substr(8);
  std::erase_if(wanted, [](char c) { return c == '"' || c == '\''; });
  if (wanted.empty()) return;
  std::vector<std::string> names;
  const Node* all = root.find("qualities");
  for (std::size_t i = 0; all && i < all->entries.size(); ++i) names.push_back(all->entries[i].key);
  const auto found = std::find(names.begin(), names.end(), wanted);
  if (found == names.end())
    fail(Exit::bad_input, "{}: quality is \"{}\"; {}", name, wanted,
         names.empty() ? "this scene has no [qualities.NAME]"
                       : fmt::format("this scene has {}{}", fmt::join(names, ", "), did_you_mean(wanted, names)));
  const Node chosen = all->entries[static_cast<std::size_t>(found - names.begin())].value;
  for (const Entry& e : chosen.entries) {
    const std::string where = fmt::format("{}:{}: qualities.{}", name, e.place.line, wanted);
    place_for(root, split(e.key + "=", where).path, Place{e.place.line, e.place.column, ""}) = e.value;
  }
}

}  // namespace knead
