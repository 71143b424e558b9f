// Walking through a text file line by line and word by word, with line numbers for messages.
#pragma once

#include <charconv>
#include <optional>
#include <string_view>

namespace knead {

class TextLines {
 public:
  static constexpr std::size_t longest = std::size_t(1) << 20;  // bytes a line may have

  explicit TextLines(std::string_view text) : rest_(text) {
    if (rest_.starts_with("\xEF\xBB\xBF")) rest_.remove_prefix(3);  // byte order mark
  }
  // Goes on to the next line; false at the end. Carriage returns are taken off.
  bool next() {
    if (rest_.empty()) return false;
    const std::size_t end = rest_.find('\n');
    line_ = rest_.substr(0, end);
    rest_ = end == std::string_view::npos ? std::string_view() : rest_.substr(end + 1);
    if (line_.ends_with('\r')) line_.remove_suffix(1);
    ++number_;
    return true;
  }
  std::string_view line() const { return line_; }
  std::string_view rest() const { return rest_; }  // what follows the line
  long number() const { return number_; }          // of the line, from 1
  bool too_long() const { return line_.size() > longest; }

 private:
  std::string_view rest_, line_;
  long number_ = 0;
};

// Takes the first word off the line; empty when there is none.
inline std::string_view take_word(std::string_view& line, std::string_view separators = " \t\r\n") {
  const std::size_t begin = line.find_first_not_of(separators);
  if (begin == std::string_view::npos) return line = {}, std::string_view();
  const std::size_t end = line.find_first_of(separators, begin);
  const std::string_view word = line.substr(begin, end == std::string_view::npos ? end : end - begin);
  line = end == std::string_view::npos ? std::string_view() : line.substr(end);
  return word;
}

// The word as a number, if it is one from its first letter to its last ("nan" and "inf" are numbers).
template <class Number>
std::optional<Number> to_number(std::string_view word) {
  if (word.starts_with('+')) word.remove_prefix(1);
  Number value{};
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size() || word.empty()) return std::nullopt;
  return value;
}

}  // namespace knead
