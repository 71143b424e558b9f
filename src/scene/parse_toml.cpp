// The one source file that knows the TOML library.

// Where text is malformed (a line that is but "["), the library's parser breaks its own assertions: they would end the
// program in one build and mislead the optimiser in another. Left out, those places end as ordinary syntax errors; the
// tests feed them thousands of damaged files. So the library is compiled here, from its headers.
#undef NDEBUG
#define TOML_ASSERT(condition) static_cast<void>(0)
#include <toml++/toml.h>

#include "scene/node.h"
#include "scene/source_text.h"

#include <algorithm>

namespace knead {

namespace {

constexpr int most_levels = 100;

Place place_of(const toml::source_region& r) {
  return {static_cast<int>(r.begin.line), static_cast<int>(r.begin.column)};
}

Node convert(const toml::node& from, int level, const std::string& name) {
  Node to;
  to.place = place_of(from.source());
  if (level > most_levels)
    fail(Exit::bad_input, "{}:{}:{}: nested more than {} levels deep", name, to.place.line, to.place.column,
         most_levels);
  if (const toml::table* table = from.as_table()) {
    to.kind = Node::Kind::table;
    for (auto&& [key, value] : *table)
      to.entries.push_back({std::string(key.str()), place_of(key.source()), convert(value, level + 1, name)});
    std::stable_sort(to.entries.begin(), to.entries.end(), [](const Entry& a, const Entry& b) {
      return std::pair(a.place.line, a.place.column) < std::pair(b.place.line, b.place.column);
    });
  } else if (const toml::array* array = from.as_array()) {
    to.kind = Node::Kind::array;
    to.items.reserve(array->size());
    for (const toml::node& item : *array) to.items.push_back(convert(item, level + 1, name));
  } else if (const auto* text = from.as_string()) {
    to.kind = Node::Kind::text;
    to.text = text->get();
  } else if (const auto* integer = from.as_integer()) {
    to.kind = Node::Kind::integer;
    to.integer = integer->get();
  } else if (const auto* real = from.as_floating_point()) {
    to.kind = Node::Kind::real;
    to.real = real->get();
  } else if (const auto* boolean = from.as_boolean()) {
    to.kind = Node::Kind::boolean;
    to.boolean = boolean->get();
  } else {
    to.kind = Node::Kind::date;
  }
  return to;
}

// The library's message in this program's words, without its preamble ("Error while parsing string: ").
std::string plain(std::string_view message) {
  if (message.starts_with("Error while parsing ")) {
    const std::size_t colon = message.find(": ");
    if (colon != std::string_view::npos) message.remove_prefix(colon + 2);
  }
  const std::size_t quote = message.find('\'');
  const std::string_view quoted = message.substr(std::min(quote, message.size()));
  if (message.starts_with("cannot redefine existing")) {
    const std::size_t end = quoted.find('\'', 1);
    return fmt::format("{} is given twice", quoted.substr(0, end == std::string_view::npos ? end : end + 1));
  }
  if (message.ends_with("is not representable in 64 bits")) return fmt::format("{}; it is out of range", message);
  if (message.ends_with("could not be interpreted as a value"))
    return fmt::format("{}; it is not a number or out of range", message);
  if (message.starts_with("expected 'inf'") || message.starts_with("expected 'nan'"))
    return "a text must be quoted, and a number must be finite";
  return std::string(message);
}

}  // namespace

Node parse_toml(std::string_view text, const std::string& name) {
  toml::table root;
  try {
    root = toml::parse(text, name);
  } catch (const toml::parse_error& error) {
    if (const Unclosed open = find_unclosed(text); !open.what.empty())
      fail(Exit::bad_input, "{}:{}:{}: not valid TOML: this {} is not closed", name, open.line, open.column, open.what);
    const auto& at = error.source().begin;
    fail(Exit::bad_input, "{}:{}:{}: not valid TOML: {}", name, at.line, at.column, plain(error.description()));
  }
  Node node = convert(root, 0, name);
  node.place = {};
  return node;
}

}  // namespace knead
