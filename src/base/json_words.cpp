#include "base/json_words.h"

#include <algorithm>
#include <charconv>
#include <system_error>
#include <utility>

namespace knead {

namespace {

// What the library calls what it finds and wants, and what this program does.
constexpr std::pair<std::string_view, std::string_view> terms[] = {
    {"'[', '{', or a literal", "a value"},
    {"end of input", "the end of the text"},
    {"string literal", "a text in quotes"},
    {"number literal", "a number"},
    {"true literal", "'true'"},
    {"false literal", "'false'"},
    {"null literal", "'null'"},
};

std::string term(std::string_view theirs) {
  for (const auto& [name, words] : terms)
    if (theirs == name) return std::string(words);
  return std::string(theirs);
}

// What stands between two texts; empty where the first is missing.
std::string_view between(std::string_view text, std::string_view begin, std::string_view end) {
  const std::size_t at = text.find(begin);
  if (at == text.npos) return {};
  text.remove_prefix(at + begin.size());
  return text.substr(0, text.find(end));
}

// Of the letters read, which may begin with those before and end with the one that is wrong, the last word.
std::string last_word(std::string_view reason) {
  constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_+-.";
  std::string_view read = between(reason, "last read: '", "\n");
  read = read.substr(0, read.rfind("; expected "));
  read.remove_suffix(read.ends_with('\''));
  if (read.ends_with('>')) read = read.substr(0, read.rfind("<U+"));
  const std::size_t last = read.find_last_of(letters);
  if (last == read.npos) return std::string(read);
  const std::size_t before = read.substr(0, last).find_last_not_of(letters);
  return std::string(read.substr(before + 1, last - before));
}

std::string reason_words(std::string_view reason) {
  if (reason.starts_with("unexpected end of input")) return "unexpected end of the text";
  if (reason.starts_with("invalid literal")) return "not a JSON value: '" + last_word(reason) + "'";
  if (reason.starts_with("invalid number")) return "not a number: '" + last_word(reason) + "'";
  if (reason.starts_with("invalid string: missing closing quote")) return "this text is not closed";
  if (reason.starts_with("invalid string: control character"))
    return "a control character in a text must be an escape such as \\u000a";
  if (reason.starts_with("invalid string: ill-formed UTF-8")) return "not UTF-8 text";
  if (reason.starts_with("invalid string: forbidden") || reason.starts_with("invalid string: '\\u'"))
    return "an unknown escape in a text";
  if (reason.starts_with("invalid")) return std::string(reason.substr(0, reason.find("; last read")));
  const std::string_view found = between(reason, "unexpected ", ";"), expected = between(reason, "; expected ", ";");
  if (found.empty()) return std::string(reason);
  return expected.empty() ? "unexpected " + term(found) : "expected " + term(expected) + ", found " + term(found);
}

// "line 1, column 2: ". A mistake that the end of a line shows is said to be in the next, at column 0.
std::string place_words(std::string_view place) {
  int line = 0;
  const std::string_view number = between(place, "line ", ",");
  if (place.find("column 0:") == place.npos ||
      std::from_chars(number.data(), number.data() + number.size(), line).ec != std::errc())
    return std::string(place);
  return "line " + std::to_string(line - 1) + ": ";
}

}  // namespace

std::string json_words(std::string_view said) {
  const auto cut = [&](std::string_view start) {
    if (said.starts_with(start)) said.remove_prefix(start.size());
  };
  if (said.starts_with('[')) said.remove_prefix(std::min(said.size(), said.find(']') + 1));
  cut(" "), cut("parse error at ");
  if (said.starts_with("key '") && said.ends_with(" not found"))
    return std::string(said.substr(4, said.size() - 14)) + " is missing";
  if (const std::string_view start = "number overflow parsing "; said.starts_with(start))
    return "the number " + std::string(said.substr(start.size())) + " is out of range";
  const std::size_t what = said.find("syntax error while parsing "), reason = said.find(" - ", what);
  if (what == said.npos || reason == said.npos) return std::string(said);
  return place_words(said.substr(0, what)) + reason_words(said.substr(reason + 3));
}

}  // namespace knead
