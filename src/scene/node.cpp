#include "scene/node.h"

#include <charconv>

namespace knead {

const Node* Node::find(std::string_view key) const {
  for (const Entry& e : entries)
    if (e.key == key) return &e.value;
  return nullptr;
}

Node* Node::find(std::string_view key) { return const_cast<Node*>(static_cast<const Node*>(this)->find(key)); }

std::string kind_words(const Node& node) {
  switch (node.kind) {
    case Node::Kind::table:
      return "a table";
    case Node::Kind::array:
      return "a list";
    case Node::Kind::text:
      return fmt::format("the text \"{}\"", node.text.size() > 40 ? "..." : node.text);
    case Node::Kind::integer:
      return fmt::format("the integer {}", node.integer);
    case Node::Kind::real:
      return fmt::format("the number {}", node.real);
    case Node::Kind::boolean:
      return node.boolean ? "true" : "false";
    case Node::Kind::date:
      return "a date";
  }
  return "";
}

Place place_at(const Node& root, std::string_view path) {
  const Node* node = &root;
  Place place = root.place;
  while (!path.empty()) {
    const std::size_t dot = std::min(path.find('.'), path.size());
    const std::string_view part = path.substr(0, dot);
    path.remove_prefix(std::min(dot + 1, path.size()));
    const Node* next = nullptr;
    if (node->kind == Node::Kind::array) {
      std::size_t i = node->items.size();
      std::from_chars(part.data(), part.data() + part.size(), i);
      if (i < node->items.size()) next = &node->items[i];
    } else {
      next = node->find(part);
    }
    if (!next) break;
    node = next;
    place = node->place;
  }
  return place;
}

void put_place(Node& node, const Place& place) {
  node.place = place;
  for (Node& item : node.items) put_place(item, place);
  for (Entry& e : node.entries) e.place = place, put_place(e.value, place);
}

}  // namespace knead
