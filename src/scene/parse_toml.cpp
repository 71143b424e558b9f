// The one source file that knows the TOML library.

// Where text is malformed (a line that is but "["), the library's parser breaks its own assertions: they would end the
// program in one build and mislead the optimiser in another. Left out, those places end as ordinary syntax errors; the
// tests feed them thousands of damaged files. So the library is compiled here, from its headers.
#undef NDEBUG
#define TOML_ASSERT(condition) static_cast<void>(0)
#include <toml++/toml.h>

#include "scene/defined_twice.h"
#include "scene/node.h"
#include "scene/source_text.h"

#include <algorithm>
#include <utility>
#include <vector>

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
    {" (inclusive)", ""},
    {"expected value", "expected a value"},
    {"expected key", "expected a key"},
    {", saw ", ", found "},
    {"found EOF", "found the end of the file"},
};

// "expected value or closing ']', saw ','" is "expected a value or ']', found ','". What is found may end with its
// line.
std::string found_and_expected(std::string_view message) {
  std::string text(message);
  if (text.ends_with("\n'"))
    text.erase(text.find_last_not_of("\r\n'") + 1, text.size() - text.find_last_not_of("\r\n'") - 2);
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
  if (message.starts_with(redefined)) return fmt::format("{} is defined twice", quoted_in(message));
  if (message.ends_with("is not representable in 64 bits")) return fmt::format("{}; it is out of range", message);
  if (message.ends_with("could not be interpreted as a value"))
    return fmt::format("{}; it is not a number or out of range", message);
  if (message.starts_with("expected 'inf'") || message.starts_with("expected 'nan'"))
    return "a text must be quoted, and a number must be finite";
  if (message.starts_with("exceeded maximum nested value depth"))
    return fmt::format("lists and tables nested more than {} levels deep", most_levels);
  if (message == "could not determine value type") return "this is no value; a text must be quoted";
  if (message.starts_with("encountered end-of-file")) return "unexpected end of the file";
  if (message.find("control character") != std::string_view::npos)
    return "control character; only tabs are allowed, others as escapes such as \\u0007 in quotes";
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

std::vector<std::string> key_parts(std::string_view key) {
  std::vector<std::string> parts;
  try {
    const toml::table path = toml::parse(fmt::format("{} = 0", key));
    for (const toml::table* at = &path; at; at = at->cbegin()->second.as_table())
      parts.emplace_back(at->cbegin()->first.str());
  } catch (const toml::parse_error&) {
    parts.emplace_back(key);
  }
  return parts;
}

}  // namespace

Node parse_toml(std::string_view text, const std::string& name) {
  toml::table root;
  try {
    root = toml::parse(text, name);
  } catch (const toml::parse_error& error) {
    if (const Unclosed open = find_unclosed(text); !open.what.empty())
      fail(Exit::bad_input, "{}:{}:{}: not valid TOML: this {} is not closed", name, open.line, open.column, open.what);
    const Place place = place_of(error.source());
    if (error.description().find(redefined) != std::string_view::npos)
      if (const auto twice = find_defined_twice(text, place, key_parts)) {
        const auto& [key, first, second] = *twice;
        fail(Exit::bad_input, "{}:{}:{}: not valid TOML: '{}' is defined twice (first {})", name, second.line,
             second.column, key,
             first.line == second.line ? fmt::format("in column {}", first.column)
                                       : fmt::format("on line {}", first.line));
      }
    fail(Exit::bad_input, "{}:{}:{}: not valid TOML: {}", name, place.line, place.column, plain(error.description()));
  }
  Node node = convert(root, 0, name);
  node.place = {};
  return node;
}

}  // namespace knead
