#include "base/printable.h"

#include "base/one_line.h"
#include "base/utf8.h"

#include <fmt/format.h>

#include <cstdio>

namespace knead {

namespace {

// A path may be longer than a word, and a list of names longer than a path.
constexpr std::size_t longest_word = 200, longest_path = 4200, longest_line = 5000;

bool steers(char32_t c) {
  if (c == '\n' || c == '\t') return false;
  const bool control = c < 0x20 || (c >= 0x7F && c < 0xA0);
  const bool direction =
      c == 0x061C || (c >= 0x200E && c <= 0x200F) || (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
  return control || direction || c == 0x2028 || c == 0x2029;
}

char32_t decoded(std::string_view letter) {
  const auto first = static_cast<unsigned char>(letter[0]);
  if (letter.size() == 1) return first;
  char32_t c = first & (0xFFu >> (letter.size() + 1));
  for (const char more : letter.substr(1)) c = c << 6 | (static_cast<unsigned char>(more) & 0x3Fu);
  return c;
}

// Its first and last bytes, whole letters of them.
std::string without_middle(std::string_view text, std::size_t most) {
  if (text.size() <= most) return std::string(text);
  const auto inside = [&](std::size_t at) {
    return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80;
  };
  std::size_t first = most * 2 / 3, last = text.size() - most / 3;
  while (first > 0 && inside(first)) --first;
  while (inside(last)) ++last;
  return fmt::format("{}…{}", text.substr(0, first), text.substr(last));
}

// f(piece) for each that `end` ends, with it.
template <class F>
void for_each_piece(std::string_view text, char end, F&& f) {
  while (!text.empty()) {
    const std::size_t size = std::min(text.find(end), text.size() - 1) + 1;
    f(text.substr(0, size));
    text.remove_prefix(size);
  }
}

}  // namespace

std::string printable(std::string_view text) { return printable_lines(one_line(text)); }

std::string printable_lines(std::string_view text) {
  std::string safe;
  safe.reserve(text.size());
  while (!text.empty()) {
    const std::size_t size = utf8_length(text);
    const std::string_view letter = text.substr(0, std::max<std::size_t>(size, 1));
    text.remove_prefix(letter.size());
    const char32_t c = decoded(letter);
    if (size == 0 || (c < 0x80 && steers(c)))
      safe += fmt::format("\\x{:02x}", static_cast<unsigned char>(letter[0]));
    else if (steers(c))
      safe += fmt::format("\\u{:04x}", static_cast<std::uint32_t>(c));
    else
      safe += letter;
  }
  return safe;
}

std::string printable_message(std::string_view text) {
  std::string message;
  for_each_piece(text, '\n', [&](std::string_view line) {
    std::string shorter;
    for_each_piece(line, ' ', [&](std::string_view word) {
      shorter += without_middle(word, word.find('/') == word.npos ? longest_word : longest_path);
    });
    message += without_middle(shorter, longest_line);
  });
  return printable_lines(message);
}

}  // namespace knead
