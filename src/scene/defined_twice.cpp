#include "scene/defined_twice.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <utility>

namespace knead {

namespace {

constexpr char separator = '\x1f';  // no key has it unescaped, and an escaped one would only hide a place

class Scanner {
 public:
  Scanner(std::string_view text, const Place& end, const KeyParts& parts_of)
      : text_(text), end_(end), parts_of_(parts_of) {}

  std::optional<DefinedTwice> scan() {
    while (skip_blank()) {
      if (text_[at_] == '[')
        scan_header();
      else
        scan_pair(section_);
    }
    return twice_;
  }

 private:
  using Parts = std::vector<std::string>;

  void scan_header() {
    const Place place = here();
    const bool list = text_.substr(at_).starts_with("[[");
    for (int i = 0; i < (list ? 2 : 1); ++i) step();
    const Parts parts = parts_of_(take_until(']'));
    take_until('\n');
    // What lies in a list of sections is of the last of them.
    std::string path;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      path += separator + parts[i];
      if (const auto found = lists_.find(path); found != lists_.end() && (i + 1 < parts.size() || list))
        path += numbered(list && i + 1 == parts.size() ? ++found->second : found->second);
      else if (list && i + 1 == parts.size())
        lists_[path] = 0, path += numbered(0);
    }
    define("", parts, place, path, false);
    section_ = path;
  }

  // KEY = VALUE
  void scan_pair(const std::string& table) {
    const Place place = here();
    const Parts parts = parts_of_(take_until('='));
    if (at_ < text_.size()) step();
    std::string path = table;
    for (const std::string& part : parts) path += separator + part;
    define(table, parts, place, path, true);
    scan_value(path);
  }

  void scan_value(const std::string& path) {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) step();
    if (at_ == text_.size() || past()) return;
    if (text_[at_] == '{') {
      step();
      while (skip_blank() && text_[at_] != '}') text_[at_] == ',' ? step() : scan_pair(path);
      if (at_ < text_.size()) step();
    } else if (text_[at_] == '[') {
      step();
      for (int i = 0; skip_blank() && text_[at_] != ']';) text_[at_] == ',' ? step() : scan_value(path + numbered(i++));
      if (at_ < text_.size()) step();
    } else if (text_[at_] == '"' || text_[at_] == '\'') {
      skip_string();
    } else {
      do step();
      while (at_ < text_.size() && std::string_view(",]}#\n").find(text_[at_]) == std::string_view::npos);
    }
  }

  // Each table on the way is there from now on. A key may lie in a table that is there, but not in a value.
  void define(const std::string& table, const Parts& parts, const Place& place, const std::string& whole, bool value) {
    twice_.reset();
    std::string path = table;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const bool last = i + 1 == parts.size();
      path = last ? whole : path + separator + parts[i];
      const auto [known, fresh] = known_.try_emplace(path, Known{place, last && value});
      if (!fresh && (last || known->second.value) && !twice_)
        twice_ = {fmt::format("{}", fmt::join(parts.begin(), parts.begin() + std::ptrdiff_t(i) + 1, ".")),
                  known->second.place, place};
    }
  }

  static std::string numbered(int i) { return fmt::format("{}{}", separator, i); }

  // Up to a letter outside quotes, which is left.
  std::string_view take_until(char letter) {
    const std::size_t begin = at_;
    while (at_ < text_.size() && text_[at_] != letter) text_[at_] == '"' || text_[at_] == '\'' ? skip_string() : step();
    return text_.substr(begin, at_ - begin);
  }

  void skip_string() {
    const char quote = text_[at_];
    const std::string triple(3, quote);
    const bool lines = text_.substr(at_).starts_with(triple);
    for (int i = 0; i < (lines ? 3 : 1); ++i) step();
    while (at_ < text_.size() && !(lines ? text_.substr(at_).starts_with(triple) : text_[at_] == quote)) {
      if (quote == '"' && text_[at_] == '\\') step();
      step();
    }
    // Up to two quotes may stand before the three that close.
    for (int i = 0; i < (lines ? 5 : 1) && at_ < text_.size() && text_[at_] == quote; ++i) step();
  }

  // Over spaces, lines and comments; false at the end.
  bool skip_blank() {
    while (at_ < text_.size() && std::string_view(" \t\r\n#").find(text_[at_]) != std::string_view::npos) {
      if (text_[at_] == '#')
        while (at_ < text_.size() && text_[at_] != '\n') step();
      else
        step();
    }
    return at_ < text_.size() && !past();
  }

  void step() {
    if (at_ == text_.size()) return;
    const auto c = static_cast<unsigned char>(text_[at_++]);
    if (c == '\n')
      ++line_, column_ = 1;
    else if ((c & 0xC0) != 0x80)
      ++column_;
  }

  Place here() const { return {line_, column_}; }
  bool past() const { return std::pair(line_, column_) > std::pair(end_.line, end_.column); }

  struct Known {
    Place place;
    bool value;  // not a table that more can be put into
  };

  std::string_view text_;
  Place end_;
  const KeyParts& parts_of_;
  std::size_t at_ = 0;
  int line_ = 1, column_ = 1;
  std::string section_;
  std::map<std::string, Known> known_;
  std::map<std::string, int> lists_;  // [[NAME]], and the number of the last
  std::optional<DefinedTwice> twice_;
};

}  // namespace

std::optional<DefinedTwice> find_defined_twice(std::string_view text, const Place& end, const KeyParts& parts_of) {
  return Scanner(text, end, parts_of).scan();
}

}  // namespace knead
