// Prose in lines of a width.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace knead {

// Columns that a text takes: bytes that continue a letter of UTF-8 take none.
inline std::size_t columns_of(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

// Words of `text` in lines of at most `width`, each after `indent` blanks; the first goes on from column `at`.
inline std::string wrapped(std::string_view text, std::size_t at = 0, std::size_t indent = 0, std::size_t width = 100) {
  std::string out;
  std::size_t column = at;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find_first_of(" \n", begin), text.size());
    const std::string_view word = text.substr(begin, end - begin);
    const std::size_t length = columns_of(word);
    if (column > indent && column + 1 + length > width) {
      out += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (column > indent) {
      out += ' ', ++column;
    }
    out += word;
    column += length;
    begin = end + 1;
  }
  return out;
}

}  // namespace knead
