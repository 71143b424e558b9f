// The text of a scene file: read from a regular file only, and checked to be UTF-8 text that a parser can be trusted
// with.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace knead {

// The whole file. Folders, pipes and devices are refused without being opened; so is a file that is too large.
std::string read_source(const std::filesystem::path&);

// Fails with place and byte offset on anything that is not UTF-8 text; returns the text without a byte order mark.
std::string_view checked_text(std::string_view text, const std::string& name);

// What is left open in a text that does not parse: the place and kind of an unclosed string, list or inline table.
struct Unclosed {
  int line = 0, column = 0;
  std::string what;  // empty when everything is closed
};
Unclosed find_unclosed(std::string_view text);

}  // namespace knead
