// A scene file as a tree of values, each with its place; what the reader and --set work on.
#pragma once

#include "scene/mistakes.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace knead {

struct Entry;

struct Node {
  enum class Kind { table, array, text, integer, real, boolean, date };
  Kind kind = Kind::table;
  Place place{};
  std::string text{};
  std::int64_t integer = 0;
  double real = 0;
  bool boolean = false;
  std::vector<Node> items{};   // of an array
  std::vector<Entry> entries;  // of a table, in the order of the file

  const Node* find(std::string_view key) const;
  Node* find(std::string_view key);
};

struct Entry {
  std::string key;
  Place place;  // of the key
  Node value;
};

// "a number", "a text", ...: what stands there, as messages say it.
std::string kind_words(const Node&);

// The place of the value at a path of keys and indices ("body.0.shape"), or of the nearest thing above it that exists.
Place place_at(const Node& root, std::string_view path);

// All of a value is said to stand there.
void put_place(Node&, const Place&);

// Parses TOML. A syntax mistake is a Failure with its place: `name` is the file's name or the flag.
Node parse_toml(std::string_view text, const std::string& name);

}  // namespace knead
