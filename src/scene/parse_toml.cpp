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
#include <optional>

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

constexpr std::string_view redefined = "cannot redefine existing";

// What stands between the first two quotes, with them.
std::string_view quoted_in(std::string_view message) {
  const std::string_view from = message.substr(std::min(message.find('\''), message.size()));
  return from.substr(0, std::max(from.find('\'', 1), std::size_t(1)) + 1);
}

// What the library calls what it finds and wants, and what this program does.
constexpr std::pair<std::string_view, std::string_view> terms[] = {
    {"key-value pair", "KEY = VALUE"},
    {"value-terminator", "the end of the value"},
    {"bare key starting character or string delimiter", "a name"},
    {"keys, tables, whitespace or comments", "a key or a [table]"},
    {"a comment or whitespace", "the end of the line"},
    {"(dangling comma)", "after a comma"},
    {"closing '}'", "'}'"},
    {"closing ']'", "']'"},
    {"comma", "','"},
    {"(inclusive) ", ""},
    {"EOF", "the end of the text"},
};

// "expected key or closing '}', saw 'x'" is "'x' where key or '}' is expected".
std::string found_and_expected(std::string_view message) {
  constexpr std::string_view expected = "expected ", found = ", saw ";
  const std::size_t middle = message.find(found);
  std::string text(message);
  if (message.starts_with(expected) && middle != std::string_view::npos)
    text = fmt::format("{} where {} is expected", message.substr(middle + found.size()),
                       message.substr(expected.size(), middle - expected.size()));
  for (const auto& [theirs, ours] : terms)
    if (const std::size_t at = text.find(theirs); at != std::string::npos) text.replace(at, theirs.size(), ours);
  return text;
}

// The library's message in this program's words, without its preamble ("Error while parsing string: ").
std::string plain(std::string_view message) {
  if (message.starts_with("Error while parsing ")) {
    const std::size_t colon = message.find(": ");
    if (colon != std::string_view::npos) message.remove_prefix(colon + 2);
  }
  if (message.starts_with(redefined)) return fmt::format("{} is given twice", quoted_in(message));
  if (message.ends_with("is not representable in 64 bits")) return fmt::format("{}; it is out of range", message);
  if (message.ends_with("could not be interpreted as a value"))
    return fmt::format("{}; it is not a number or out of range", message);
  if (message.starts_with("expected 'inf'") || message.starts_with("expected 'nan'"))
    return "a text must be quoted, and a number must be finite";
  if (message.starts_with("exceeded maximum nested value depth"))
    return fmt::format("lists and tables nested more than {} levels deep", most_levels);
  if (message == "could not determine value type") return "this is no value; a text must be quoted";
  if (message.starts_with("encountered end-of-file")) return "the text ends in the middle";
  if (message.find("control character") != std::string_view::npos)
    return "a control character stands here; only tabs may, and others in quotes as escapes such as \\u0007";
  if (message.find("surrogates") != std::string_view::npos) return "this character does not exist (U+D800 to U+DFFF)";
  if (message.find("line-ending backslash") != std::string_view::npos)
    return "a backslash at the end of a line must be the last character in it";
  if (message.find("multi-line strings") != std::string_view::npos) return "a key must stand in one line";
  if (message.find("blank bare key") != std::string_view::npos) return "the name in the brackets is missing";
  if (message.find("must be contiguous") != std::string_view::npos)
    return "write [[NAME]] without spaces in the brackets";
  if (message.find("underscores") != std::string_view::npos) return "an underscore must stand between two digits";
  if (message == "leading zeroes are prohibited") return "a number must not start with 0";
  if (message.find("is not supported in TOML") != std::string_view::npos)
    return fmt::format("unknown escape sequence {}", quoted_in(message));
  return found_and_expected(message);
}

// The table with this key in it.
const toml::table* table_with(const toml::node& node, std::string_view key) {
  const toml::table* found = nullptr;
  const auto look_into = [&](const toml::node& inner) { found = found ? found : table_with(inner, key); };
  if (const toml::table* table = node.as_table()) {
    if (table->contains(key)) return table;
    for (auto&& [name, inner] : *table) look_into(inner);
  } else if (const toml::array* array = node.as_array()) {
    for (const toml::node& inner : *array) look_into(inner);
  }
  return found;
}

// Where a key (or the name of a section) stood first that is given again in a line; nothing where that is not plain.
std::optional<Place> first_place(std::string_view text, std::string_view key, std::size_t line) {
  constexpr std::string_view mark = "knead_is_here";
  std::size_t start = 0;
  for (std::size_t i = 1; i < line; ++i) start = std::min(text.find('\n', start), text.size() - 1) + 1;
  const std::string_view rest = text.substr(start),
                         words = rest.substr(std::min(rest.find_first_not_of(" \t"), rest.size()));
  const bool section = words.starts_with('[');
  if (!section && !words.starts_with(key)) return {};  // in an inline table
  try {
    // What the lines before make, and the table that a key in this line belongs to.
    const toml::table before = toml::parse(fmt::format("{}\n{} = 0\n", text.substr(0, start), mark));
    const toml::table* in = section ? &before : table_with(before, mark);
    const toml::table path = toml::parse(fmt::format("{} = 0", key));
    std::optional<Place> place;
    for (const toml::table* at = &path; at && in;) {
      const auto part = at->cbegin();
      const auto found = in->find(part->first.str());
      if (found == in->end()) return {};
      place = place_of(found->first.source());
      const toml::array* list = found->second.as_array();
      in = list && !list->empty() ? list->back().as_table() : found->second.as_table();
      at = part->second.as_table();
    }
    return place;
  } catch (const toml::parse_error&) {
    return {};
  }
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
    std::string what = plain(error.description());
    if (const std::string_view key = quoted_in(error.description());
        error.description().find(redefined) != std::string_view::npos && key.size() > 2)
      if (const auto first = first_place(text, key.substr(1, key.size() - 2), at.line))
        what += fmt::format(", the first time in line {}", first->line);
    fail(Exit::bad_input, "{}:{}:{}: not valid TOML: {}", name, at.line, at.column, what);
  }
  Node node = convert(root, 0, name);
  node.place = {};
  return node;
}

}  // namespace knead
